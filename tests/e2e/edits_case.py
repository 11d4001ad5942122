"""What a person does to loci's files, and what must be true afterwards: one case is written once and run on each stage.

    alone   no daemon: a command understands what was done before it does its own work
    daemon  the same steps beside a daemon
    clone   alone, and then what stands is committed and pulled into a clone, which had loci running before, under another host id

A case is a method with @case in front. It does its steps and returns a function that is told a world and asserts what must be true
there. Time passes by later(): the clock of loci moves, and the times of the files agree with it (moved_clock.c).
"""
import datetime
import functools
import json
import os
import re
import struct
import subprocess
import sys
import time

CLOCK = sys.argv.pop(2) if len(sys.argv) > 2 and sys.argv[2].endswith(".so") else ""

import world  # noqa: E402  takes the program's name from the command line
from daemon_case import DaemonCase  # noqa: E402
from model_case import ScriptedModel  # noqa: E402
from running_daemon import RunningDaemon  # noqa: E402

DURABLE, CORE = "consolidated/memory.md", "MEMORY.md"
PATIENCE = float(os.environ.get("LOCI_TEST_PATIENCE", "20"))  # seconds until what a daemon does by itself must be done
GIT = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "Tester"), ("EMAIL", "tester@example.org"))}
GIT |= {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_EDITOR": "true", "GIT_TERMINAL_PROMPT": "0"}
STAGES = ("alone", "daemon", "clone")
CLOCK_OF_FILES = 5  # CLOCK_REALTIME_COARSE

TEA, MINT, WALK, LAMP = ("Prefers green tea at four.", "Prefers mint tea at four.", "Prefers to walk to the office.",
                         "Prefers the lamp on the left.")
BOAT, MAST = "The boat lies in Kiel.", "The mast is made of ash."
SHED, YARD, AT_NIGHT = "The shed is locked at night.", "The yard is locked at night.", "The shed and the yard are locked at night."
MANY = [f"The jar on shelf {number} holds seed {number * 7}." for number in range(30)]


def case(number, *stages):
    """Marks a method as a case, on these stages (on all, if none is named)."""
    def mark(method):
        method.case = (number, stages or STAGES)
        return method
    return mark


class MovedClock:
    """A file that moved_clock.c reads."""

    def __init__(self, file):
        self.file, self.moves = file, []
        self.write()

    def write(self):
        pairs = b"".join(struct.pack("<qq", *move) for move in self.moves)
        mode = "r+b" if self.file.exists() else "w+b"
        with open(self.file, mode) as out:  # in place: a daemon has it in its memory
            out.write(pairs.ljust(4096, b"\0"))

    def set_ahead(self, seconds):
        moved_at = time.time_ns()
        self.moves.append((moved_at, int(seconds * 1e9)))
        self.write()
        # The kernel dates files by a clock that ticks: what is written next must not seem older than this.
        while time.clock_gettime_ns(CLOCK_OF_FILES) <= moved_at:
            time.sleep(0.001)

    @property
    def ahead(self):
        return self.moves[-1][1] / 1e9 if self.moves else 0


class EditsCase(DaemonCase):
    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        for name, method in list(vars(cls).items()):
            number, stages = getattr(method, "case", (None, ()))
            for stage in stages:
                def test(self, method=method, stage=stage):
                    self.play(method, stage)
                functools.update_wrapper(test, method)
                setattr(cls, f"test_{number}_{name}_{stage}", test)

    def setUp(self):
        super().setUp()
        self.typed, self.running, self.other, self.expected_problems = [], None, None, set()
        self.world.environment |= GIT
        self.clock = MovedClock(self.world.scratch / "clock") if CLOCK else None
        if CLOCK:
            self.tell_time(self.world)

    def tell_time(self, world):
        world.environment |= {"LD_PRELOAD": CLOCK, "MOVED_CLOCK": str(self.clock.file)}

    # --- stages ---

    def play(self, method, stage):
        self.stage = stage
        if stage == "daemon":
            self.start_daemon()
        if stage == "clone":
            self.share()
        check = method(self) or (lambda world: None)
        self.eventually(check)
        self.prove(self.world)
        if stage == "clone":
            self.share()
            check(self.other)
            self.prove(self.other)

    def start_daemon(self):
        self.running = RunningDaemon(self.world)
        self.addCleanup(lambda: self.running.close())

    def stop_daemon(self):
        if self.running:
            self.assertEqual(self.running.stop(), 0)
            self.running = None

    def stop_daemon_for(self, action):
        runs = self.running is not None
        self.stop_daemon()
        action()
        if runs:
            self.start_daemon()

    def eventually(self, check):
        """At once, or soon if a daemon has to see to it."""
        end = time.monotonic() + PATIENCE * world.SLOWNESS
        while True:
            try:
                if self.running:
                    self.world.run("status", "--wait")
                return check(self.world)
            except AssertionError:
                if not self.running or time.monotonic() > end:
                    raise
            time.sleep(0.02)

    def check_soundness(self, world):
        doctor = self.doctor_of(world)
        self.assertEqual(doctor["differences"], [])
        unexpected = [problem for problem in doctor["problems"] if problem["code"] not in self.expected_problems]
        self.assertEqual(unexpected, [])

    def prove(self, world):
        """What holds after every case."""
        world.run("status", "--wait")
        # What git kept waiting for a moment is finished by the daemon.
        self.eventually(self.check_soundness) if world is self.world else self.check_soundness(world)
        facts = world.json("status")["facts"]
        self.assertEqual(facts["total"], facts["pending"] + facts["settled"] + facts["deleted"])
        here = world.texts() + [file.read_text() for file in world.vault.rglob("*.loci-conflict-*")]
        lost = [text for text in self.typed if not any(text in each for each in here)]
        self.assertEqual(lost, [], "a person typed this, and it is neither found nor in a conflict file")

    def doctor_of(self, world):
        done = subprocess.run(world.command("doctor", "--json"), env=world.environment, capture_output=True, text=True, timeout=120)
        return json.loads(done.stdout)

    # --- time ---

    def later(self, **span):
        """Time passes, and no daemon runs meanwhile."""
        runs = self.running is not None
        self.stop_daemon()
        self.set_clock(self.clock.ahead + datetime.timedelta(**span).total_seconds() if self.clock else 0)
        if runs:
            self.start_daemon()

    def set_clock(self, seconds_ahead):
        if not self.clock:
            self.skipTest("a sanitizer wants to be loaded first: then no clock is moved")
        self.clock.set_ahead(seconds_ahead)

    # --- what loci has ---

    def durable(self, *texts):
        """Settles each as a fact; the ids of their entries. A clone has them, too."""
        for text in texts:
            self.world.add(text)
        self.consolidate()
        self.share()
        held = self.entries(self.world)
        return [held[text]["id"] for text in texts]

    def use_model(self, decide=(), promote=()):
        """Runs ask a scripted model from now on."""
        self.model = ScriptedModel(self.world.scratch, {"rules": {"decide": list(decide), "keys": [], "promote": list(promote)}})
        self.addCleanup(self.model.close)
        folder = self.world.scratch / "config/loci"
        folder.mkdir(parents=True)
        (folder / "config.toml").write_text('[consolidation]\nmodel = "scripted"\n[models.scripted]\nprovider = "openai"\n'
                                            f'base_url = "http://127.0.0.1:{self.model.port}"\nmodel = "scripted"\n')
        if self.running:
            self.stop_daemon()
            self.start_daemon()

    def entry_of_two_facts(self):
        """What was said of the shed and of the yard, as one entry."""
        self.use_model(decide=[{"when_fact": "yard|shed", "together": True, "text": AT_NIGHT}])
        self.world.add(SHED)
        self.world.add(YARD)
        self.consolidate()
        self.share()
        entry, = self.entries(self.world).values()
        self.assertEqual((entry["text"], len(entry["from"])), (AT_NIGHT, 2))
        return entry

    def consolidate(self, *options, world=None):
        return (world or self.world).json("consolidate", *(options or ("--force",)))

    def entries(self, world, *options):
        """text -> entry, of consolidated/"""
        return {e["text"]: e for e in world.entries(*options) if e["file"].startswith("consolidated/")}

    def id_of(self, text, file=None):
        """Of the entry that says it; beside a daemon as soon as what was saved is searchable."""
        self.world.run("status", "--wait")
        entry, = (entry for entry in self.world.entries() if entry["text"] == text and file in (None, entry["file"]))
        return entry["id"]

    def settled(self, world):
        return sorted(self.entries(world))

    def archived(self, world, *options):
        """The texts of the archive; with "--inactive" those too that no longer hold."""
        return sorted(e["text"] for e in world.entries(*options) if e["file"].startswith("archive/"))

    def core(self, world):
        """The lines between the markers of MEMORY.md, without their bullets."""
        return [line.removeprefix("- ") for line in self.core_bytes(world).splitlines() if line.startswith("-")]

    def core_bytes(self, world):
        return re.search(r"<!-- loci:core begin -->\n(.*)<!-- loci:core end -->", world.read(CORE), re.S).group(1)

    def facts(self, world):
        return world.json("status")["facts"]

    def problems(self, world, code):
        return [problem for problem in world.json("status")["problems"] if problem["code"] == code]

    def questions(self, world):
        return sorted(question["file"] for question in world.json("resolve")["questions"])

    # --- what a person does ---

    def save(self, name, text):
        self.world.write(name, text)

    def change(self, name, old, new, typed=True):
        """Other words in a file; those of its metadata stay."""
        text = self.world.read(name)
        self.assertIn(old, text)
        if typed:
            self.typed.append(new)
        self.save(name, text.replace(old, new))

    def take_out(self, name, *texts, world=None):
        """Entries with their metadata, in one save."""
        file = (world or self.world).read(name)
        for text in texts:
            file, times = re.subn(r"<!--m [^\n]*-->\n(- )?" + re.escape(text) + r"\n\n?", "", file)
            self.assertEqual(times, 1, f"{text} is not there once")
        (world or self.world).write(name, file)

    # --- git ---

    def git(self, *words, world=None, may_fail=False):
        world = world or self.world
        done = subprocess.run(["git", "-C", str(world.vault), *words], env={k: v for k, v in world.environment.items() if k != "LD_PRELOAD"},
                              capture_output=True, text=True)
        if not may_fail:
            self.assertEqual(done.returncode, 0, f"git {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def use_git(self):
        if not (self.world.vault / ".git").exists():
            self.world.run("init", "--git", self.world.vault)
            self.git("checkout", "-q", "-B", "main")
            self.commit()

    def commit(self, world=None):
        self.git("add", "-A", world=world)
        self.git("commit", "-q", "--allow-empty", "-m", "All", world=world)

    def git_clone(self, host="otherhost"):
        """A clone; with a host id it has loci, which has seen it."""
        other = world.World(host=host)
        self.addCleanup(other.close)
        other.environment |= GIT
        if CLOCK:
            self.tell_time(other)
        other.vault.rmdir()
        self.git("clone", "-q", str(self.world.vault), str(other.vault))
        return other

    def share(self):
        """On the stage of a clone: it gets what stands here."""
        if self.stage != "clone":
            return
        self.use_git()
        self.commit()
        if not self.other:
            self.other = self.git_clone()
        self.git("pull", "-q", "--no-rebase", world=self.other)
        self.other.run("status", "--wait")
