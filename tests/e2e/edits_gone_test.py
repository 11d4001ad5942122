"""What a person took out, or forgot, does not come back, and what they did not take out stays.

usage: edits_gone_test.py LOCI [MOVED_CLOCK_LIBRARY]
"""
import unittest

from edits_case import BOAT, CORE, DURABLE, LAMP, MANY, MAST, MINT, SHED, TEA, WALK, EditsCase, case


class WhatIsGone(EditsCase):
    """What a person took out does not come back."""

    def assert_deleted(self, *texts, facts=True):
        def check(world):
            for text in texts:
                self.assertNotIn(text, self.settled(world))
                self.assertEqual(world.found(text).count(text), 0)
            if facts:
                self.assertEqual(self.facts(world)["deleted"], len(texts))
        return check

    def three_edits(self, world):
        """An entry goes, a line of the core changes, another goes."""
        durable = world.read(DURABLE)
        metadata = next(line for line in durable.splitlines() if line.startswith("<!--m") and durable.split(line)[1].startswith(f"\n{BOAT}"))
        world.write(DURABLE, durable.replace(f"{metadata}\n{BOAT}\n", ""))
        core = world.read(CORE)
        walk = next(line for line in core.splitlines() if line.startswith("<!--m") and core.split(line)[1].startswith(f"\n- {WALK}"))
        world.write(CORE, core.replace(f"{walk}\n- {WALK}\n", "").replace(TEA, MINT))
        self.typed.append(MINT)

    def three_edits_count(self, world):
        self.assertNotIn(BOAT, world.texts())
        self.assertEqual(len([each for each in self.archived(world, "--inactive") if each == BOAT]), 1)
        self.assertIn(MINT, self.core(world))
        self.assertIn(MINT, world.texts())
        self.assertNotIn(TEA, world.texts())
        self.assertNotIn(WALK, self.core(world))
        self.assertIn(WALK, world.texts())

    @case("13")
    def an_older_branch_and_back_decides_nothing(self):
        self.durable(TEA, BOAT)
        self.use_git()
        self.commit()
        self.git("branch", "older")
        self.world.add(WALK)
        self.world.add(MAST)
        self.consolidate()
        self.commit()
        before = self.world.tree()
        self.git("checkout", "-q", "older")
        self.later(days=1)
        self.world.run("consolidate", "--force")
        self.git("checkout", "-q", "main")
        self.later(days=1)
        self.consolidate()
        self.assertEqual(self.world.tree(), before)

        def check(world):
            self.assertEqual(set(self.entries(world)), {TEA, BOAT, WALK, MAST})
            self.assertEqual(self.facts(world), {"total": 4, "pending": 0, "settled": 4, "deleted": 0})
        return check

    def conflicting_merge(self):
        for branch, text in (("topic", "Coffee is best."), ("main", "Water is best.")):
            self.git("checkout", "-q", *(("-b",) if branch == "topic" else ()), branch)
            self.world.write("note.md", f"{text}\n")
            self.commit()
        self.git("merge", "topic", may_fail=True)
        self.assertIn("<<<<<<<", self.world.read("note.md"))

    @case("31")
    def a_line_of_the_core_that_was_emptied_is_removed(self):
        self.durable(TEA, WALK)
        self.change(CORE, f"- {TEA}", "- ", typed=False)
        self.world.add(LAMP)
        self.consolidate()

        def check(world):
            self.assertNotIn(TEA, self.core(world))
            self.assertIn(TEA, self.settled(world))
            self.assertIn(LAMP, self.settled(world))
        return check


if __name__ == "__main__":
    unittest.main()
