"""Real editors save a file while loci replaces it: no save is lost.

usage: editors_test.py REPLACE_LOOP NO_NAP_LIBRARY FOLDER [--loci PROGRAM] [EDITOR...]

Each save puts a line of its own above what the editor last read. At the end every line stands in the file, in a conflict file or in a
file that a replace displaced; and a day later nothing of those is left behind.

With --loci the file is consolidated/memory.md, and what rewrites it are runs of consolidation, corrections and deletions, one after
the other. Then every line has to stand in the file or in a conflict file.

FOLDER is not below /tmp: vim and emacs make no backup there, and so save in another way than in a person's home.
LOCI_TEST_SCALE=10 makes 5,000 saves with each editor (20,000 in all against runs), and goes on until loci has replaced the file 2,000
times; otherwise a few.
"""
import json
import os
import pathlib
import pty
import random
import re
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time

LOOP, NO_NAP, FOLDER = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
LOCI = sys.argv[5] if sys.argv[4:5] == ["--loci"] else ""
ONLY = sys.argv[6 if LOCI else 4:]
SCALE = max(1, int(os.environ.get("LOCI_TEST_SCALE", "1")))
FULL = SCALE >= 10
SAVES = (3000 if LOCI else 5000) if FULL else 40 * SCALE
REPLACES = (500 if LOCI else 2000) if FULL else 1
A_ROUND = 250  # saves in one vault

PACE = random.Random(7)

ENVIRONMENT = {"PATH": os.environ["PATH"], "TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}


def run(command, file, more=None, check=True):
    """An editor in the folder of its file, with nobody's settings."""
    environment = ENVIRONMENT | {"HOME": str(file.parent)} | (more or {})
    return subprocess.run(command, cwd=file.parent, env=environment, check=check, timeout=600, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


EMACS = """
(load "userlock" nil t)
(fset 'ask-user-about-supersession-threat #'ignore)
(fset 'yes-or-no-p (lambda (&rest _) t))
(fset 'y-or-n-p (lambda (&rest _) t))
(setq create-lockfiles nil)
(find-file (getenv "FILE"))
(dolist (token (split-string (getenv "TOKENS")))
  (condition-case nil (revert-buffer t t t) (error nil))
  (goto-char (point-min))
  (insert (replace-regexp-in-string "_" " " token) "\\n")
  (set-buffer-modified-p t)
  (save-buffer)
  (sleep-for (* 0.00004 (random 1000))))
"""


def emacs(file, tokens):
    names = {"FILE": file.name, "TOKENS": " ".join(token.replace(" ", "_") for token in tokens)}
    done = run(["emacs", "-Q", "-nw", "--batch", "--eval", f"(progn {EMACS})"], file, more=names, check=False)
    assert done.returncode == 0, done.stdout[:1000]


def paced(tokens):
    """One after the other, with a moment between them as with a person who is quick: loci gets its turn."""
    for token in tokens:
        time.sleep(PACE.random() * 0.04)
        yield token


class Terminal:
    """A program at a terminal: types, and waits for what it shows."""

    def __init__(self, command, folder, environment):
        self.child, self.screen = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        self.shown = b""

    def type(self, keys):
        os.write(self.screen, keys)

    def wait_for(self, pattern, seconds=20):
        deadline = time.monotonic() + seconds
        while True:
            found = re.search(pattern, self.shown)
            if found:
                self.shown = self.shown[found.end():]
                return found.group()
            if not select.select([self.screen], [], [], max(0, deadline - time.monotonic()))[0]:
                raise AssertionError(f"waited for {pattern}, saw {self.shown[-400:]}")
            self.shown += os.read(self.screen, 65536)

    def end(self):
        try:
            while os.read(self.screen, 65536):
                pass
        except OSError:
            pass  # its end
        os.waitpid(self.child, 0)
        os.close(self.screen)


def vim(file, tokens):
    """Reads what is there now, adds a line, writes it: by taking the file away and making it anew."""
    terminal = Terminal(["vim.tiny", "-u", "NONE", "-n", "-c", "set nocompatible backupcopy=no", file.name], file.parent,
                        ENVIRONMENT | {"HOME": str(file.parent)})
    for token in paced(tokens):
        terminal.type(b":e!\rggO" + token.encode() + b"\033:w!\r")
        if terminal.wait_for(rb"B written|\(y/n\)") != b"B written":  # it has changed since it was read
            terminal.type(b"y")
            terminal.wait_for(rb"B written")
    terminal.type(b":qa!\r")
    terminal.end()


def nano(file, tokens):
    """Reads the file once and saves a few times: at the end its buffer is older than what loci wrote."""
    for start in range(0, len(tokens), 5):
        terminal = Terminal(["nano", "-I", file.name], file.parent,
                            ENVIRONMENT | {"HOME": str(file.parent), "LD_PRELOAD": NO_NAP})
        terminal.wait_for(rb"\^X")
        for token in paced(tokens[start:start + 5]):
            terminal.type(b"\033\\" + token.encode() + b"\r\017")  # to the top, the line, write out
            terminal.wait_for(rb"File Name to Write")
            terminal.type(b"\r")
            if not terminal.wait_for(rb"Wrote \d+ line|continue saving").startswith(b"Wrote"):
                terminal.type(b"y")
                terminal.wait_for(rb"Wrote \d+ line")
        terminal.type(b"\030")
        terminal.end()


def sed(file, tokens):
    for token in paced(tokens):
        run(["sed", "-i", f"1i {token}", file.name], file)


def write_in_place(file, text):
    """Truncates, and writes in pieces of 1 KB."""
    with open(file, "wb", buffering=0) as out:
        for start in range(0, len(text), 1024):
            out.write(text[start:start + 1024])


def write_and_rename(file, text):
    saved = file.with_name(".saved")
    saved.write_bytes(text)
    saved.rename(file)


def now_and_then(write):
    """Reads the file anew only now and then, as an editor does."""
    def save(file, tokens):
        for number, token in enumerate(paced(tokens)):
            text = f"{token}\n".encode() + (file.read_bytes() if number % 5 == 0 else text)
            write(file, text)
    return save


def like_code(write):
    """Takes in what others wrote while its buffer has no changes, and overwrites what was written since the first one."""
    def save(file, tokens):
        text, known = b"", None
        for token in paced(tokens):
            found = file.stat()
            if (found.st_mtime_ns, found.st_size) != known:
                text = file.read_bytes()
            text = f"{token}\n".encode() + text
            time.sleep(PACE.random() * 0.02)  # typing
            write(file, text)
            written = file.stat()
            known = (written.st_mtime_ns, written.st_size) if written.st_size == len(text) else None
    return save


EDITORS = {"vim": vim, "emacs": emacs, "nano": nano, "sed -i": sed, "in place": now_and_then(write_in_place),
           "by renaming": now_and_then(write_and_rename), "code, in place": like_code(write_in_place),
           "code, by renaming": like_code(write_and_rename)}
FILLER = "".join(f"Line {number} of what a person wrote before all this.\n" for number in range(100))


def lines_of(files):
    lines = set()
    for file in files:
        lines.update(file.read_text(encoding="utf-8", errors="replace").splitlines())
    return lines


class Replaces:
    """Replaces a note as fast as it can."""
    file = "notes/a.md"

    def __init__(self, vault):
        (vault / self.file).parent.mkdir(parents=True)
        (vault / self.file).write_text(FILLER, encoding="utf-8")
        self.loop = subprocess.Popen([LOOP, "loop", str(vault), self.file], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def stop(self):
        output, _ = self.loop.communicate(timeout=60)
        assert self.loop.returncode == 0
        return json.loads(output)


class Runs:
    """Settles a fact, corrects it and forgets it, again and again."""
    file = "consolidated/memory.md"

    def __init__(self, vault):
        home = vault.parent / "home"
        self.environment = ENVIRONMENT | {"HOME": str(home), "XDG_STATE_HOME": str(home), "XDG_CONFIG_HOME": str(home),
                                          "LOCI_HOST": "editors", "LOCI_VAULT": str(vault)}
        self.result = {"replaced": 0, "refused": 0}
        self.run("init", str(vault))
        (vault / self.file).write_text(FILLER + "\n", encoding="utf-8")
        self.run("add", "What was known before all this.")
        self.run("consolidate", "--force")
        self.enough = threading.Event()
        self.worker = threading.Thread(target=self.work)
        self.worker.start()

    def run(self, *words):
        done = subprocess.run([LOCI, *words], env=self.environment, capture_output=True, text=True, timeout=600)
        assert done.returncode in (0, 5), (words, done)  # 5: a save came first
        return done.stdout.split() if done.returncode == 0 else None

    def work(self):
        number = 0
        while not self.enough.is_set():
            number += 1
            fact, = self.run("add", f"Fact {number} of a program.")
            done = [self.run("consolidate", "--force"), self.run("correct", fact, f"Correction {number} of it.")]
            if done[-1]:
                done.append(self.run("forget", done[-1][0]))
            self.result["replaced"] += sum(each is not None for each in done)
            self.result["refused"] += sum(each is None for each in done)

    def stop(self):
        self.enough.set()
        self.worker.join()
        return self.result


def play_round(vault, save, tokens):
    """What loci did, and the saves that stand nowhere."""
    opponent = (Runs if LOCI else Replaces)(vault)
    file = vault / opponent.file
    try:
        save(file, tokens)
    finally:
        result = opponent.stop()

    conflicts = lambda: [f for f in file.parent.iterdir() if ".loci-conflict-" in f.name]
    temporary = [f for f in (vault / ".loci/tmp").iterdir() if f.suffix != ".target"]
    assert all(".kept-" in f.name for f in temporary), temporary
    now = lines_of([file, *conflicts(), *temporary])
    settled = json.loads(subprocess.run([LOOP, "settle", str(vault)], check=True, stdout=subprocess.PIPE).stdout)
    assert not settled["kept"], settled
    if LOCI:
        now = lines_of([file, *conflicts()])
    result["conflicts"] = len(conflicts())
    result["lost"] = [token for token in tokens if token not in now]
    left = list((vault / ".loci/tmp").iterdir())
    assert not left, left
    return result


def play(name, save):
    saves = replaced = refused = conflicts = 0
    while saves < SAVES or replaced < REPLACES:
        tokens = [f"save {saves + number} of {name}" for number in range(min(A_ROUND, SAVES))]
        vault = pathlib.Path(tempfile.mkdtemp(dir=FOLDER)) / "vault"
        result = play_round(vault, save, tokens)
        where = f"{name}, in {vault}"
        assert not result["lost"], f"{where}: lost: {result['lost']}"
        shutil.rmtree(vault.parent)
        saves += len(tokens)
        replaced += result["replaced"]
        refused += result["refused"]
        conflicts += result["conflicts"]
    print(f"{name}: {saves} saves against {replaced} replaces, {refused} that gave way, {conflicts} conflict files; none is lost",
          flush=True)


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    assert not str(FOLDER.resolve()).startswith("/tmp/"), "vim and emacs save in another way below /tmp"
    for name, save in EDITORS.items():
        if ONLY and name not in ONLY:
            continue
        program = {"vim": "vim.tiny", "nano": "nano", "emacs": "emacs", "sed -i": "sed"}.get(name)
        if program and not shutil.which(program):
            raise SystemExit(f"{program} is not there: scripts/install-packages installs it")
        play(name, save)


main()
