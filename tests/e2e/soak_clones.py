"""Three clones of one vault and a bare repository between them: additions, edits by hand, forgetting, corrections, consolidation on
one of them, kills, commits, stashes, pulls and pushes, in random order. Told by a seed.

usage: soak_clones.py LOCI [--minutes M] [--seed N]

Every so often, and at the end, all of them pull and push until they stand at one commit. Then all three have the same entries: each
that was acknowledged, once, and none that was forgotten; and doctor is content.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import time

OPTIONS = argparse.ArgumentParser(description=__doc__.split("\n")[0])
OPTIONS.add_argument("loci")
OPTIONS.add_argument("--minutes", type=float, default=10)
OPTIONS.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
CHOSEN = OPTIONS.parse_args()
sys.argv = [sys.argv[0], CHOSEN.loci]

import world  # noqa: E402  takes the program's name from the command line
from edits_case import GIT  # noqa: E402
from running_daemon import RunningDaemon, until  # noqa: E402

CHECK_EVERY = 60
HOSTS = ("first", "second", "third")


class Wrong(Exception):
    pass


def claim(condition, *what):
    if not condition:
        raise Wrong(" ".join(map(str, what)))


class Clone:
    """One machine: a clone, and a daemon now and then."""

    def __init__(self, host, hub):
        self.host, self.world, self.daemon = host, world.World(host=host), None
        self.world.environment |= GIT
        self.world.vault.rmdir()
        self.git("clone", "-q", str(hub), str(self.world.vault), at=self.world.scratch)
        self.git("checkout", "-q", "-B", "main")
        self.notes = []  # lines of a note that only this one writes
        self.ids = {}    # text -> id, of what was added here and still holds

    def close(self):
        if self.daemon:
            self.daemon.close()
        self.world.close()

    def git(self, *words, at=None, may_fail=False):
        done = subprocess.run(["git", "-C", str(at or self.world.vault), *words], env=self.world.environment, capture_output=True, text=True)
        claim(may_fail or done.returncode == 0, self.host, "git", *words, done.stdout, done.stderr)
        return done.stdout.strip() or "\n" if done.returncode == 0 else ""

    def loci(self, *words):
        """What it answers; nothing if it refuses, as it does while git is in the middle of something."""
        done = subprocess.run(self.world.command("--json", *words), env=self.world.environment, capture_output=True, text=True, timeout=60 * world.SLOWNESS)
        claim(done.returncode in (0, 4, 5), self.host, *words, done.stdout, done.stderr)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def commit(self):
        for _ in range(5):  # a daemon may write between the two
            self.git("add", "-A", may_fail=True)
            self.git("commit", "-q", "-m", "All", may_fail=True)
            if not self.git("status", "--porcelain").strip():
                return

    def pull(self):
        self.commit()
        if not self.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main", may_fail=True):
            self.settle_conflicts()

    def settle_conflicts(self):
        for name in self.git("diff", "--name-only", "--diff-filter=U").split("\n"):
            if not name.strip():
                continue
            if self.loci("resolve", name) is None and self.loci("resolve", "--ours", name) is None:  # one that a person has to put together: both sides stay
                file = self.world.vault / name
                marks = ("<<<<<<< ", "=======", ">>>>>>> ", "||||||| ")
                file.write_text("".join(line for line in file.read_text().splitlines(keepends=True) if not line.startswith(marks)))
        self.git("add", "-A")
        self.git("commit", "-q", "--no-edit", "--allow-empty", "-m", "Merged")

    def push(self):
        return bool(self.git("push", "-q", "origin", "main", may_fail=True))


class Soak:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.hub = world.World()
        self.clones, self.count, self.done, self.gone = [], 0, {}, set()
        environment = {**self.hub.environment, **GIT}
        repository = self.hub.scratch / "hub.git"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", repository], env=environment, check=True)
        for host in HOSTS:
            clone = Clone(host, repository)
            self.clones.append(clone)
            if host == HOSTS[0]:
                clone.world.run("init", "--git", clone.world.vault)
                clone.world.run("config", "primary", host)
                clone.commit()
                clone.git("push", "-q", "-u", "origin", "main")
            clone.world.run("status")

    def close(self):
        for clone in self.clones:
            clone.close()
        self.hub.close()

    def text(self, what):
        self.count += 1
        return f"{what} zq{self.count}x of the soak."

    # --- acts ---

    def add(self, clone):
        text = self.text("Addition")
        clone.ids[text] = clone.world.add(text)

    def write_note(self, clone):
        lines = clone.notes
        if lines and self.rng.random() < 0.3:
            lines.pop(self.rng.randrange(len(lines)))
        else:
            lines.insert(self.rng.randrange(len(lines) + 1), self.text("Line"))
        clone.world.write(f"notes/{clone.host}.md", "".join(f"- {line}\n" for line in lines))

    def forget(self, clone):
        if clone.ids:
            text = self.rng.choice(sorted(clone.ids))
            if clone.loci("forget", clone.ids[text]):
                del clone.ids[text]
                self.gone.add(text)

    def correct(self, clone):
        if clone.ids:
            text, new = self.rng.choice(sorted(clone.ids)), self.text("Correction")
            if answer := clone.loci("correct", clone.ids[text], new):
                del clone.ids[text]
                self.gone.add(text)
                clone.ids[new] = answer["id"]

    def consolidate(self, clone):
        self.clones[0].loci("consolidate", "--force")

    def kill_a_run(self, clone):
        run = self.clones[0].world.start("consolidate", "--force", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(self.rng.random() * 0.05)
        run.kill()
        run.wait()

    def commit(self, clone):
        clone.commit()

    def pull(self, clone):
        clone.pull()

    def push(self, clone):
        clone.commit()
        if not clone.push():
            clone.pull()
            clone.push()

    def stash_and_pop(self, clone):
        if clone.daemon:
            return
        if "No local" not in clone.git("stash"):
            clone.git("stash", "pop")

    def daemon(self, clone):
        """Comes, or goes."""
        if clone.daemon:
            clone.daemon.stop()
            clone.daemon = None
        else:
            clone.daemon = RunningDaemon(clone.world)

    # --- proof ---

    def meet(self):
        """Until all stand at one commit."""
        for _ in range(12):
            for clone in self.clones:
                clone.pull()
                clone.push()
            if len({clone.git("rev-parse", "HEAD") for clone in self.clones}) == 1:
                return
        claim(False, "they do not come together:", [clone.git("log", "--oneline", "-3") for clone in self.clones])

    def check(self):
        self.meet()
        texts = {}

        def alike():
            for clone in self.clones:
                clone.world.run("status", "--wait")
                texts[clone.host] = clone.world.texts("--layer", "L0", "--layer", "L1")
            return len({tuple(sorted(each)) for each in texts.values()}) == 1

        claim(until(alike), "they say different things:",
              {host: sorted(set(texts[host]) ^ set(texts[HOSTS[0]])) for host in HOSTS})
        held = texts[HOSTS[0]]
        wanted = {text for clone in self.clones for text in (*clone.ids, *clone.notes)}
        claim(not wanted - set(held), "missing:", sorted(wanted - set(held)))
        claim(not self.gone & set(held), "forgotten, and there:", sorted(self.gone & set(held)))
        twice = sorted(text for text in wanted if held.count(text) != 1)
        claim(not twice, "not once:", twice)
        for clone in self.clones:
            facts = clone.world.json("status")["facts"]
            claim(facts["total"] == facts["pending"] + facts["settled"] + facts["deleted"], clone.host, facts)
            done = subprocess.run(clone.world.command("doctor", "--json"), env=clone.world.environment, capture_output=True, text=True)
            claim(json.loads(done.stdout)["differences"] == [], clone.host, done.stdout)
            claim(not clone.world.reported(), clone.world.reported())

    def run(self, minutes):
        ways = {self.add: 10, self.write_note: 5, self.forget: 2, self.correct: 2, self.consolidate: 2, self.kill_a_run: 1, self.commit: 3,
                self.pull: 3, self.push: 3, self.stash_and_pop: 1, self.daemon: 1}
        end, steps = time.monotonic() + 60 * minutes, 0
        while time.monotonic() < end:
            way, = self.rng.choices(list(ways), ways.values())
            self.last = way.__name__
            way(self.rng.choice(self.clones))
            self.done[self.last] = self.done.get(self.last, 0) + 1
            steps += 1
            if steps % CHECK_EVERY == 0:
                self.last = "check"
                self.check()
        self.last = "check"
        self.check()
        return steps


def main():
    print(f"seed {CHOSEN.seed}", flush=True)
    soak = Soak(CHOSEN.seed)
    try:
        steps = soak.run(CHOSEN.minutes)
        print(f"{steps} steps in {CHOSEN.minutes:g} minutes, and all three agree: {soak.done}")
        soak.close()
    except BaseException as problem:
        print(f"after {sum(soak.done.values())} steps, in {getattr(soak, 'last', 'the beginning')}: {problem}", file=sys.stderr)
        print(f"soak_clones.py LOCI --seed {CHOSEN.seed} does it again; what is left is in {[str(clone.world.scratch) for clone in soak.clones]}",
              file=sys.stderr)
        for clone in soak.clones:
            if clone.daemon:
                clone.daemon.close()
        raise SystemExit(1) from problem


main()
