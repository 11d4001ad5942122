"""What is easily told wrong: moved files, lost metadata, a second state folder, a core that is gone.

usage: edits_confusing_test.py LOCI [MOVED_CLOCK_LIBRARY]
"""
import json
import re
import unittest

from edits_case import BOAT, CORE, DURABLE, GIT, LAMP, MANY, MAST, MINT, PATIENCE, SHED, TEA, WALK, EditsCase, case
from running_daemon import until
from world import World


TALES = ["The heron stands by the pond.", "The owl sleeps in the barn."]


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

    def until_listed(self, file):
        until(lambda: file in [place["file"] for entry in self.world.entries() for place in entry["places"]], PATIENCE)

    @case("25")
    def an_entry_that_lost_its_facts_leaves_a_vault_that_doctor_finds_clean(self):
        self.durable(TEA, WALK)
        durable = self.world.read(DURABLE)
        without, times = re.subn(r',"from":\[[^]]*\](?=[^\n]*\n' + re.escape(TEA) + ")", "", durable)
        self.assertEqual(times, 1)
        self.save(DURABLE, without)
        self.consolidate("--rebuild")
        self.world.run("reindex", "--clear")

        def check(world):
            self.assertEqual(sorted(set(self.core(world))), sorted([TEA, WALK]))
            self.assertEqual(sorted(set(world.texts())), sorted([TEA, WALK]))
        return check

    @case("27")
    def a_run_right_after_a_file_was_renamed_brings_back_nothing_that_was_reworded(self):
        tea, _ = self.durable(TEA, WALK)
        self.world.run("forget", tea)
        self.world.run("restore", tea)
        self.change(DURABLE, TEA, MINT)
        self.later(hours=1)
        self.consolidate()
        (self.world.vault / DURABLE).rename(self.world.vault / "consolidated/tastes.md")
        self.world.add(BOAT)
        self.until_listed("consolidated/tastes.md")
        self.consolidate()  # a daemon may still wait whether the file comes back

        def check(world):
            self.assertEqual(self.settled(world), sorted([BOAT, MINT, WALK]))
        return check

    @case("49", "alone", "daemon")
    def a_correction_right_after_a_file_was_renamed_is_made_there(self):
        tea, *_ = self.durable(TEA, WALK)
        file = self.world.vault / "consolidated/tastes.md"
        (self.world.vault / DURABLE).rename(file)
        self.world.run("correct", tea, MINT)

        def check(world):
            self.assertIn(MINT, file.read_text())
            self.assertNotIn(TEA, file.read_text())
            self.assertFalse((world.vault / DURABLE).exists())
        return check

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

    @case("27", "alone", "daemon")
    def an_old_buffer_that_was_renamed_before_a_new_file_had_its_name_loses_nothing(self):
        tea, *_ = self.durable(TEA, WALK, LAMP, BOAT)
        self.world.run("forget", tea)
        opened = self.world.read(DURABLE)
        self.world.run("restore", tea)
        self.save("consolidated/tastes.md", opened.replace(LAMP, MINT))
        (self.world.vault / DURABLE).unlink()
        self.world.run("init", "--git", self.world.vault)
        self.later(hours=1)
        self.consolidate()

        def check(world):
            self.assertEqual(self.settled(world), sorted([BOAT, MINT, TEA, WALK]))
            self.assertEqual(self.questions(world), [])
        return check

    @case("27", "alone", "daemon")
    def an_old_buffer_that_was_saved_under_the_first_name_again_loses_nothing(self):
        tea, *_ = self.durable(TEA, WALK, LAMP, BOAT)
        other = self.world.vault / "consolidated/tastes.md"
        (self.world.vault / DURABLE).rename(other)
        self.understood()
        self.world.run("forget", tea)
        opened = other.read_text()
        self.world.run("restore", tea)
        self.stop_daemon_for(lambda: (self.save(DURABLE, opened.replace(LAMP, MINT)), other.unlink()))
        self.understood()
        return lambda world: self.assertEqual(self.settled(world), sorted([BOAT, MINT, TEA, WALK]))

    def understood(self):
        self.world.run("resolve")
        self.later(minutes=20)
        self.world.run("resolve")

    @case("27", "alone", "daemon")
    def a_question_follows_a_file_that_is_renamed_and_renamed_back(self):
        other = self.world.vault / "consolidated/seeds.md"
        self.durable(*MANY)
        self.take_out(DURABLE, *MANY[:12])
        self.understood()
        (self.world.vault / DURABLE).rename(other)
        self.understood()
        self.assertEqual(self.questions(self.world), ["consolidated/seeds.md"])
        other.rename(self.world.vault / DURABLE)
        self.understood()
        self.assertEqual(self.questions(self.world), [DURABLE])
        self.world.run("resolve", "--restore", DURABLE)
        return lambda world: self.assertEqual((self.settled(world), self.questions(world)), (sorted(MANY), []))

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

    @case("29", "alone", "daemon")
    def notes_without_dates_have_none_after_an_import(self):
        there = World(host="otherhost")
        self.addCleanup(there.close)
        self.tell_time(there)
        there.run("init", there.vault)
        there.write("notes/tales.md", "\n\n".join(TALES) + "\n")
        exported = self.world.scratch / "exported.json"
        exported.write_text(there.run("export"))
        self.world.run("import", exported)

        def check(world):
            self.assertEqual({entry["text"]: entry.get("at") for entry in world.entries()}, dict.fromkeys(TALES))
        return check

    @case("30", "daemon")
    def a_second_state_folder_finds_what_the_daemon_finds(self):
        self.world.add(BOAT)
        second = World(vault=self.world.vault, host="testhost")
        self.addCleanup(second.close)
        second.environment |= GIT
        self.tell_time(second)

        def check(world):
            self.assertEqual(world.found("boat"), [BOAT])
            self.assertEqual(second.found("boat"), [BOAT])
        self.eventually(check)
        second.add(MAST)

        def check_both(world):
            self.assertEqual([each.found("mast") for each in (world, second)], [[MAST], [MAST]])
        return check_both

    @case("32")
    def a_core_that_is_gone_is_told_and_what_a_run_will_do(self):
        self.durable(TEA)
        (self.world.vault / CORE).unlink()
        self.world.add(WALK)
        self.expected_problems = {"no-core"}

        def check(world):
            problem, = self.problems(world, "no-core")
            self.assertEqual(problem["file"], CORE)
            for words in ("gone", "consolidation promotes nothing", "loci init"):
                self.assertIn(words, problem["message"])
        self.eventually(check)
        self.consolidate()
        self.assertFalse((self.world.vault / CORE).exists())
        return check

    @case("32")
    def a_core_that_is_made_anew_is_filled_by_the_next_run(self):
        self.durable(TEA)
        (self.world.vault / CORE).unlink()
        self.later(hours=1)
        self.world.run("init", self.world.vault)
        self.world.add(WALK)
        self.consolidate()

        def check(world):
            self.assertEqual(sorted(self.core(world)), sorted([TEA, WALK]))
            self.assertEqual(self.questions(world), [])
        return check


if __name__ == "__main__":
    unittest.main()
