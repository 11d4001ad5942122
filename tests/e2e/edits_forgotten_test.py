"""What was forgotten or corrected does not come back: by an import, a clock that was wrong, a merge, other marks, or a fact.

usage: edits_forgotten_test.py LOCI [MOVED_CLOCK_LIBRARY]
"""
import json
import unittest

from edits_case import BOAT, CORE, DURABLE, LAMP, MAST, MINT, SHED, TEA, WALK, YARD, EditsCase, case
from world import World


class WhatIsForgotten(EditsCase):
    def in_no_file(self, *texts):
        def check(world):
            held = world.texts()
            self.assertEqual([text for text in texts if text in held], [])
            self.assertEqual([text for text in texts if text in world.read(DURABLE) + world.read(CORE)], [])
        return check

    @case("10", "alone", "daemon")
    def a_forgotten_text_does_not_come_in_by_an_import(self):
        there = World(host="otherhost")
        self.addCleanup(there.close)
        self.tell_time(there)
        there.run("init", there.vault)
        there.add(TEA)
        there.add(WALK)
        self.consolidate(world=there)
        exported = self.world.scratch / "exported.json"
        exported.write_text(there.run("export"))
        self.world.run("forget", self.world.add(TEA))
        self.world.run("import", exported)
        self.world.add(LAMP)
        self.consolidate()

        def check(world):
            self.in_no_file(TEA)(world)
            self.assertEqual(world.found(TEA).count(TEA), 0)
            self.assertEqual(sorted(self.core(world)), sorted([WALK, LAMP]))
        return check

    @case("14")
    def a_text_goes_with_what_a_clock_said_that_was_ahead(self):
        self.set_clock(5 * 3600)
        first, second = self.world.add(TEA), self.world.add(TEA)
        self.assertNotEqual(first, second)
        self.set_clock(0)
        self.assertEqual(sorted(self.world.json("forget", second)["forgotten"]), sorted([first, second]))

        def check(world):
            self.assertEqual(world.texts(), [])
            self.assertEqual(self.facts(world)["deleted"], 2)
        return check

    @case("14", "alone", "daemon")
    def no_entry_is_dated_days_ahead(self):
        line = json.dumps({"text": TEA, "at": "2099-01-01T00:00:00Z"})
        self.world.run("add", "--jsonl", stdin=f"{line}\n", code=1)
        self.assertIn("2099", self.world.messages)
        self.assertEqual(self.world.texts(), [])

    @case("15")
    def what_is_forgotten_during_a_merge_leaves_the_files_when_it_is_over(self):
        tea, *_ = self.durable(TEA, WALK)
        self.use_git()
        self.commit()
        phone = self.git_clone()
        for world, text in ((phone, "Coffee is best."), (self.world, "Water is best.")):
            world.write("note.md", f"{text}\n")
            self.commit(world=world)
        self.git("pull", "-q", "--no-rebase", str(phone.vault), "main", may_fail=True)
        self.assertTrue((self.world.vault / ".git/MERGE_HEAD").exists())
        self.world.run("forget", tea)
        self.assertIn(TEA, self.world.read(DURABLE))
        self.eventually(lambda world: self.assertNotIn(TEA, world.texts()))
        self.world.write("note.md", "Water is best.\n")
        self.commit()
        if not self.running:
            self.world.add(LAMP)
        return self.in_no_file(TEA)

    @case("16")
    def a_forgotten_line_of_a_note_stays_forgotten_as_a_task_and_in_bold(self):
        self.world.write("note.md", f"{BOAT}\n\n{MAST}\n\n{SHED}\n")
        self.share()
        self.world.run("status", "--wait")
        for text in (BOAT, MAST):
            self.world.run("forget", self.id_of(text))
        self.world.write("note.md", f"- [ ] {BOAT}\n\n**{MAST}**\n\n{SHED}\n")

        def check(world):
            self.assertEqual(world.texts(), [SHED])
            self.assertEqual([text for text in world.found("boat mast Kiel ash") if BOAT in text or MAST in text], [])
        return check

    @case("17")
    def forgetting_a_fact_takes_its_entry_out_of_the_file(self):
        self.durable(TEA, WALK)
        self.world.run("forget", next(entry["id"] for entry in self.world.entries("--layer", "L2") if entry["text"] == TEA))
        return self.in_no_file(TEA)

    @case("17")
    def correcting_a_fact_rewrites_its_entry_in_the_file(self):
        self.durable(TEA, WALK)
        self.world.run("correct", next(entry["id"] for entry in self.world.entries("--layer", "L2") if entry["text"] == TEA), MINT)

        def check(world):
            self.in_no_file(TEA)(world)
            self.assertEqual(self.settled(world), sorted([MINT, WALK]))
            self.assertEqual(sorted(self.core(world)), sorted([MINT, WALK]))
        return check

    def facts_of_one_entry(self):
        """The ids of what was said of the shed and of the yard."""
        entry = self.entry_of_two_facts()
        self.model.play({"rules": {"decide": [], "keys": [], "promote": []}})
        return entry["from"]

    @case("17", "alone", "daemon")
    def the_other_facts_of_an_entry_are_folded_anew_when_one_is_forgotten(self):
        shed, _ = self.facts_of_one_entry()
        self.world.run("forget", shed)

        def check(world):
            self.assertEqual(self.settled(world), [])
            self.assertEqual(self.facts(world), {"total": 2, "pending": 1, "settled": 0, "deleted": 1})
        self.eventually(check)
        self.consolidate()
        return lambda world: self.assertEqual(self.settled(world), [YARD])

    @case("17", "alone", "daemon")
    def the_other_facts_of_an_entry_are_folded_anew_when_one_is_corrected(self):
        _, yard = self.facts_of_one_entry()
        self.world.run("correct", yard, "The yard is open all night.")

        def check(world):
            self.assertEqual(self.settled(world), ["The yard is open all night."])
            self.assertEqual(self.facts(world)["pending"], 1)
        self.eventually(check)
        self.consolidate()
        return lambda world: self.assertEqual(self.settled(world), sorted([SHED, "The yard is open all night."]))

    @case("18")
    def a_line_that_was_taken_out_after_a_purge_is_not_shown_again(self):
        tea, _ = self.durable(TEA, WALK)
        self.world.run("forget", "--purge", "--yes", tea)
        self.later(seconds=25)
        self.take_out(CORE, WALK)
        self.world.add(LAMP)
        self.consolidate()
        self.later(days=1)
        self.consolidate()

        def check(world):
            self.assertEqual(self.core(world), [LAMP])
            self.assertEqual(self.settled(world), sorted([WALK, LAMP]))
        return check


if __name__ == "__main__":
    unittest.main()
