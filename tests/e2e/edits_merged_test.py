"""Two entries that a person made into one, an entry with other words: what goes with them, and what comes back.

usage: edits_merged_test.py LOCI [MOVED_CLOCK_LIBRARY]
"""
import re
import unittest

from edits_case import BOAT, CORE, DURABLE, LAMP, MINT, SHED, TEA, WALK, YARD, EditsCase, case


class WhatWasMerged(EditsCase):
    def join(self, one, other):
        """The second entry's words go behind those of the first, in one save; what the file said before."""
        before = self.world.read(DURABLE)
        self.stop_daemon_for(lambda: (self.take_out(DURABLE, other), self.change(DURABLE, one, f"{one} {other}", typed=False)))
        self.world.run("resolve")
        return before

    def merge(self):
        """The first one's id, and the file as it was."""
        tea, _ = self.durable(TEA, WALK)
        return tea, self.join(TEA, WALK)

    def split(self):
        self.change(DURABLE, f"{TEA} {WALK}", f"{TEA}\n\n{WALK}", typed=False)
        self.world.run("resolve")
        self.long_after()

    def put_back(self, before):
        self.save(DURABLE, before)
        self.world.run("resolve")

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
    def neither_comes_back_when_their_words_are_corrected_after_a_restore(self):
        tea, _ = self.merge()
        self.world.run("correct", tea, MINT)
        self.world.run("restore", tea)
        self.world.add(LAMP)
        self.long_after()
        self.world.run("correct", self.filed(f"{TEA} {WALK}"), BOAT)
        self.world.add(SHED)
        self.long_after()
        return self.only_stand(BOAT, LAMP, SHED)

    @case("19", "alone", "daemon")
    def a_merge_that_was_forgotten_before_a_rebuild_is_one_again_when_it_is_restored(self):
        tea, _ = self.merge()
        self.world.add(LAMP)
        self.long_after()
        self.world.run("forget", tea)
        self.world.run("consolidate", "--rebuild")
        self.world.run("restore", tea)
        self.world.run("correct", tea, BOAT)
        self.world.add(SHED)
        self.long_after()
        return self.only_stand(BOAT, LAMP, SHED)

    def reword_and_file(self):
        """The id of the fact that the new words were filed as."""
        self.durable(TEA)
        self.change(DURABLE, TEA, MINT, typed=False)
        self.world.add(LAMP)
        self.long_after()
        return self.filed(MINT)

    def filed(self, text):
        return next(entry["id"] for entry in self.world.json("list", "--limit", "100")["entries"]
                    if entry["text"] == text and entry["file"].startswith("archive/"))

    @case("19", "alone", "daemon")
    def first_words_do_not_come_back_with_a_correction_that_is_restored(self):
        self.reword_and_file()
        self.world.run("correct", self.id_of(MINT, DURABLE), BOAT)
        boat = self.filed(BOAT)
        self.world.run("forget", boat)
        self.world.run("restore", boat)
        self.world.add(SHED)
        self.long_after()
        return self.only_stand(BOAT, LAMP, SHED)

    @case("19", "alone", "daemon")
    def first_words_end_with_the_correction_of_what_had_overruled_them(self):
        self.world.run("correct", self.reword_and_file(), BOAT)
        self.world.run("forget", self.id_of(BOAT, DURABLE))
        self.world.run("consolidate", "--rebuild")
        return self.only_stand(LAMP)

    @case("19", "alone", "daemon")
    def what_one_of_them_was_made_of_rests_in_both_again_when_it_is_restored(self):
        tea, _ = self.merge()
        fact = next(entry["id"] for entry in self.world.json("list", "--limit", "100")["entries"] if entry["text"] == TEA)
        for ending in (("forget", fact), ("correct", fact, MINT)):
            self.world.run(*ending)
            self.world.run("restore", fact)
        self.world.run("forget", tea)
        self.world.run("consolidate", "--rebuild")
        return self.only_stand()

    @case("19", "alone", "daemon")
    def a_fact_that_comes_back_does_not_rest_in_an_entry_that_says_another_one(self):
        self.entry_of_two_facts()
        self.model.play({"rules": {"decide": [], "keys": [], "promote": []}})
        yard = self.filed(YARD)
        self.world.run("forget", yard)
        self.world.add(LAMP)
        self.long_after()
        self.assertIn(SHED, self.settled(self.world))
        self.world.run("restore", yard)
        self.long_after()
        return self.only_stand(LAMP, SHED, YARD)

    @case("19", "alone", "daemon")
    def both_come_back_and_either_can_be_split_off(self):
        tea, _ = self.merge()
        self.world.run("forget", tea)
        self.long_after()
        self.world.run("restore", tea)
        self.split()
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
        self.put_back(before)
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

    # --- undone, and then ---

    def undone(self, *others):
        """A merge that was taken back in the editor; the id of the entry that had taken the words in."""
        tea, *_ = self.durable(TEA, WALK, *others)
        self.put_back(self.join(TEA, WALK))
        return tea

    @case("19", "alone", "daemon")
    def both_stand_after_a_rebuild(self):
        tea = self.undone()
        self.world.run("consolidate", "--rebuild")
        self.world.run("forget", tea)
        self.long_after()
        return self.only_stand(WALK)

    @case("19", "alone", "daemon")
    def a_correction_of_the_one_leaves_the_other(self):
        tea = self.undone()
        self.world.run("correct", tea, MINT)
        self.long_after()
        self.world.run("consolidate", "--rebuild")
        return self.only_stand(MINT, WALK)

    @case("19", "alone", "daemon")
    def the_other_can_be_taken_out(self):
        self.undone()
        self.take_out(DURABLE, WALK)
        self.world.run("resolve")
        self.long_after()
        self.world.run("consolidate", "--rebuild")
        return self.only_stand(TEA)

    @case("19", "alone", "daemon")
    def it_can_be_merged_into_a_third_one(self):
        self.undone(LAMP)
        self.join(LAMP, WALK)
        self.long_after()
        self.world.run("forget", self.id_of(f"{LAMP} {WALK}"))
        self.world.run("consolidate", "--rebuild")
        return self.only_stand(TEA)

    @case("19", "alone", "daemon")
    def of_two_merges_in_a_row_each_is_taken_back(self):
        tea, *_ = self.durable(TEA, WALK, LAMP)
        before = self.join(TEA, WALK)
        self.join(LAMP, f"{TEA} {WALK}")
        self.put_back(before)
        self.world.run("consolidate", "--rebuild")
        self.world.run("forget", tea)
        self.long_after()
        return self.only_stand(WALK, LAMP)

    @case("19", "alone", "daemon")
    def of_two_merges_in_a_row_the_second_one_is_taken_back(self):
        self.durable(TEA, WALK, LAMP)
        self.join(TEA, WALK)
        self.put_back(self.join(LAMP, f"{TEA} {WALK}"))
        self.world.run("consolidate", "--rebuild")
        self.world.run("forget", self.id_of(f"{TEA} {WALK}", DURABLE))
        self.long_after()
        return self.only_stand(LAMP)

    # --- in other ways ---

    @case("19", "alone", "daemon")
    def a_merge_in_two_saves_is_one(self):
        self.durable(TEA, WALK)
        self.change(DURABLE, TEA, f"{TEA} {WALK}", typed=False)
        self.world.run("resolve")
        self.take_out(DURABLE, WALK)
        self.world.run("resolve")
        self.long_after()
        self.assertEqual(self.facts(self.world)["deleted"], 0)
        self.split()
        return self.only_stand(TEA, WALK)

    @case("19", "alone", "daemon")
    def what_loci_wrote_last_can_be_merged(self):
        tea, walk, *_ = self.durable(TEA, WALK, LAMP)
        self.world.run("forget", walk)
        self.world.run("restore", walk)
        self.join(TEA, WALK)
        self.world.run("forget", tea)
        self.long_after()
        self.world.run("consolidate", "--rebuild")
        return self.only_stand(LAMP)

    @case("24a", "alone", "daemon")
    def what_git_takes_back_is_shown_no_longer_and_can_be_forgotten(self):
        tea, _ = self.durable(TEA, WALK)
        self.use_git()
        self.commit()
        self.join(TEA, WALK)
        self.world.add(SHED)
        self.consolidate()
        self.eventually(lambda world: self.assertIn(f"{TEA} {WALK}", self.core(world)))
        self.git("restore", ".")
        self.world.run("resolve")
        self.eventually(lambda world: self.assertEqual(sorted(self.core(world)), sorted([TEA, WALK])))
        self.world.run("forget", tea)
        return lambda world: self.assertEqual([text for text in world.texts("--layer", "L0", "--layer", "L1") if TEA in text], [])


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

    def filed_and_corrected(self):
        """Words typed over those of a run, and a correction of them."""
        self.durable(TEA, WALK)
        self.change(DURABLE, TEA, MINT, typed=False)
        self.world.add(SHED)
        self.consolidate()  # files what was typed
        self.world.run("correct", self.id_of_fact(MINT), LAMP)

    @case("17", "alone", "daemon")
    def the_first_words_do_not_come_back_when_what_corrected_them_is_taken_out(self):
        self.filed_and_corrected()
        self.take_out(DURABLE, LAMP)
        self.world.run("resolve")
        self.later(minutes=20)
        self.world.run("resolve")
        self.world.run("consolidate", "--rebuild")
        return lambda world: self.assertEqual(self.settled(world), sorted([WALK, SHED]))

    @case("17", "alone", "daemon")
    def the_first_words_do_not_come_back_with_what_corrected_them(self):
        self.filed_and_corrected()
        corrected = self.id_of(LAMP, DURABLE)
        self.world.run("forget", corrected)
        self.later(minutes=20)
        self.world.run("restore", corrected)
        self.world.add(BOAT)
        self.world.run("consolidate", "--force")
        return lambda world: self.assertEqual(self.settled(world), sorted([LAMP, WALK, SHED, BOAT]))

    @case("17", "alone", "daemon")
    def words_that_were_filed_and_taken_back_in_the_editor_do_not_come_back(self):
        tea, _ = self.durable(TEA, WALK)
        before = self.world.read(DURABLE)
        self.change(DURABLE, TEA, MINT, typed=False)
        self.world.run("resolve")
        self.world.add(SHED)
        self.consolidate()  # files what was typed
        now = self.world.read(DURABLE)
        self.save(DURABLE, now.replace(self.block(now, MINT), self.block(before, TEA)))
        self.world.run("resolve")
        self.later(minutes=20)
        self.world.run("consolidate", "--rebuild")
        self.assertEqual(self.settled(self.world), sorted([TEA, WALK, SHED]))
        self.world.run("forget", self.id_of(TEA, DURABLE))
        return lambda world: self.assertEqual([text for text in world.texts() if text in (TEA, MINT)], [])

    @case("17", "alone", "daemon")
    def what_was_taken_out_of_a_buffer_that_had_it_is_deleted_though_its_run_was_undone(self):
        self.durable(TEA, WALK)
        for text in (SHED, LAMP, BOAT):
            self.world.add(text)
        run = self.consolidate()["run"]["run"]
        opened = self.world.read(DURABLE)
        self.world.run("undo", run)
        self.save(DURABLE, opened.replace(self.block(opened, LAMP), "").replace(WALK, MINT))
        self.world.run("resolve")
        self.later(minutes=20)
        self.world.run("resolve")
        self.world.run("consolidate", "--force")
        return lambda world: self.assertEqual(self.settled(world), sorted([TEA, MINT, SHED, BOAT]))

    @case("17", "alone", "daemon")
    def words_that_were_filed_stay_with_the_entry_when_its_copy_gets_others_in_an_old_buffer(self):
        self.durable(TEA, WALK)
        self.change(DURABLE, TEA, MINT, typed=False)
        copy = "# Copies\n\n" + self.block(self.world.read(DURABLE), MINT)
        self.save("consolidated/copies.md", copy)
        self.world.run("resolve")
        self.world.add(SHED)
        self.consolidate()  # files what was typed
        self.save("consolidated/copies.md", copy.replace(MINT, BOAT))
        self.world.run("resolve")
        self.later(minutes=20)
        self.world.run("consolidate", "--rebuild")
        self.assertEqual(self.settled(self.world), sorted([MINT, WALK, SHED, BOAT]))

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

    def deleted_words_that_are_typed_again(self):
        """Without the comment of their entry: a person's own paragraph. What is asked about it."""
        tea, _ = self.durable(TEA, WALK)
        self.world.run("forget", tea)
        self.later(minutes=20)
        self.save(DURABLE, f"{self.world.read(DURABLE)}\n{TEA}\n")

        def asked(world):
            one, = world.json("resolve")["entries"]
            self.assertEqual(one["code"], "stands-after-forget")
            return one["entries"][0]
        return self.eventually(asked)

    @case("16", "alone", "daemon")
    def deleted_words_that_are_typed_again_count_if_that_was_meant(self):
        self.world.run("resolve", "--keep", self.deleted_words_that_are_typed_again())
        return lambda world: self.assertEqual((world.json("resolve")["entries"], self.settled(world)), ([], sorted([TEA, WALK])))

    @case("16", "alone", "daemon")
    def and_go_if_it_was_not(self):
        self.world.run("resolve", "--restore", self.deleted_words_that_are_typed_again())
        self.assertNotIn(TEA, self.world.read(DURABLE))
        return lambda world: self.assertEqual((world.json("resolve")["entries"], self.settled(world)), ([], [WALK]))

    def a_line_comes_back_with_its_act(self, **meanwhile):
        tea, _ = self.durable(TEA, WALK)
        self.take_out(CORE, TEA)
        self.world.run("resolve")
        self.later(**meanwhile)
        self.world.run("resolve")
        act, *_ = self.world.json("log", "--edits")["edits"]
        self.assertEqual((act["file"], act["entry"]), (CORE, tea))
        self.world.run("restore", act["id"])
        self.assertIn(TEA, self.core(self.world))
        self.later(days=1)
        self.world.add(SHED)
        self.world.run("consolidate", "--force")
        return lambda world: self.assertIn(TEA, self.core(world))

    @case("09", "alone", "daemon")
    def a_line_of_the_core_comes_back_with_its_act_at_once(self):
        return self.a_line_comes_back_with_its_act(minutes=1)

    @case("09", "alone", "daemon")
    def and_once_it_was_demoted(self):
        return self.a_line_comes_back_with_its_act(minutes=20)

    def block(self, file, text):
        """An entry of it, with its comment."""
        return re.search(r"<!--m [^\n]*-->\n" + re.escape(text) + "\n", file).group()

    def id_of_fact(self, text):
        self.world.run("status", "--wait")
        fact, = (entry for entry in self.world.entries() if entry["text"] == text and entry["file"].startswith("archive/"))
        return fact["id"]


class WhatStandsBetweenGitsMarkers(EditsCase):
    """Committed so, or quoted: nothing says that git is waiting."""

    def conflict(self, file, ours, theirs):
        before = self.world.read(file)
        self.assertEqual(before.count(ours), 1)
        self.save(file, before.replace(ours, f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n"))
        self.world.run("resolve")
        self.expected_problems |= {"conflict-markers", "forgotten-line"}
        return before

    def core_in_conflict(self):
        """Of the line that says TEA; WALK's stands beside."""
        tea, walk = self.durable(TEA, WALK)
        line = f'<!--m {{"ref":"{tea}"}}-->\n- {TEA}\n'
        before = self.conflict(CORE, line, line.replace(tea, "c-other").replace(TEA, SHED))
        return tea, walk, before

    @case("10", "alone", "daemon")
    def a_line_beside_them_follows_its_entry(self):
        _, walk, _ = self.core_in_conflict()
        self.world.run("correct", walk, LAMP)
        return lambda world: self.assertEqual(sorted(self.core(world)), sorted([TEA, SHED, LAMP]))

    @case("10", "alone", "daemon")
    def a_side_that_is_forgotten_stays_there_and_goes_with_the_answer(self):
        tea, *_ = self.core_in_conflict()
        bytes_then = self.world.read(CORE)
        self.world.run("forget", tea)
        self.assertEqual(self.world.read(CORE), bytes_then)
        self.assertNotIn(TEA, self.world.json("context")["l0"])
        self.world.run("restore", tea)
        self.assertEqual(self.world.read(CORE), bytes_then)
        self.world.run("forget", tea)
        self.world.run("resolve", CORE)
        self.world.run("resolve")
        return lambda world: self.assertNotIn(TEA, self.core(world))

    @case("10", "alone", "daemon")
    def a_side_does_not_come_with_an_older_file(self):
        _, walk, before = self.core_in_conflict()
        self.world.run("correct", walk, LAMP)
        self.save(CORE, before)
        self.world.run("resolve")
        return lambda world: self.assertEqual(sorted(self.core(world)), sorted([TEA, LAMP]))

    @case("10", "alone", "daemon")
    def a_run_says_why_it_promotes_nothing(self):
        self.core_in_conflict()
        self.world.add(LAMP)
        self.later(hours=1)
        note, = self.consolidate()["notes"]
        self.assertIn("'loci resolve MEMORY.md'", note)
        return lambda world: self.assertNotIn(LAMP, self.core(world))

    @case("10", "alone", "daemon")
    def no_side_of_the_archive_becomes_an_entry(self):
        self.world.add(TEA)
        day, = (entry["file"] for entry in self.world.entries() if entry["text"] == TEA)
        fact = re.search(r"<!--m [^\n]*-->\n" + re.escape(TEA) + "\n", self.world.read(day)).group()
        self.conflict(day, fact, fact.replace(TEA, MINT))
        self.world.add(WALK)
        self.consolidate()
        self.assertEqual(self.settled(self.world), [WALK])
        self.save(day, self.world.read(day).replace("<<<<<<< HEAD\n", "").replace(f"=======\n{fact.replace(TEA, MINT)}>>>>>>> other\n", ""))
        self.world.run("resolve")
        self.consolidate()
        return lambda world: self.assertEqual(self.settled(world), sorted([TEA, WALK]))


if __name__ == "__main__":
    unittest.main()
