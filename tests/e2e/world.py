"""A vault with a state folder of its own, and the program run on it. Thrown away at the end; the real home is never touched."""
import contextlib
import errno
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

LOCI = sys.argv.pop(1) if len(sys.argv) > 1 else "loci"
# Tests that repeat something do it a tenth as often as the soak does; up to 10.
SCALE = min(10, max(1, int(os.environ.get("LOCI_TEST_SCALE", "1"))))


def is_sanitized(program):
    """Whether it was built with a sanitizer: it then wants its library, and the names of libraries stand at a program's beginning."""
    with open(shutil.which(program) or program, "rb") as binary:
        beginning = binary.read(1 << 20)
    return b"libasan.so" in beginning or b"libtsan.so" in beginning


# How many times longer than usual everything may take: a program that looks at each of its own steps is slow.
SLOWNESS = 10 if is_sanitized(LOCI) else 1


def files_below(root, *left_out):
    """Never looks into folders that are left out: in its own, git removes others while it tidies up."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(each for each in folders if each not in left_out)
        yield from (file for file in (pathlib.Path(folder, name) for name in sorted(names)) if file.is_file())


class World:
    def __init__(self, vault=None, host="testhost"):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="loci-e2e-"))
        self.vault = vault or self.scratch / "vault"
        self.vault.mkdir(exist_ok=True)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.scratch), "XDG_STATE_HOME": str(self.scratch / "state"),
            "XDG_CONFIG_HOME": str(self.scratch / "config"), "LOCI_HOST": host, "LANG": "C.UTF-8", "TZ": "UTC",
        }
        # To files: who reads what a daemon says last, and a killed program has no exit status that would tell.
        self.reports = self.scratch / "sanitizer"
        self.reports.mkdir()
        for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"):
            self.environment[name] = f"{os.environ.get(name, '')}:log_path={self.reports}/{name}:exitcode=66"  # no status of loci's own

    def close(self):
        for folder, _, _ in os.walk(self.scratch):
            os.chmod(folder, 0o700)
        reported = self.reported()
        self.remove()
        if reported:
            raise AssertionError(f"a sanitizer found something wrong:\n{reported}")

    def remove(self):
        """What a hook has left to others they may still be storing, into a folder that is just removed."""
        end = time.monotonic() + 60 * SLOWNESS
        while self.scratch.exists():
            try:
                shutil.rmtree(self.scratch)
            except OSError as error:
                if error.errno not in (errno.ENOTEMPTY, errno.ENOENT) or time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def reported(self):
        """What sanitizers found in any program that ran here, a daemon that was killed in the end as well."""
        found = [file.read_text(errors="replace") for file in sorted(self.reports.iterdir())]
        # Beside AddressSanitizer, undefined behaviour goes to stderr whatever the options say.
        for log in self.scratch.glob("daemon.log"):
            found += [line for line in log.read_text(errors="replace").splitlines() if ": runtime error: " in line]
        return "\n".join(found)

    def command(self, *words):
        return [LOCI, "--vault", str(self.vault), *map(str, words)]

    def start(self, *words, **options):
        return subprocess.Popen(self.command(*words), env=self.environment, text=True, **options)

    def run(self, *words, stdin="", code=0):
        """stdout; the exit status has to be `code`."""
        done = subprocess.run(self.command(*words), env=self.environment, capture_output=True, text=True, input=stdin, timeout=120 * SLOWNESS)
        if done.returncode != code:
            raise AssertionError(f"loci {' '.join(map(str, words))}: exit {done.returncode}, not {code}\n{done.stdout}\n{done.stderr}")
        self.messages = done.stderr
        return done.stdout

    def json(self, *words, **options):
        return json.loads(self.run("--json", *words, **options))

    def add(self, text, *options):
        return self.run("add", *options, "--", text).strip()

    def write(self, name, text):
        file = self.vault / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def read(self, name):
        return (self.vault / name).read_text(encoding="utf-8")

    def entries(self, *options):
        return self.json("list", "--limit", 100000, *options)["entries"]

    def texts(self, *options):
        return sorted(entry["text"] for entry in self.entries(*options))

    def found(self, *query):
        return [hit["text"] for hit in self.json("search", "--history", "--limit", 50, "--", *query)["hits"]]

    def tree(self):
        """Every byte of the vault outside .loci/ and .git/."""
        files = files_below(self.vault, ".loci", ".git")
        return {str(file.relative_to(self.vault)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}

    def files_that_hold(self, text):
        """Of the vault and of the state folder, git's own apart. What is put away while it is read may be elsewhere by then: it is looked for again."""
        while True:
            files = [file for root in (self.vault, self.scratch / "state") for file in files_below(root, ".git")]
            with contextlib.suppress(FileNotFoundError):
                return [str(file) for file in files if text.encode() in file.read_bytes()]

    def clone(self, host="otherhost"):
        """The same files on another machine, with nothing of this one's state."""
        other = World(host=host)
        shutil.rmtree(other.vault)
        shutil.copytree(self.vault, other.vault, symlinks=True)
        return other


class EndToEnd(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        self.world.run("init", self.world.vault)

    def clone(self, **options):
        other = self.world.clone(**options)
        self.addCleanup(other.close)
        return other
