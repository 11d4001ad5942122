"""Whatever may happen to a vault with a daemon, in random order, for as long as wanted: edits of every kind, additions, forgetting,
folders that move, kills, git. Told by a seed, so that a run that went wrong can be done again.

usage: soak.py LOCI [--minutes M] [--seed N]

Every so often, and at the end: everything that was acknowledged is there, once; what was forgotten is not; the index is what a fresh
one is.
"""
import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

OPTIONS = argparse.ArgumentParser(description=__doc__.split("\n")[0])
OPTIONS.add_argument("loci")
OPTIONS.add_argument("--minutes", type=float, default=10)
OPTIONS.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
CHOSEN = OPTIONS.parse_args()
sys.argv = [sys.argv[0], CHOSEN.loci]

import world  # noqa: E402  takes the program's name from the command line
from running_daemon import RunningDaemon, until  # noqa: E402

CHECK_EVERY = 60
FOLDERS = ("", "work", "work/deep/er", "home")


class Wrong(Exception):
    pass


def claim(condition, *what):
    if not condition:
        raise Wrong(" ".join(map(str, what)))


class Soak:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.world = world.World()
        self.world.environment |= {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER")
                                   for what, value in (("NAME", "Soak"), ("EMAIL", "soak@example.org"))}
        self.world.environment |= {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_EDITOR": "true"}
        self.world.run("init", self.world.vault, "--git")
        self.git("checkout", "-q", "-b", "main")
        self.notes = {}  # file -> its lines
        self.ids = {}    # text of an acknowledged addition -> id
        self.gone = set()
        self.unsure = set()
        self.archive = {}
        self.count = 0
        self.done = {}
        self.daemon = RunningDaemon(self.world)

    def close(self):
        self.daemon.close()
        self.world.close()

    def text(self, what):
        self.count += 1
        return f"{what} number {self.count} of the soak."

    def git(self, *words, may_fail=False):
        done = subprocess.run(["git", "-C", str(self.world.vault), *words], env=self.world.environment, capture_output=True, text=True)
        claim("index.lock" not in done.stderr, "git met a lock of ours:", done.stderr)
        claim(may_fail or done.returncode == 0, "git", *words, done.stdout, done.stderr)
        return done.returncode == 0

    # --- saves by hand ---

    def some_note(self):
        if self.notes and self.rng.random() < 0.7:
            return self.rng.choice(sorted(self.notes))
        return str(os.path.join(self.rng.choice(FOLDERS), f"note{self.rng.randrange(6)}.md"))

    def changed_lines(self, name):
        lines = list(self.notes.get(name, []))
        for _ in range(self.rng.randrange(1, 4)):
            if lines and self.rng.random() < 0.4:
                lines.pop(self.rng.randrange(len(lines)))
            else:
                lines.insert(self.rng.randrange(len(lines) + 1), self.text("Line"))
        return lines

    def save(self, how):
        name = self.some_note()
        lines = self.changed_lines(name)
        file = self.world.vault / name
        file.parent.mkdir(parents=True, exist_ok=True)
        how(file, "".join(f"- {line}\n" for line in lines))
        self.notes[name] = lines

    def save_in_place(self):
        self.save(lambda file, text: file.write_text(text))

    def save_in_pieces(self):
        def write(file, text):
            with open(file, "w", encoding="utf-8") as out:
                for start in range(0, len(text), 20):
                    out.write(text[start:start + 20])
                    out.flush()

        self.save(write)

    def save_by_rename(self):
        def write(file, text):
            other = file.with_name(f"sed{os.urandom(3).hex()}")
            other.write_text(text)
            other.rename(file)

        self.save(write)

    def save_like_vim(self):
        def write(file, text):
            file.with_name("4913").touch()
            file.with_name("4913").unlink()
            if file.exists():
                file.rename(f"{file}~")
            file.touch()
            time.sleep(self.rng.random() * 0.01)
            with open(file, "w", encoding="utf-8") as out:
                out.write(text)
                out.flush()
                os.fsync(out.fileno())
            if os.path.exists(f"{file}~"):
                os.unlink(f"{file}~")

        self.save(write)

    def remove_note(self):
        if self.notes:
            name = self.rng.choice(sorted(self.notes))
            (self.world.vault / name).unlink()
            del self.notes[name]

    def move_folder(self):
        """Out of the vault, or to another name, and back."""
        folder = self.world.vault / self.rng.choice(FOLDERS[1:])
        if folder.is_dir():
            other = self.rng.choice((self.world.scratch / "outside", self.world.vault / "renamed"))
            folder.rename(other)
            time.sleep(self.rng.random() * 0.05)
            other.rename(folder)

    # --- loci's own ---

    def command(self, *words):
        done = subprocess.run(self.world.command("--json", *words), env=self.world.environment, capture_output=True, text=True, timeout=60 * world.SLOWNESS)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def add(self):
        text = self.text("Addition")
        self.ids[text] = self.world.add(text)

    def add_over_the_socket(self):
        text = self.text("Posted addition")
        status, answer = self.daemon.ask("POST", "/memory/entries", {"text": text})
        claim(status == 201, answer)
        self.ids[text] = answer["entries"][0]["id"]

    def take_addition(self):
        return self.rng.choice(sorted(self.ids)) if self.ids else None

    def forget(self):
        if text := self.take_addition():
            claim(self.command("forget", self.ids.pop(text)), "cannot forget", text)
            self.gone.add(text)

    def correct(self):
        if text := self.take_addition():
            new = self.text("Correction")
            answer = self.command("correct", self.ids.pop(text), new)
            claim(answer, "cannot correct", text)
            self.gone.add(text)
            self.ids[new] = answer["id"]

    def old_buffer(self):
        files = sorted((self.world.vault / "archive").glob("*.md"))
        if files:
            file = self.rng.choice(files)
            buffer = file.read_text()
            self.add()
            file.write_text(buffer)
            claim(until(lambda: file.read_text().startswith(buffer)), file)
            added = max(self.ids, key=lambda text: self.ids[text])
            claim(until(lambda: added in "".join(each.read_text() for each in files if each.exists())), added, "was cut off for good")

    def consolidate(self):
        if self.rng.random() < 0.4:
            run = self.world.start("consolidate", "--force", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(self.rng.random() * 0.05)
            run.kill()
            run.wait()
        self.world.run("consolidate", "--force")

    def rebuild(self):
        self.world.run("consolidate", "--rebuild")

    def consolidate_and_undo(self):
        self.add()
        answer = self.world.json("consolidate", "--force")
        claim(answer["ran"], answer)
        self.world.run("undo", answer["run"]["run"])

    # --- the process ---

    def kill(self):
        text = self.text("Addition while it is killed")
        adding = self.world.start("add", text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        time.sleep(self.rng.random() * 0.03)
        self.daemon.stop(signal.SIGKILL)
        printed, _ = adding.communicate()
        claim(adding.returncode == 0, "an addition failed because the daemon was killed")
        self.ids[text] = printed.strip()
        self.daemon = RunningDaemon(self.world)

    def restart(self):
        claim(self.daemon.stop() == 0, "it did not stop cleanly:", self.daemon.process.returncode)
        self.save_in_place()
        self.daemon = RunningDaemon(self.world)

    def doze(self):
        self.daemon.process.send_signal(signal.SIGSTOP)
        self.save_in_place()
        self.save_by_rename()
        self.daemon.process.send_signal(signal.SIGCONT)

    # --- git ---

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "All")

    def branch_and_back(self):
        """A branch with an edit of its own, which leaves the files and comes back by a merge or a rebase."""
        self.commit()
        self.git("checkout", "-q", "-B", "topic")
        self.save_in_place()
        self.commit()
        self.git("checkout", "-q", "main")
        self.git("commit", "-q", "--allow-empty", "-m", "Meanwhile")
        time.sleep(self.rng.random() * 0.05)
        if self.rng.random() < 0.5:
            self.git("merge", "-q", "--no-edit", "topic")
        else:
            self.git("rebase", "-q", "topic")

    def stash_and_pop(self):
        self.commit()
        self.save_in_place()
        if self.git("diff", "--quiet", may_fail=True):
            return
        self.git("stash", "-q")
        time.sleep(self.rng.random() * 0.05)
        self.git("stash", "pop", "-q")

    # --- proof ---

    def check(self):
        claim(not self.world.reported(), "a sanitizer found something wrong:", self.world.reported())
        self.world.run("status", "--wait")
        held = self.world.texts("--layer", "L0", "--layer", "L1")  # what was settled into another entry is history
        times = {text: held.count(text) for text in set(held)}
        wanted = set(self.ids) | {line for lines in self.notes.values() for line in lines}
        claim(all(count == 1 for count in times.values()), "more than once:", [text for text in times if times[text] > 1])
        claim(not wanted - set(times), "missing:", wanted - set(times))
        claim(not set(times) - wanted, "not expected:", set(times) - wanted)
        claim(not self.gone & set(times), "forgotten, and there:", self.gone & set(times))
        done = subprocess.run(self.world.command("doctor", "--json"), env=self.world.environment, capture_output=True, text=True)
        claim(json.loads(done.stdout)["differences"] == [], done.stdout)

    def compare_with_a_fresh_index(self):
        def without_numbers(entries):
            return sorted((entry["id"], entry["text"], entry["file"], entry["line"], entry["status"]) for entry in entries)

        self.world.run("status", "--wait")
        mine = without_numbers(self.world.entries("--inactive"))
        claim(self.daemon.stop() == 0, "it did not stop cleanly")
        shutil.rmtree(self.world.scratch / "state")
        fresh = without_numbers(self.world.entries("--inactive"))
        claim(mine == fresh, "differs from a fresh index:", set(mine) ^ set(fresh))

    def run(self, minutes):
        ways = {self.save_in_place: 8, self.save_in_pieces: 4, self.save_by_rename: 8, self.save_like_vim: 8, self.remove_note: 2,
                self.move_folder: 4, self.add: 8, self.add_over_the_socket: 8, self.forget: 4, self.correct: 4, self.old_buffer: 1, self.consolidate: 2, self.rebuild: 1, self.consolidate_and_undo: 1,
                self.kill: 2, self.restart: 1, self.doze: 1, self.commit: 2, self.branch_and_back: 2, self.stash_and_pop: 2}
        end = time.monotonic() + 60 * minutes
        steps = 0
        while time.monotonic() < end:
            way, = self.rng.choices(list(ways), ways.values())
            self.last = way.__name__
            way()
            self.done[self.last] = self.done.get(self.last, 0) + 1
            steps += 1
            if steps % CHECK_EVERY == 0:
                self.check()
        self.check()
        self.compare_with_a_fresh_index()
        return steps


def main():
    print(f"seed {CHOSEN.seed}", flush=True)
    soak = Soak(CHOSEN.seed)
    try:
        steps = soak.run(CHOSEN.minutes)
        print(f"{steps} steps in {CHOSEN.minutes:g} minutes, and all is there: {soak.done}")
        soak.close()
    except BaseException as problem:
        soak.daemon.close()
        print(f"after {sum(soak.done.values())} steps, in {getattr(soak, 'last', 'the beginning')}: {problem}", file=sys.stderr)
        print(f"soak.py LOCI --seed {CHOSEN.seed} does it again; what is left is in {soak.world.scratch}", file=sys.stderr)
        raise SystemExit(1) from problem


main()
