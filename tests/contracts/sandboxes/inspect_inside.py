"""Runs inside a sandbox and prints everything that code there can write, read, reach or hold."""

import json
import os
import resource
import stat
import sys


def writable():
    """Folders where a file can be made, and other things that can be opened for writing."""
    folders, others = [], []
    for top, names, files in os.walk("/"):
        if top == "/":
            names[:] = [name for name in names if name != "proc"]
        if os.access(top, os.W_OK):
            try:
                open(os.path.join(top, ".probe"), "w").close()
                os.remove(os.path.join(top, ".probe"))
                folders.append(top)
            except OSError as error:
                folders.append(f"{top} ({error.errno})")
        for name in files:
            path = os.path.join(top, name)
            if os.path.islink(path) or top in folders:
                continue
            try:
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY))
                others.append(path)
            except OSError:
                continue
    return sorted(folders), sorted(others)


def changeable():
    """Attempts to change the file system's layout or the agent."""
    tries = {
        "chmod /": lambda: os.chmod("/", 0o777),
        "mkdir /new": lambda: os.mkdir("/new"),
        "unlink /etc/passwd": lambda: os.unlink("/etc/passwd"),
        "write /proc/sys": lambda: open("/proc/sys/kernel/hostname", "w").write("x"),
        "read agent memory": lambda: open("/proc/1/mem", "rb").read(1),
        "read agent environment": lambda: open("/proc/1/environ", "rb").read(),
        "list agent descriptors": lambda: os.listdir("/proc/1/fd"),
        "read agent root": lambda: os.listdir("/proc/1/root/"),
        "write agent score": lambda: open("/proc/1/oom_score_adj", "w").write("1000"),
        "become root": lambda: os.setuid(0),
        "mknod": lambda: os.mknod("/tmp/device", stat.S_IFBLK | 0o600, os.makedev(254, 0)),
        "open kernel memory": lambda: open("/dev/kmsg", "rb"),
        "raise processes": lambda: resource.setrlimit(resource.RLIMIT_NPROC, (10**6, 10**6)),
    }
    done = []
    for name, action in tries.items():
        try:
            action()
        except (OSError, ValueError):
            continue
        done.append(name)
    return done


def holding(words):
    """Readable files whose content or path has one of the words."""
    found = []
    for top, names, files in os.walk("/"):
        if top in {"/usr/bin", "/usr/sbin", "/usr/libexec", "/usr/share", "/proc"}:
            names[:] = []
            continue
        if top == "/usr/lib":
            names[:] = [name for name in names if name.startswith("python")]
        for name in files + names:
            path = os.path.join(top, name)
            if any(word in path for word in words):
                found.append(path)
        for name in files:
            path = os.path.join(top, name)
            try:
                if not stat.S_ISREG(os.lstat(path).st_mode) or os.path.getsize(path) > 1 << 18:
                    continue
                with open(path, "rb") as handle:
                    data = handle.read()
            except OSError:
                continue
            found += [path for word in words if word.encode() in data]
    return sorted(set(found))


def processes():
    """Command lines of all visible processes but this one."""
    lines = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            with open(f"/proc/{name}/cmdline", "rb") as handle:
                lines.append(handle.read().replace(b"\0", b" ").decode().strip())
    return sorted(lines)


def sockets():
    """Sockets of this network namespace that are bound or connected."""
    count = 0
    for name in ("tcp", "tcp6", "udp", "udp6", "raw", "packet"):
        with open(f"/proc/net/{name}") as handle:
            count += len(handle.readlines()) - 1
    with open("/proc/net/unix") as handle:
        paths = [line.split()[7] for line in handle.readlines()[1:] if len(line.split()) > 7]
    return count, paths


def main():
    words = json.loads(sys.argv[1])
    with open("/proc/self/status") as handle:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in handle if ":\t" in line)
    folders, others = writable()
    count, paths = sockets()
    with open("/proc/net/dev") as handle:
        interfaces = sorted(line.split(":")[0].strip() for line in handle if ":" in line)
    print(
        json.dumps(
            {
                "writable_folders": folders,
                "writable_others": others,
                "changeable": changeable(),
                "descriptors": sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1],
                "processes": processes(),
                "inet_sockets": count,
                "unix_paths": paths,
                "interfaces": interfaces,
                "capabilities": {name: status[name].strip("0") for name in status if name.startswith("Cap")},
                "no_new_privileges": status["NoNewPrivs"],
                "filter": status["Seccomp"],
                "groups": status["Groups"].split(),
                "environment": sorted(os.environ),
                "holding": holding(words),
                "top": sorted(os.listdir("/")),
                "etc": sorted(os.listdir("/etc")),
            }
        )
    )


main()
