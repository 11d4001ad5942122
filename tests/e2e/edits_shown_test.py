"""What MEMORY.md shows keeps up with what a person does, and no word of theirs is shortened away.

usage: edits_shown_test.py LOCI [MOVED_CLOCK_LIBRARY]
"""
import unittest

from edits_case import BOAT, CORE, DURABLE, LAMP, MAST, MINT, SHED, TEA, WALK, EditsCase, case


class WhatIsShown(EditsCase):
    """No line of MEMORY.md says what is over."""

    def changed_line_is_understood(self, world):
        self.assertIn(MINT, self.core(world))
        self.assertIn(MINT, self.settled(world))
        self.assertNotIn(TEA, world.texts())

    def shows_at_once(self, new, before):
        """In the place of the old one."""
        after = [new if line == TEA else line for line in before]
        self.assertEqual(self.core(self.world), after)
        return lambda world: self.assertEqual(self.core(world), after)

    @case("21")
    def a_run_that_is_undone_puts_its_lines_back(self):
        self.durable(TEA, WALK)
        before = self.world.read(CORE)
        self.world.add(LAMP)
        run = self.consolidate()["run"]["run"]
        self.assertIn(LAMP, self.core(self.world))
        self.world.run("undo", run)
        self.assertEqual(self.world.read(CORE), before)
        return lambda world: self.assertEqual(set(self.core(world)), {TEA, WALK})

    def correct_here_and_there(self, *merge_options):
        tea, _ = self.durable(TEA, WALK)
        self.use_git()
        self.commit()
        there = self.git_clone()
        there.run("correct", tea, MINT)
        self.commit(world=there)
        self.world.run("correct", tea, "Prefers black tea at four.")
        self.commit()
        self.git("fetch", "-q", str(there.vault), "main")
        self.git("merge", "-q", "--no-edit", *merge_options, "FETCH_HEAD", may_fail=True)
        self.expected_problems = {"conflict-markers", "conflict", "corrected-twice"}

        def check(world):
            texts = world.texts()
            self.assertIn(MINT, texts)
            self.assertIn("Prefers black tea at four.", texts)
            said = world.run("status")
            self.assertIn("conflict", said)
            self.assertIn("loci resolve", said)
        return check


if __name__ == "__main__":
    unittest.main()
