"""Planted weaknesses, each with a fixed twin that must make no finding: name → (CWE, flawed, fixed)."""

FLAWS: dict[str, tuple[str, str, str]] = {
    "sql_fstring": (
        "CWE-89",
        "def find(db, name):\n    return db.execute(f\"SELECT * FROM users WHERE name = '{name}'\").fetchall()\n",
        'def find(db, name):\n    return db.execute("SELECT * FROM users WHERE name = ?", (name,)).fetchall()\n',
    ),
    "sql_through_a_name": (
        "CWE-89",
        "def find(db, name):\n"
        "    query = \"SELECT * FROM users WHERE name = '%s'\" % name\n    return db.execute(query)\n",
        'def find(db, ids):\n    marks = ",".join("?" for _ in ids)\n'
        '    return db.execute(f"SELECT * FROM users WHERE id IN ({marks})", ids)\n',
    ),
    "sql_grown": (
        "CWE-89",
        'def find(db, name):\n    where = []\n    where.append("name = \'" + name + "\'")\n'
        '    sql = "SELECT * FROM users WHERE " + " AND ".join(where)\n    return db.execute(sql)\n',
        'def find(db, name):\n    where, values = [], []\n    where.append("name = ?")\n    values.append(name)\n'
        '    sql = "SELECT * FROM users WHERE " + " AND ".join(where)\n    return db.execute(sql, values)\n',
    ),
    "shell_true": (
        "CWE-78",
        'import subprocess\n\n\ndef show(path):\n    return subprocess.run("ls " + path, shell=True)\n',
        'import subprocess\n\n\ndef show(path):\n    return subprocess.run(["ls", "--", path])\n',
    ),
    "os_system": (
        "CWE-78",
        'import os\n\n\ndef show(path):\n    os.system(f"ls {path}")\n',
        'import os\n\n\ndef show():\n    os.system("date")\n',
    ),
    "eval": (
        "CWE-95",
        "def compute(text):\n    return eval(text)\n",
        "import ast\n\n\ndef compute(text):\n    return ast.literal_eval(text)\n",
    ),
    "exec": (
        "CWE-95",
        "def run(text):\n    exec(text)\n",
        "def run(actions, name):\n    actions[name]()\n",
    ),
    "pickle": (
        "CWE-502",
        "import pickle\n\n\ndef load(data):\n    return pickle.loads(data)\n",
        "import json\n\n\ndef load(data):\n    return json.loads(data)\n",
    ),
    "yaml": (
        "CWE-502",
        "import yaml\n\n\ndef load(text):\n    return yaml.load(text, Loader=yaml.Loader)\n",
        "import yaml\n\n\ndef load(text):\n    return yaml.safe_load(text)\n",
    ),
    "password": (
        "CWE-798",
        'password = "hunter2-Tr0ub4dor"\n',
        'import os\n\npassword = os.environ["PASSWORD"]\nPASSWORD_FIELD = "password"\ntoken = ""\n'
        'token_url = "https://example.org/token"\n',
    ),
    "md5": (
        "CWE-327",
        "import hashlib\n\n\ndef sign(data):\n    return hashlib.md5(data).hexdigest()\n",
        "import hashlib\n\n\ndef sign(data):\n    return hashlib.sha256(data).hexdigest()\n",
    ),
    "random_token": (
        "CWE-338",
        "import random\n\n\ndef token():\n    return random.randint(0, 10**9)\n",
        "import secrets\n\n\ndef token():\n    return secrets.randbelow(10**9)\n",
    ),
    "unverified_tls": (
        "CWE-295",
        "import requests\n\n\ndef get(url):\n    return requests.get(url, verify=False, timeout=5)\n",
        "import requests\n\n\ndef get(url):\n    return requests.get(url, timeout=5)\n",
    ),
    "tar_members": (
        "CWE-22",
        "import tarfile\n\n\ndef unpack(path, to):\n    with tarfile.open(path) as archive:\n"
        "        archive.extractall(to)\n",
        "import tarfile\n\n\ndef unpack(path, to):\n    with tarfile.open(path) as archive:\n"
        '        archive.extractall(to, filter="data")\n',
    ),
    "xml_entities": (
        "CWE-776",
        "import xml.etree.ElementTree as tree\n\n\ndef read(text):\n    return tree.fromstring(text)\n",
        "import defusedxml.ElementTree as tree\n\n\ndef read(text):\n    return tree.fromstring(text)\n",
    ),
    "no_autoescape": (
        "CWE-79",
        "import jinja2\n\nenvironment = jinja2.Environment(autoescape=False)\n",
        "import jinja2\n\nenvironment = jinja2.Environment(autoescape=True)\n",
    ),
    "flask_debug": (
        "CWE-489",
        "from flask import Flask\n\napp = Flask(__name__)\napp.run(debug=True)\n",
        "from flask import Flask\n\napp = Flask(__name__)\napp.run(debug=False)\n",
    ),
    "mktemp": (
        "CWE-377",
        "import tempfile\n\n\ndef path():\n    return tempfile.mktemp()\n",
        "import tempfile\n\n\ndef path():\n    return tempfile.mkstemp()\n",
    ),
    "chmod": (
        "CWE-732",
        "import os\n\n\ndef share(path):\n    os.chmod(path, 0o777)\n",
        "import os\n\n\ndef share(path):\n    os.chmod(path, 0o600)\n",
    ),
    "short_key": (
        "CWE-326",
        "from cryptography.hazmat.primitives.asymmetric import rsa\n\nkey = rsa.generate_private_key(65537, 1024)\n",
        "from cryptography.hazmat.primitives.asymmetric import rsa\n\nkey = rsa.generate_private_key(65537, 3072)\n",
    ),
    "unverified_host_key": (
        "CWE-295",
        "import paramiko\n\nclient = paramiko.SSHClient()\n"
        "client.set_missing_host_key_policy(paramiko.AutoAddPolicy)\n",
        "import paramiko\n\nclient = paramiko.SSHClient()\nclient.set_missing_host_key_policy(paramiko.RejectPolicy)\n",
    ),
}
