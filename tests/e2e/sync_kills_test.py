"""A sync that is killed at each of its steps: the next one ends as if nothing had happened.

usage: sync_kills_test.py LOCI [FAIL_CALL_LIBRARY]

The places to kill are the calls of git, before each and behind it, and, with the library, those of loci's own calls that change
files. LOCI_TEST_SCALE (default 1) is how many tenths of them are tried.
"""
import pathlib
import shutil
import subprocess
import sys
import unittest

import world
from sync_test import SyncCase

LIBRARY = sys.argv.pop(1) if len(sys.argv) > 1 and sys.argv[1].endswith(".so") else None
MEMORY = "consolidated/memory.md"

# In the place of git: counts its calls, and kills whoever calls it in the place that is asked for.
STAND_IN = """#!/bin/sh
unset LD_PRELOAD
number=$(($(cat {folder}/count) + 1))
echo $number > {folder}/count
[ "$KILL_AT" = "before $number" ] && kill -9 $PPID && exit 1
{git} "$@"
status=$?
[ "$KILL_AT" = "behind $number" ] && kill -9 $PPID
exit $status
"""


class Kills(SyncCase):
    """The second machine has forgotten what the first made an entry of, both have consolidated the same facts, and both have
    written notes and corrected each other's entries."""

    def setUp(self):
        super().setUp()
        first = self.first
        first.world.write(MEMORY, self.entry("a", "Red.") + "\n" + self.entry("b", "Up."))
        forgotten = first.world.add("Always answer in English.")
        for text in ("Deploys happen on Fridays.", "The cat is called Miso."):
            first.world.add(text)
        first.sync()
        second = self.second
        second.sync()
        first.sync()
        second.world.run("config", "primary", "second")
        second.world.run("forget", forgotten)
        second.world.run("consolidate", "--force")
        second.world.write("notes/second.md", "From the second.\n")
        second.sync()
        first.world.run("consolidate", "--force")
        first.world.run("forget", "b")
        first.world.write("notes/first.md", "From the first.\n")
        first.world.add("Only here.")
        self.programs = self.scratch.scratch / "programs"
        self.programs.mkdir()
        (self.programs / "count").write_text("0")
        stand_in = self.programs / "git"
        stand_in.write_text(STAND_IN.format(folder=self.programs, git=shutil.which("git")))
        stand_in.chmod(0o755)
        self.kept = self.scratch.scratch / "kept"
        for folder in self.folders():
            shutil.copytree(folder, self.kept / folder.name, symlinks=True)

    def folders(self):
        return [self.hub, self.first.world.scratch, self.second.world.scratch]

    def begin_again(self):
        (self.programs / "count").write_text("0")
        for folder in self.folders():
            shutil.rmtree(folder)
            shutil.copytree(self.kept / folder.name, folder, symlinks=True)

    def watched(self, **variables):
        """A sync of the first machine with the other git; its exit status, -9 if it was killed."""
        environment = self.first.world.environment | variables
        environment["PATH"] = f"{self.programs}:{environment['PATH']}"
        done = subprocess.run(self.first.world.command("sync"), env=environment, capture_output=True, text=True, timeout=120 * world.SLOWNESS)
        return done.returncode, done.stderr

    def outcome(self):
        """What both machines have in the end."""
        for machine in (self.second, self.first, self.second, self.first):
            machine.sync()
        found = []
        for machine in (self.first, self.second):
            facts = machine.world.json("status")["facts"]
            self.assertEqual(facts["total"], facts["pending"] + facts["settled"] + facts["deleted"])
            self.assertEqual(machine.world.json("doctor")["problems"], [])
            self.assertEqual(machine.git("status", "--porcelain"), "")
            found.append((machine.texts(), machine.world.tree(), facts))
        self.assertEqual(found[0], found[1])
        return found[0][0]

    def undisturbed(self, **variables):
        self.assertEqual(self.watched(**variables), (0, ""))
        calls = int((self.programs / "count").read_text())
        self.first.sync()
        outcome = self.outcome()
        for text in ("Deploys happen on Fridays.", "The cat is called Miso.", "Only here.", "From the first.", "From the second."):
            self.assertEqual(outcome.count(text), 1, outcome)
        for text in ("Always answer in English.", "Up."):
            self.assertNotIn(text, outcome)
        return calls, outcome

    def each_ends_the_same(self, places, wanted):
        for number, (name, variables) in enumerate(places):
            with self.subTest(name):
                self.begin_again()
                status, said = self.watched(**variables)
                self.assertEqual(status, -9, said)
                if number % 2:  # whatever comes next, and not only a sync, finds a vault that it can work with
                    self.first.world.run("forget", self.first.world.add("Said in between."))
                self.first.sync()
                self.assertEqual(self.outcome(), wanted)

    def test_a_kill_at_any_call_of_git_changes_nothing_about_the_end(self):
        calls, wanted = self.undisturbed()
        self.assertGreater(calls, 10)
        places = [f"{where} {number}" for number in range(1, calls + 1) for where in ("before", "behind")]
        self.each_ends_the_same([(place, {"KILL_AT": place}) for place in places[::max(1, 10 // world.SCALE)]], wanted)

    @unittest.skipUnless(LIBRARY, "without the library that kills at a call")
    def test_nor_does_one_at_any_call_that_changes_a_file(self):
        count = self.programs / "calls"
        _, wanted = self.undisturbed(LD_PRELOAD=LIBRARY, FAIL_COUNT_FILE=str(count))
        calls = int(pathlib.Path(count).read_text())
        self.each_ends_the_same([(f"call {number}", {"LD_PRELOAD": LIBRARY, "FAIL_CALL": str(number), "FAIL_WITH": "KILL"})
                                 for number in range(1, calls + 1, max(1, 10 // world.SCALE))], wanted)


if __name__ == "__main__":
    unittest.main()
