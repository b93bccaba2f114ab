"""Dangerous functions that are used make findings; only misuse that the code shows is proof."""

from __future__ import annotations

import pytest

MISUSED = {
    "a name behind a command": "import os\n\ndef f(x):\n    os.system('ls ' + x)\n",
    "a name in a command": "import subprocess\n\ndef f(x):\n    subprocess.run(f'ls {x}', shell=True)\n",
    "by percent": "import os\n\ndef f(x):\n    os.system('ls %s' % x)\n",
    "by format": "import os\n\ndef f(x):\n    os.popen('ls {}'.format(x))\n",
    "by join": "import os\n\ndef f(x):\n    os.system(' '.join(['ls', x]))\n",
    "through a name": "import os\n\ndef f(x):\n    line = 'ls ' + x\n    os.system(line)\n",
    "added to": "import os\n\ndef f(x):\n    line = 'ls '\n    line += x\n    os.system(line)\n",
    "one branch": "import os\n\ndef f(x):\n    line = 'ls '\n    if x:\n        line += x\n    os.system(line)\n",
    "from input": "import os\n\nos.system('ls ' + input())\n",
    "bytes given": "import pickle\n\ndef f(data):\n    return pickle.loads(data)\n",
    "bytes decoded": "import base64, pickle\n\ndef f(text):\n    return pickle.loads(base64.b64decode(text))\n",
    "bytes renamed": "import pickle\n\ndef f(text):\n    raw = bytes.fromhex(text)\n    return pickle.loads(raw)\n",
    "bytes received": "import pickle\n\ndef f(self):\n    return pickle.loads(self.socket.recv(4096))\n",
    "a request": "import pickle\n\ndef f(self):\n    return pickle.load(self.rfile)\n",
    "yaml given": "import yaml\n\ndef f(text):\n    return yaml.load(text, Loader=yaml.Loader)\n",
    "a password hashed": "import hashlib\n\ndef f(password):\n    return hashlib.md5(password.encode()).hexdigest()\n",
    "under another name": "import hashlib\n\ndef f(user, pwd):\n    raw = user + pwd\n    return hashlib.sha1(raw)\n",
    "a signature": "import hashlib\n\ndef sign(data):\n    return hashlib.md5(data).hexdigest()\n",
    "members unchecked": "import tarfile\n\ndef f(p, to):\n    tarfile.open(p).extractall(to)\n",
    "members trusted": "import tarfile\n\ndef f(p, to):\n    tarfile.open(p).extractall(to, filter='fully_trusted')\n",
    "markup": "from markupsafe import Markup\n\ndef f(x):\n    return Markup(f'<b>{x}</b>')\n",
}
USED = {
    "the caller's command": "import os\n\ndef f(cmd):\n    return os.system(cmd)\n",
    "the caller's command, gone on with": "import os\n\ndef f(cmd, to):\n    return os.system(f'{cmd} > {to}')\n",
    "a constant one": "import os\n\nLS = 'ls -l'\n\ndef f():\n    return os.system(LS + ' /')\n",
    "one of a few": "import os\n\ndef f():\n    for one in ('a', 'b'):\n        os.system(f'ls {one}')\n",
    "quoted": "import os, shlex\n\ndef f(x):\n    return os.system('ls ' + shlex.quote(x))\n",
    "quoted before": "import os, shlex\n\ndef f(x):\n    x = shlex.quote(x)\n    return os.system(f'ls {x}')\n",
    "a number": "import os\n\ndef f(x):\n    return os.system(f'kill {int(x)}')\n",
    "a temporary name": "import os, tempfile\n\ndef f():\n    _, n = tempfile.mkstemp()\n    os.system('more ' + n)\n",
    "a file of its own": "import pickle\n\ndef f(p):\n    with open(p, 'rb') as s:\n        return pickle.load(s)\n",
    "its own cache": "import pickle\n\nclass C:\n    def f(self, key):\n        return pickle.loads(self.kept[key])\n",
    "signed": "import hmac, pickle\n\ndef f(data, mac):\n    if hmac.compare_digest(mac, make(data)):\n"
    "        return pickle.loads(data)\n",
    "bytecode": "import marshal\n\ndef f(data):\n    return marshal.loads(data)\n",
    "a digest for a name": "import hashlib\n\ndef key_of(path):\n    return hashlib.sha1(path.encode()).hexdigest()\n",
    "a filter chosen": "import tarfile\n\ndef f(p, to, how):\n    tarfile.open(p).extractall(to, filter=how)\n",
    "an old protocol": "import ftplib\n\ndef f(host):\n    return ftplib.FTP(host)\n",
    "escaped markup": "from markupsafe import Markup, escape\n\ndef f(x):\n    return Markup(f'<b>{escape(x)}</b>')\n",
    "the caller's markup": "from markupsafe import Markup\n\ndef f(x):\n    return Markup(x)\n",
    "another extra": "def f(stream):\n    return stream.extra('peer', None)\n",
    "a kind of token": "START_TOKEN = 'start'\n",
}


@pytest.mark.parametrize("name", MISUSED)
def test_misuse_is_proof(scan, name):
    report = scan({}, {"a.py": MISUSED[name]})
    assert [one.kind for one in report.observations] == ["vulnerability_introduced"]


@pytest.mark.parametrize("name", USED)
def test_use_is_a_finding_at_most(scan, name):
    report = scan({}, {"a.py": USED[name]})
    assert report.observations == ()
    assert report.faults == ()


def test_what_is_used_stays_a_finding_with_its_severity(scan):
    report = scan({}, {"a.py": "import os\n\ndef f(cmd):\n    return os.system(cmd)\n"})
    assert [(one.cwe, one.severity, one.confidence, one.dangerous) for one in report.findings] == [
        ("CWE-78", "critical", "low", False)
    ]


def test_a_function_with_a_dangerous_name_is_no_finding_in_the_file_that_defines_it(scan):
    report = scan({}, {"ftplib.py": "def parse(x):\n    return x\n\ndef f(x):\n    return parse(x)\n"})
    assert report.findings == ()


def test_quotation_marks_that_are_doubled_make_a_name_safe(scan):
    text = "def f(db, table):\n    name = table.replace('\"', '\"\"')\n    db.execute(f'SELECT * FROM \"{name}\"')\n"
    assert scan({}, {"a.py": text}).findings == ()
    assert [one.cwe for one in scan({}, {"a.py": text.replace(", '\"\"'", ", ''")}).findings] == ["CWE-89"]
