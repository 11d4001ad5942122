"""Three machines with one vault, a phone that has only git, and a bare repository between them: additions, edits by hand, forgetting,
corrections, consolidation, kills in the middle of a sync, in random order. Told by a seed.

usage: sync_walk.py LOCI [--rounds R] [--steps S] [--seed N] [--clock LIBRARY]

After each round everybody syncs until nothing moves. Then all have the same files, every acknowledged entry once, nothing that was
forgotten, and doctor is content. With --clock the machines' clocks are five hours apart.
"""
import argparse
import json
import os
import random
import struct
import subprocess
import sys
import time

OPTIONS = argparse.ArgumentParser(description=__doc__.split("\n")[0])
OPTIONS.add_argument("loci")
OPTIONS.add_argument("--rounds", type=int, default=50)
OPTIONS.add_argument("--steps", type=int, default=20)
OPTIONS.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
OPTIONS.add_argument("--clock")
OPTIONS.add_argument("--report", type=int, default=10)
CHOSEN = OPTIONS.parse_args()
sys.argv = [sys.argv[0], CHOSEN.loci]

import world  # noqa: E402  takes the program's name from the command line
from edits_case import GIT  # noqa: E402

HOSTS = ("first", "second", "third")
APART = 5 * 3600  # seconds between two clocks


class Wrong(Exception):
    pass


def claim(condition, *what):
    if not condition:
        raise Wrong(" ".join(map(str, what)))


class Machine:
    def __init__(self, host, hub, offset):
        self.host, self.world = host, world.World(host=host)
        self.world.environment |= GIT
        if CHOSEN.clock:
            moved = self.world.scratch / "clock"
            moved.write_bytes(struct.pack("=4q", 1, offset * 10**9, 0, 0).ljust(4096, b"\0"))  # as moved_clock.c reads it
            self.world.environment |= {"LD_PRELOAD": CHOSEN.clock, "MOVED_CLOCK": str(moved)}
        self.vault, self.hub = self.world.vault, hub

    def clone(self):
        self.vault.rmdir()
        self.git("clone", "-q", str(self.hub), str(self.vault), at=self.world.scratch)

    def git(self, *words, at=None, code=0):
        done = subprocess.run(["git", "-C", str(at or self.vault), *map(str, words)], env=self.world.environment, capture_output=True, text=True)
        claim(code is None or done.returncode == code, self.host, "git", *words, done.returncode, done.stdout, done.stderr)
        return done.stdout if done.returncode == 0 else None

    def loci(self, *words, codes=(0, 3, 4, 5)):
        done = subprocess.run(self.world.command("--json", *words), env=self.world.environment, capture_output=True, text=True,
                              timeout=120 * world.SLOWNESS)
        claim(done.returncode in codes, self.host, *words, done.returncode, done.stdout, done.stderr)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def sync(self, codes=(0, 6)):
        return self.loci("sync", codes=codes)

    def head(self):
        return self.git("rev-parse", "HEAD").strip()


class Phone:
    """An editor and git: it pulls, changes a note, and pushes."""

    def __init__(self, hub, rng):
        self.machine, self.rng, self.lines = Machine("phone", hub, 0), rng, []
        self.machine.clone()

    def edit(self, text):
        machine = self.machine
        if machine.git("pull", "-q", "--no-rebase", "--no-edit", code=None) is None:
            machine.git("merge", "--abort", code=None)
            return
        if self.lines and self.rng.random() < 0.3:
            self.lines.pop(self.rng.randrange(len(self.lines)))
        else:
            self.lines.append(text)
        machine.world.write("notes/phone.md", "# From the phone\n\n" + "".join(f"- {line}\n" for line in self.lines))
        machine.git("add", "-A")
        machine.git("commit", "-q", "--allow-empty", "-m", "phone")
        if machine.git("push", "-q", "origin", "main", code=None) is None:
            return  # the next pull merges


class Walk:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.scratch = world.World()
        hub = self.scratch.scratch / "hub.git"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", hub], env=self.scratch.environment | GIT, check=True)
        self.machines = [Machine(host, hub, APART * number) for number, host in enumerate(HOSTS)]
        first = self.machines[0]
        first.world.run("init", "--git", first.vault)
        first.git("checkout", "-q", "-B", "main")
        first.world.run("config", "primary", "first")
        first.world.run("sync", "--setup", hub)
        first.sync(codes=(0,))
        for machine in self.machines[1:]:
            machine.clone()
            machine.loci("status")
        self.phone = Phone(hub, self.rng)
        self.count, self.done, self.last = 0, {}, "start"
        self.ids, self.gone, self.notes = {}, set(), {}  # text -> id; texts; host -> lines

    def close(self):
        for machine in (*self.machines, self.phone.machine):
            machine.world.close()
        self.scratch.close()

    def text(self, what):
        self.count += 1
        return f"{what} zq{self.count}x of the walk."

    def mine(self, machine):
        """What was added on this machine: nobody else corrects or forgets it at the same time."""
        return sorted(text for text, (host, _) in self.ids.items() if host == machine.host)

    # --- acts ---

    def add(self, machine):
        text = self.text("Addition")
        answer = machine.loci("add", "--", text)
        if answer:
            self.ids[text] = (machine.host, answer["entries"][0]["id"] if "entries" in answer else answer["id"])

    def write_note(self, machine):
        lines = self.notes.setdefault(machine.host, [])
        if lines and self.rng.random() < 0.3:
            lines.pop(self.rng.randrange(len(lines)))
        else:
            lines.insert(self.rng.randrange(len(lines) + 1), self.text("Line"))
        machine.world.write(f"notes/{machine.host}.md", "".join(f"- {line}\n" for line in lines))

    def forget(self, machine):
        if mine := self.mine(machine):
            text = self.rng.choice(mine)
            if machine.loci("forget", self.ids[text][1]):
                del self.ids[text]
                self.gone.add(text)

    def correct(self, machine):
        if mine := self.mine(machine):
            text, new = self.rng.choice(mine), self.text("Correction")
            if answer := machine.loci("correct", self.ids[text][1], new):
                del self.ids[text]
                self.gone.add(text)
                self.ids[new] = (machine.host, answer["id"])

    def consolidate(self, _):
        self.machines[0].loci("consolidate", "--force")

    def phone_edits(self, _):
        self.phone.edit(self.text("Phone"))

    def sync(self, machine):
        machine.sync()

    def kill_a_sync(self, machine):
        run = machine.world.start("sync", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(self.rng.random() * 0.3)
        run.kill()
        run.wait()

    # --- proof ---

    def meet(self):
        for _ in range(12):
            for machine in self.machines:
                machine.sync(codes=(0, 4, 5, 6))  # a git that a killed sync had started may still be at work
            if len({machine.head() for machine in self.machines}) == 1 and not any(m.git("status", "--porcelain") for m in self.machines):
                return
        claim(False, "they do not come together:", *[(m.host, m.head(), m.git("status", "--porcelain"), m.sync(codes=(0, 4, 5, 6))) for m in self.machines])

    def check(self):
        self.meet()
        texts = {machine.host: machine.world.texts("--layer", "L0", "--layer", "L1") for machine in self.machines}
        held = texts["first"]
        claim(all(each == held for each in texts.values()), "they say different things:",
              {host: sorted(set(each) ^ set(held)) for host, each in texts.items()})
        wanted = {*self.ids, *(line for lines in self.notes.values() for line in lines)}
        claim(not wanted - set(held), "missing:", sorted(wanted - set(held)))
        claim(not self.gone & set(held), "forgotten, and there:", sorted(self.gone & set(held)))
        twice = sorted(text for text in wanted if held.count(text) != 1)
        claim(not twice, "not once:", twice)
        claim(len({json.dumps(machine.world.tree(), sort_keys=True) for machine in self.machines}) == 1, "the files differ")
        for machine in self.machines:
            facts = machine.world.json("status")["facts"]
            claim(facts["total"] == facts["pending"] + facts["settled"] + facts["deleted"], machine.host, facts)
            done = subprocess.run(machine.world.command("doctor", "--json"), env=machine.world.environment, capture_output=True, text=True)
            claim(json.loads(done.stdout)["differences"] == [], machine.host, done.stdout)
            claim(not machine.world.reported(), machine.world.reported())

    def run(self, rounds, steps):
        ways = {self.add: 10, self.write_note: 5, self.forget: 2, self.correct: 2, self.consolidate: 2, self.phone_edits: 2, self.sync: 4, self.kill_a_sync: 1}
        for number in range(rounds):
            for _ in range(steps):
                way, = self.rng.choices(list(ways), ways.values())
                self.last = way.__name__
                way(self.rng.choice(self.machines))
                self.done[self.last] = self.done.get(self.last, 0) + 1
            self.last = "check"
            self.check()
            if (number + 1) % CHOSEN.report == 0:
                print(f"{number + 1} rounds", flush=True)


def main():
    print(f"seed {CHOSEN.seed}", flush=True)
    walk = Walk(CHOSEN.seed)
    try:
        walk.run(CHOSEN.rounds, CHOSEN.steps)
        print(f"{CHOSEN.rounds} rounds, and all agree: {walk.done}")
        walk.close()
    except BaseException as problem:
        print(f"after {sum(walk.done.values())} steps, in {walk.last}: {problem}", file=sys.stderr)
        print(f"sync_walk.py LOCI --rounds {CHOSEN.rounds} --steps {CHOSEN.steps} --seed {CHOSEN.seed} does it again; what is left is in "
              f"{[str(machine.world.scratch) for machine in walk.machines]}", file=sys.stderr)
        raise SystemExit(1) from problem


main()
