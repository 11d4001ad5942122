"""What is easily told wrong: moved files, lost metadata, a second state folder, a core that is gone.

usage: edits_confusing_test.py LOCI [MOVED_CLOCK_LIBRARY]
"""
import json
import unittest

from edits_case import BOAT, CORE, DURABLE, LAMP, MANY, MAST, MINT, SHED, TEA, WALK, EditsCase, case


class WhatIsConfusing(EditsCase):
    def check_day(self, text):
        def check(world):
            times = sum(file.read_text().count(text) for file in (world.vault / "archive").rglob("*.md"))
            self.assertEqual(times, 1)
            self.assertEqual(world.texts().count(text), 1)
            self.assertNotIn("another id", json.dumps(world.json("status")["problems"]))
        return check

    def move_day(self, name):
        self.world.add(BOAT)
        day = next(iter((self.world.vault / "archive").glob("*.md")))
        self.world.run("status", "--wait")
        to = day.parent / name
        to.parent.mkdir(exist_ok=True)
        day.rename(to)
        self.world.add(MAST)
        self.world.add(SHED)
        return self.check_day(BOAT)

    @case("26")
    def a_day_that_moved_to_a_folder_is_not_written_twice(self):
        return self.move_day("2026/moved.md")

    @case("26", "alone", "clone")
    def a_day_that_was_renamed_is_not_written_twice(self):
        return self.move_day("autumn.md")

    @case("27")
    def a_renamed_file_is_no_question(self):
        self.durable(*MANY)
        (self.world.vault / DURABLE).rename(self.world.vault / "consolidated/seeds.md")
        self.world.add(BOAT)
        self.consolidate()
        self.later(days=1)
        self.consolidate()

        def check(world):
            self.assertEqual(self.questions(self.world), [])
            self.assertEqual(sorted(self.entries(world)), sorted([*MANY, BOAT]))
        return check

    @case("27")
    def restoring_an_entry_of_a_renamed_file_doubles_nothing(self):
        boat, *_ = self.durable(BOAT, MAST, SHED)
        self.world.run("forget", boat)
        (self.world.vault / DURABLE).rename(self.world.vault / "consolidated/harbour.md")
        self.world.run("status", "--wait")
        self.world.run("restore", boat)

        def check(world):
            said = "".join(file.read_text() for file in (world.vault / "consolidated").glob("*.md"))
            self.assertEqual([said.count(text) for text in (BOAT, MAST, SHED)], [1, 1, 1])
            self.assertEqual(set(self.entries(world)), {BOAT, MAST, SHED})
        return check

    @case("28", "daemon")
    def a_file_that_was_too_large_for_a_while_doubles_nothing(self):
        self.durable(BOAT, MAST)
        before = self.world.read(DURABLE)
        self.save(DURABLE, before + "\n" + "Very long. " * 900_000 + "\n")
        self.world.add(SHED)
        self.world.run("consolidate", "--force")
        self.save(DURABLE, before)
        self.world.run("status", "--wait")
        self.consolidate()
        self.later(days=1)
        self.consolidate()

        def check(world):
            said = "".join(file.read_text() for file in (world.vault / "consolidated").glob("*.md"))
            self.assertEqual([said.count(text) for text in (BOAT, MAST, SHED)], [1, 1, 1])
        return check


if __name__ == "__main__":
    unittest.main()
