"""Every system call of a command that writes fails once, with ENOSPC, with EIO, or by a SIGKILL just before it.

usage: fault_test.py LOCI FAIL_CALL_LIBRARY ENOSPC|EIO|KILL

After each fault, without it: what was acknowledged is there once, what was not is there once or not at all, every other byte of
the vault is as it was, the archive's old content is a prefix of the new, and doctor finds the index equal to a fresh one.
LOCI_TEST_SCALE (default 1) is how many tenths of all the calls are tried.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

LOCI, LIBRARY, FAULT = sys.argv[1:]
SCALE = min(10, int(os.environ.get("LOCI_TEST_SCALE", "1")))
STEP = max(1, 10 // SCALE) if SCALE < 10 else 1


class World:
    """A vault with its state folder, thrown away at the end."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.vault = self.folder / "vault"
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "XDG_STATE_HOME": str(self.folder / "state"),
            "XDG_CONFIG_HOME": str(self.folder / "config"), "LOCI_HOST": "testhost", "LANG": "C.UTF-8", "TZ": "UTC",
        }

    def copy(self, folder):
        shutil.copytree(self.folder, folder, symlinks=True)
        return World(folder)

    def run(self, *command, fail=None, count_file=None, stdin=None):
        environment = dict(self.environment)
        if fail is not None:
            environment |= {"LD_PRELOAD": LIBRARY, "FAIL_CALL": str(fail), "FAIL_WITH": FAULT}
            if FAULT == "ENOSPC":
                environment["FAIL_STICKY"] = "1"
            if count_file:
                environment["FAIL_COUNT_FILE"] = str(count_file)
        return subprocess.run([LOCI, "--vault", str(self.vault), *command], env=environment, capture_output=True, text=True,
                              timeout=60, input=stdin)

    def json(self, *command):
        done = self.run("--json", *command)
        if done.returncode != 0:
            raise AssertionError(f"{command}: exit {done.returncode}: {done.stderr}{done.stdout}")
        return json.loads(done.stdout)

    def texts(self):
        """The active texts that hold now, as often as they are listed; what was settled into another entry is history."""
        return sorted(entry["text"] for entry in self.json("list", "--limit", "1000")["entries"] if entry["layer"] != "L2")

    def memory_files(self):
        return {str(file.relative_to(self.vault)): file.read_bytes()
                for file in sorted(self.vault.rglob("*.md")) if ".loci" not in file.parts}


KEPT = "The build machine is called heron."
OLD = "Deploys to AWS happen on Fridays."
NEW = "Deploys to AWS happen on Mondays."
ADDED = "The zebrafish tank is cleaned on Sundays."
CONSOLIDATED = "The user prefers tea."


def prepare(folder):
    world = World(folder)
    world.vault.mkdir(parents=True)
    world.run("init", str(world.vault))
    (world.vault / "consolidated/memory.md").write_text(
        '# Memory\n\n<!--m {"id":"k1","first_seen":"2026-01-02","updated":"2026-01-02","sources":["2026-01-02"],"source":"user"}-->\n'
        + CONSOLIDATED + "\n\nTyped by a person.\n", encoding="utf-8")
    world.run("add", KEPT)
    world.run("add", OLD)
    world.old_id = next(e["id"] for e in world.json("list", "--limit", "1000")["entries"] if e["text"] == OLD)
    return world


def commands(old_id):
    """name -> (command, texts that appear, texts that disappear)"""
    return {
        "add": (["add", ADDED], [ADDED], []),
        "forget": (["forget", old_id], [], [OLD]),
        "forget-consolidated": (["forget", "k1"], [], [CONSOLIDATED]),
        "correct": (["correct", old_id, NEW], [NEW], [OLD]),
        "correct-consolidated": (["correct", "k1", "The user prefers coffee."], ["The user prefers coffee."], [CONSOLIDATED]),
        "reindex": (["reindex", "--clear"], [], []),
    }


def check(world, before, name, call, done, appears, disappears):
    where = f"{name}, call {call}: exit {done.returncode}, {done.stderr.strip()!r}"
    texts = world.texts()
    acknowledged = done.returncode == 0
    # What takes away and what adds are two facts; each is whole.
    for text in appears:
        # Cut off before its ledger line (which is told), a correction stands as the fact and as the entry that rests on it.
        most = 2 if name == "correct-consolidated" and (done.stderr or not acknowledged) else 1
        allowed = range(1 if acknowledged else 0, most + 1)
        assert texts.count(text) in allowed, f"{where}: {text!r} stands {texts.count(text)} times"
    for text in disappears:
        allowed = (0,) if acknowledged else (0, 1)
        assert texts.count(text) in allowed, f"{where}: {text!r} stands {texts.count(text)} times"
    if appears and disappears:
        assert texts.count(appears[0]) + texts.count(disappears[0]) >= 1, f"{where}: both versions are gone"
    others = [t for t in before["texts"] if t not in disappears]
    assert [t for t in texts if t not in appears and t not in disappears] == others, f"{where}: other entries changed: {texts}"
    now = world.memory_files()
    for file, old in before["files"].items():
        if file.startswith("archive/"):
            assert now.get(file, b"").startswith(old), f"{where}: {file} lost what it held"
        elif not file.startswith("consolidated/"):
            assert now.get(file) == old, f"{where}: {file} changed"
    doctor = json.loads(world.run("--json", "doctor").stdout)
    # The line of a log that was never acknowledged may be torn: it does not count, and is reported. So is what a forget left in a
    # file when it was cut off behind its tombstone.
    told = ("torn-line", "broken-line", "forgotten-text", "forgotten-line", "stands-after-forget", "unfinished-change")
    unexpected = [problem for problem in doctor["problems"] if problem["code"] not in told]
    assert not doctor["differences"] and not unexpected, f"{where}: doctor: {doctor}"
    if FAULT != "KILL" and not acknowledged:
        assert done.stderr.strip(), f"{where}: failed without a word"
        assert done.returncode in (1, 4, 5), where


def retry(world, name, command, appears, disappears):
    """The person tries again: the end is as if nothing had happened."""
    done = world.run(*command)
    # A forget or correct whose first try went through in part finds its target gone (3): that is an answer.
    assert done.returncode in (0, 3), f"{name}, again: exit {done.returncode}: {done.stderr}"
    texts = world.texts()
    if name == "add":
        assert texts.count(ADDED) in (1, 2), texts  # said twice is two memories, unless the first never was
    for text in disappears:
        assert texts.count(text) == 0, f"{name}, again: {text!r} is still there"


def outcome(world):
    """What a run of consolidation leaves, whenever and however often it was started."""
    status = world.json("status")
    assert status["facts"]["pending"] == 0, status["facts"]
    return {"texts": world.texts(), "consolidated": world.memory_files()["consolidated/memory.md"], "core": world.memory_files()["MEMORY.md"]}


def check_consolidation(world, before, wanted, call, done):
    """Nothing is lost at any moment, and the next run ends as an uninterrupted one does."""
    where = f"consolidate, call {call}: exit {done.returncode}, {done.stderr.strip()!r}"
    for text in before["texts"]:
        assert world.texts().count(text) in (1, 2), f"{where}: {text!r} stands {world.texts().count(text)} times"
    facts = world.json("status")["facts"]
    assert facts["total"] == facts["pending"] + facts["settled"] + facts["deleted"], f"{where}: {facts}"
    for file, old in before["files"].items():
        if file.startswith("archive/"):
            assert world.memory_files()[file] == old, f"{where}: {file} changed"
    again = world.run("consolidate", "--force")
    assert again.returncode == 0, f"{where}; again: exit {again.returncode}: {again.stderr}"
    assert outcome(world) == wanted, f"{where}: {outcome(world)} is not {wanted}"
    doctor = json.loads(world.run("--json", "doctor").stdout)
    unexpected = [problem for problem in doctor["problems"] if problem["code"] not in ("torn-line", "broken-line")]
    assert not doctor["differences"] and not unexpected, f"{where}: doctor: {doctor}"


def try_consolidation(world, before, scratch, tried):
    calm = world.copy(scratch / "calm")
    count_file = scratch / "count"
    done = calm.run("consolidate", "--force", fail=0, count_file=count_file)
    assert done.returncode == 0, done.stderr
    wanted, calls = outcome(calm), int(count_file.read_text())
    assert CONSOLIDATED in wanted["texts"] and KEPT in wanted["texts"], wanted
    for call in range(1 + tried % STEP, calls + 1, STEP):
        broken = world.copy(scratch / "broken")
        done = broken.run("consolidate", "--force", fail=call)
        check_consolidation(broken, before, wanted, call, done)
        shutil.rmtree(scratch / "broken")
        tried += 1
    return tried


def main():
    tried = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        world = prepare(scratch / "origin")
        before = {"texts": world.texts(), "files": world.memory_files()}
        for name, (command, appears, disappears) in commands(world.old_id).items():
            count_file = scratch / "count"
            clean = world.copy(scratch / "clean")
            done = clean.run(*command, fail=0, count_file=count_file)
            assert done.returncode == 0, f"{name}: exit {done.returncode}: {done.stderr}"
            check(clean, before, name, 0, done, appears, disappears)
            calls = int(count_file.read_text())
            assert calls >= 3, f"{name} made {calls} calls: the preloaded library does not see them"
            shutil.rmtree(scratch / "clean")
            for call in range(1 + tried % STEP, calls + 1, STEP):
                broken = world.copy(scratch / "broken")
                done = broken.run(*command, fail=call, count_file=count_file)
                # Of a run that ends before that call, as its clock ticked at another moment, nothing can be killed any more.
                if FAULT == "KILL" and done.returncode != -9:
                    made = int(count_file.read_text())
                    assert done.returncode == 0 and made < call, f"{name}, call {call} of {made}: was not killed: {done.returncode}"
                check(broken, before, name, call, done, appears, disappears)
                retry(broken, name, command, appears, disappears)
                shutil.rmtree(scratch / "broken")
                tried += 1
        tried = try_consolidation(world, before, scratch, tried)
    assert tried >= 10, f"only {tried} faults were tried"
    print(f"{tried} faults of {FAULT}: nothing was lost")


main()
