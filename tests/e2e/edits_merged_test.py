"""Two entries that a person made into one, an entry with other words: what goes with them, and what comes back.

usage: edits_merged_test.py LOCI [MOVED_CLOCK_LIBRARY]
"""
import unittest

from edits_case import BOAT, CORE, DURABLE, LAMP, MINT, SHED, TEA, WALK, EditsCase, case


class WhatWasMerged(EditsCase):
    def merge(self):
        """The second entry's words go behind those of the first; the first one's id, and the file as it was."""
        tea, _ = self.durable(TEA, WALK)
        before = self.world.read(DURABLE)
        self.take_out(DURABLE, WALK)
        self.change(DURABLE, TEA, f"{TEA} {WALK}", typed=False)
        self.world.run("resolve")
        return tea, before

    def long_after(self):
        self.later(minutes=20)
        self.world.run("consolidate", "--force")

    def only_stand(self, *texts):
        def check(world):
            self.assertEqual(world.json("resolve")["entries"], [])
            self.assertEqual(sorted(world.texts("--layer", "L1")), sorted(texts))
            facts = self.facts(world)
            self.assertEqual((facts["settled"], facts["pending"]), (facts["total"] - facts["deleted"], 0))
        return check

    @case("19", "alone", "daemon")
    def both_are_forgotten_by_one_command_however_soon(self):
        tea, _ = self.merge()
        self.world.run("forget", tea)
        self.long_after()
        return self.only_stand()

    @case("19", "alone", "daemon")
    def both_come_back_and_either_can_be_split_off(self):
        tea, _ = self.merge()
        self.world.run("forget", tea)
        self.long_after()
        self.world.run("restore", tea)
        self.change(DURABLE, f"{TEA} {WALK}", f"{TEA}\n\n{WALK}", typed=False)
        self.world.run("resolve")
        self.long_after()
        return self.only_stand(TEA, WALK)

    @case("19", "daemon")
    def both_are_corrected_by_the_line_that_shows_them_however_soon(self):
        self.durable(TEA, WALK)
        self.take_out(DURABLE, WALK)
        self.change(DURABLE, TEA, f"{TEA} {WALK}", typed=False)
        self.eventually(lambda world: self.assertIn(f"{TEA} {WALK}", self.core(world)))
        self.typed.append(MINT)
        self.change(CORE, f"- {TEA} {WALK}", f"- {MINT}", typed=False)
        self.world.run("resolve")
        self.long_after()
        self.world.run("consolidate", "--rebuild")
        return self.only_stand(MINT)

    @case("19", "alone", "daemon")
    def the_entry_whose_line_was_taken_out_is_not_shown_in_the_place_of_the_other_one(self):
        self.durable(TEA, WALK)
        self.stop_daemon_for(lambda: (self.take_out(DURABLE, WALK), self.change(DURABLE, TEA, f"{TEA} {WALK}", typed=False), self.take_out(CORE, TEA)))
        self.world.run("resolve")
        self.world.add(SHED)
        self.long_after()

        def check(world):
            self.assertEqual([line for line in self.core(world) if TEA in line], [])
            self.assertIn(f"{TEA} {WALK}", self.settled(world))
        return check

    def the_other_stays_when_one_is_forgotten(self, before, tea):
        self.save(DURABLE, before)
        self.world.run("resolve")
        self.long_after()
        self.world.run("forget", tea)
        self.long_after()
        return self.only_stand(WALK)

    @case("19", "alone", "daemon")
    def a_merge_that_was_undone_at_once_joins_nothing(self):
        tea, before = self.merge()
        return self.the_other_stays_when_one_is_forgotten(before, tea)

    @case("19", "alone", "daemon")
    def nor_does_one_that_was_undone_long_after(self):
        tea, before = self.merge()
        self.long_after()
        return self.the_other_stays_when_one_is_forgotten(before, tea)


class WhatHadOtherWords(EditsCase):
    @case("17", "alone", "daemon")
    def the_first_words_do_not_come_back_when_the_others_are_corrected(self):
        tea, = self.durable(TEA)
        self.change(DURABLE, TEA, WALK, typed=False)
        self.world.add(SHED)
        self.consolidate()  # files what was typed
        said = self.id_of_fact(WALK)
        self.world.run("forget", tea)
        self.later(minutes=20)
        self.world.run("restore", tea)
        self.later(minutes=20)
        self.world.run("correct", said, MINT)
        self.change(DURABLE, MINT, LAMP)
        self.later(minutes=20)
        self.world.add(BOAT)
        self.world.run("consolidate", "--force")

        def check(world):
            self.assertEqual(self.settled(world), sorted([LAMP, SHED, BOAT]))
        return check

    @case("17", "alone", "daemon")
    def the_words_that_an_undone_run_had_folded_do_not_come_back_beside_those_typed_over_them(self):
        """By an editor that had the file open before the run was undone."""
        self.durable(TEA, WALK)
        self.world.add(BOAT)
        run = self.consolidate()["run"]["run"]
        buffer = self.world.read(DURABLE)
        self.world.run("undo", run)
        self.typed += [LAMP, MINT]
        self.save(DURABLE, buffer.replace(BOAT, LAMP).replace(TEA, MINT))
        self.later(minutes=20)
        self.world.add(SHED)
        self.world.run("consolidate", "--force")
        return lambda world: self.assertEqual(self.settled(world), sorted([LAMP, MINT, WALK, SHED]))

    def id_of_fact(self, text):
        self.world.run("status", "--wait")
        fact, = (entry for entry in self.world.entries() if entry["text"] == text and entry["file"].startswith("archive/"))
        return fact["id"]


if __name__ == "__main__":
    unittest.main()
