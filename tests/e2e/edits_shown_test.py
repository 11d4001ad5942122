"""What MEMORY.md and the entries show keeps up with what a person does, and no word of theirs is shortened away.

usage: edits_shown_test.py LOCI [MOVED_CLOCK_LIBRARY]
"""
import json
import re
import unittest

from edits_case import AT_NIGHT, BOAT, CORE, DURABLE, LAMP, MAST, MINT, SHED, TEA, WALK, YARD, EditsCase, case

BLACK = "Prefers black tea at four."
LONG, SHORT = "Prefers green tea at four, from the blue pot.", "Prefers green tea at four."


class WhatMemoryShows(EditsCase):
    def mint_instead_of_tea(self, world):
        self.assertIn(MINT, self.core(world))
        self.assertIn(MINT, self.settled(world))
        self.assertNotIn(TEA, world.texts())

    def shows_at_once(self, new, before):
        """In the place of the old one."""
        after = [new if line == TEA else line for line in before]
        self.assertEqual(self.core(self.world), after)
        return lambda world: self.assertEqual(self.core(world), after)

    @case("19")
    def a_line_that_is_set_back_to_its_first_wording_is_a_correction(self):
        self.durable(TEA, WALK)
        self.change(DURABLE, TEA, MINT, typed=False)
        self.world.add(LAMP)
        self.consolidate()
        self.assertIn(MINT, self.core(self.world))
        self.change(CORE, MINT, TEA)
        self.world.add(BOAT)
        self.consolidate()

        def check(world):
            self.assertEqual(sorted(self.core(world)), sorted([TEA, WALK, LAMP]))
            self.assertEqual(self.entries(world)[TEA]["source"], "correction")
            self.assertNotIn(MINT, world.texts())
        return check

    def reworded_and_taken_back(self, take_back):
        self.durable(TEA, WALK)
        self.use_git()
        before, self.opened = self.core(self.world), self.world.read(CORE)
        self.change(CORE, TEA, MINT, typed=False)
        self.world.add(BOAT)
        self.consolidate()
        self.assertIn(MINT, self.settled(self.world))
        take_back()
        self.consolidate()

        def check(world):
            self.assertEqual([line for line in self.core(world) if line != BOAT], before)
            self.assertIn(TEA, self.settled(world))
            self.assertNotIn(MINT, world.texts())
        return check

    @case("19")
    def a_line_is_undone_in_an_editor_that_has_not_read_the_file_again(self):
        return self.reworded_and_taken_back(lambda: self.save(CORE, self.opened))

    @case("19", "alone", "daemon")
    def a_line_is_taken_back_with_git(self):
        return self.reworded_and_taken_back(lambda: self.git("checkout", "-q", "--", CORE))

    @case("20", "alone")
    def a_line_that_was_changed_before_any_daemon_ran_is_understood(self):
        self.durable(TEA, WALK)
        self.change(CORE, TEA, MINT)
        self.start_daemon()
        return self.mint_instead_of_tea

    @case("20", "alone")
    def a_line_that_is_changed_when_a_daemon_has_just_started_is_understood(self):
        self.durable(TEA, WALK)
        self.start_daemon()
        self.change(CORE, TEA, MINT)
        return self.mint_instead_of_tea

    @case("21")
    def a_corrected_entry_is_shown_at_once(self):
        tea, _ = self.durable(TEA, WALK)
        before = self.core(self.world)
        self.world.run("correct", tea, MINT)
        return self.shows_at_once(MINT, before)

    @case("21")
    def an_edited_entry_is_shown_at_once(self):
        tea, _ = self.durable(TEA, WALK)
        before = self.core(self.world)
        self.world.run("edit", tea, "--text", MINT)
        return self.shows_at_once(MINT, before)

    @case("21")
    def an_entry_that_an_agent_updates_is_shown_at_once(self):
        tea, _ = self.durable(TEA, WALK)
        before = self.core(self.world)
        self.world.run("remember", stdin=json.dumps({"action": "update", "layer": "L1", "target_id": tea, "content": MINT}))
        self.expected_problems = {"agents-changes"}
        shows = self.shows_at_once(MINT, before)

        def check(world):
            shows(world)
            self.assertEqual({entry["source"] for entry in world.entries() if entry["text"] == MINT}, {"agent"})
        return check

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

    @case("22")
    def an_entry_that_was_edited_in_its_file_is_shown(self):
        self.durable(TEA, WALK)
        self.change(DURABLE, TEA, MINT)
        if not self.running:
            self.world.add(BOAT)
        return lambda world: self.assertEqual(sorted(self.core(world)), sorted([MINT, WALK]))

    @case("24d")
    def what_a_shortened_line_had_left_out_stays_when_the_line_is_changed(self):
        self.use_model(promote=[{"when": "green tea", "line": SHORT}])
        self.durable(LONG)
        self.assertEqual(self.core(self.world), [SHORT])
        self.change(CORE, SHORT, MINT)
        if not self.running:
            self.world.run("forget", self.world.add(LAMP))

        def check(world):
            self.assertEqual(self.core(world), [MINT])
            self.assertIn(MINT, world.texts())
            self.assertIn(LONG, world.texts())
        return check


class TwoMachines(EditsCase):
    def correct_here_and_there(self):
        tea, _ = self.durable(TEA, WALK)
        self.use_git()
        self.commit()
        there = self.git_clone()
        there.run("correct", tea, MINT)
        self.commit(world=there)
        self.world.run("correct", tea, BLACK)
        self.commit()
        self.git("pull", "-q", "--no-rebase", "--no-edit", str(there.vault), "main", may_fail=True)
        self.expected_problems = {"conflict-markers", "conflict", "corrected-twice"}

        def check(world):
            texts = world.texts()
            self.assertIn(MINT, texts)
            self.assertIn(BLACK, texts)
            self.assertNotIn(TEA, texts)
            said = world.run("status", "--wait")
            self.assertIn("conflict", said)
            self.assertIn("loci resolve", said)
        return check

    @case("23")
    def two_corrections_of_one_entry_are_a_conflict(self):
        return self.correct_here_and_there()

    @case("23", "alone", "daemon")
    def two_corrections_are_a_conflict_where_git_merges_without_loci(self):
        self.use_git()
        self.git("config", "--remove-section", "merge.loci")
        return self.correct_here_and_there()


class WordsOfAPerson(EditsCase):
    @case("24b", "alone", "daemon")
    def a_persons_words_stay_when_one_of_the_facts_is_forgotten(self):
        shed, _ = self.entry_of_two_facts()["from"]
        mine = "Shed and yard: locked at night, and the gate too."
        self.change(DURABLE, AT_NIGHT, mine)
        still_say = self.world.json("forget", shed)["still_say"]
        self.assertEqual([entry["text"] for entry in still_say if entry["file"] == DURABLE], [mine])

        def check(world):
            self.assertEqual(self.settled(world), [mine])
            self.assertNotIn(SHED, world.texts())
            self.assertIn(YARD, world.texts())
        return check

    def cut_and_paste(self):
        boat, _ = self.durable(BOAT, MAST)
        before = self.world.read(DURABLE)
        self.take_out(DURABLE, BOAT)
        self.later(minutes=20)
        self.world.run("consolidate", "--force")
        self.save(DURABLE, before)
        self.world.run("consolidate", "--force")
        return boat

    @case("24c")
    def an_entry_that_is_pasted_back_late_is_listed(self):
        self.cut_and_paste()
        self.expected_problems = {"stands-after-forget"}

        def check(world):
            problem, = self.problems(world, "stands-after-forget")
            self.assertEqual(problem["file"], DURABLE)
            self.assertIn("--keep", problem["message"])
            self.assertEqual(self.settled(world), [MAST])
        return check

    @case("24c")
    def an_entry_that_is_pasted_back_late_counts_when_a_person_says_so(self):
        boat = self.cut_and_paste()
        self.world.run("resolve", boat, "--keep")

        def check(world):
            self.assertEqual(self.settled(world), [BOAT, MAST])
            self.assertEqual(self.facts(world)["deleted"], 0)
        return check

    OWN = "Coffee is served in the blue cups."  # no preference: it stays because it was shown

    def without_its_comment(self):
        """Reworded, and then its comment taken away. What was in the buffer before that."""
        self.durable(TEA, WALK)
        self.change(DURABLE, TEA, self.OWN)
        self.world.run("resolve")
        before = self.world.read(DURABLE)
        comment = re.search(r"<!--m [^\n]*-->\n(?=" + re.escape(self.OWN) + ")", before).group()
        self.save(DURABLE, before.replace(comment, ""))
        self.world.run("resolve")
        return before

    def run_with_news(self, fact):
        self.later(days=1)
        self.world.add(fact)
        self.consolidate()

    def own_is_shown(self, world):
        self.assertIn(self.OWN, self.core(world))
        self.assertNotIn(TEA, self.core(world))

    @case("24d", "alone", "daemon")
    def a_text_without_its_comment_stays_in_the_core(self):
        self.without_its_comment()
        self.run_with_news(LAMP)
        self.run_with_news(BOAT)
        return self.own_is_shown

    @case("24d", "alone", "daemon")
    def an_entry_whose_comment_is_put_back_stays_in_the_core(self):
        self.save(DURABLE, self.without_its_comment())
        self.world.run("resolve")
        self.run_with_news(LAMP)
        self.run_with_news(BOAT)
        return self.own_is_shown

    @case("24d", "alone", "daemon")
    def a_text_without_its_comment_leaves_the_core_when_it_is_taken_out(self):
        self.without_its_comment()
        self.save(DURABLE, self.world.read(DURABLE).replace(self.OWN + "\n", ""))
        self.typed.remove(self.OWN)
        self.world.run("resolve")
        self.run_with_news(LAMP)

        def check(world):
            self.assertEqual(sorted(self.core(world)), sorted([WALK, LAMP]))
            self.assertEqual(self.settled(world), sorted([WALK, LAMP]))
        return check

    def reword_without_comment(self, new):
        self.save(DURABLE, self.world.read(DURABLE).replace(self.OWN, new))
        self.typed = [new if text == self.OWN else text for text in self.typed]
        self.world.run("resolve")

    def what_was_written_over_is_in_no_prompt(self, world):
        self.assertNotIn(TEA, world.texts("--layer", "L1"))
        self.assertNotIn(TEA, world.read(CORE))

    @case("24d", "alone", "daemon")
    def a_text_without_its_comment_is_made_bold(self):
        self.without_its_comment()
        self.reword_without_comment(f"**{self.OWN}**")
        self.what_was_written_over_is_in_no_prompt(self.world)
        self.run_with_news(LAMP)

        def check(world):
            self.what_was_written_over_is_in_no_prompt(world)
            self.assertEqual(world.read(DURABLE).count(self.OWN), 1)
        return check

    @case("24d", "alone", "daemon")
    def a_text_without_its_comment_gets_other_words(self):
        self.without_its_comment()
        self.run_with_news(LAMP)
        self.reword_without_comment(MINT)

        def check(world):
            self.what_was_written_over_is_in_no_prompt(world)
            self.assertNotIn(self.OWN, world.read(CORE))
        self.eventually(check)
        self.later(minutes=20)
        self.run_with_news(BOAT)
        return check

    @case("24d", "alone", "daemon")
    def a_text_without_its_comment_is_shown_again_when_it_is_put_back(self):
        self.without_its_comment()
        self.run_with_news(LAMP)
        before = self.world.read(DURABLE)
        self.save(DURABLE, before.replace(self.OWN, ""))
        self.world.run("resolve")
        self.eventually(lambda world: self.assertNotIn(self.OWN, world.read(CORE)))
        self.save(DURABLE, before)
        self.world.run("resolve")
        self.run_with_news(BOAT)
        return self.own_is_shown

    @case("24d", "alone", "daemon")
    def a_text_whose_line_was_taken_out_is_not_shown_again(self):
        self.without_its_comment()
        self.take_out(CORE, self.OWN)
        self.world.run("resolve")
        self.later(minutes=20)
        self.run_with_news(LAMP)
        before = self.world.read(DURABLE)
        self.save(DURABLE, before.replace(self.OWN, ""))
        self.world.run("resolve")
        self.save(DURABLE, before)
        self.world.run("resolve")
        self.run_with_news(BOAT)
        return lambda world: self.assertNotIn(self.OWN, self.core(world))

    @case("24d", "alone", "daemon")
    def a_text_without_its_comment_gets_it_back_with_other_words(self):
        before = self.without_its_comment()
        self.typed = [MINT]
        self.save(DURABLE, before.replace(self.OWN, MINT))
        self.world.run("resolve")
        self.run_with_news(LAMP)

        def check(world):
            self.what_was_written_over_is_in_no_prompt(world)
            self.assertIn(MINT, self.core(world))
            self.assertNotIn(self.OWN, world.read(CORE))
        return check

    @case("24d", "alone", "daemon")
    def a_text_without_its_comment_that_becomes_private_leaves_the_core_at_once(self):
        (self.world.scratch / "config/loci").mkdir(parents=True)
        (self.world.scratch / "config/loci/config.toml").write_text('[privacy]\nnever_send = ["#private"]\n')
        self.stop_daemon_for(lambda: None)
        self.without_its_comment()
        self.run_with_news(LAMP)
        self.reword_without_comment(f"{self.OWN} #private")
        return lambda world: self.assertNotIn(self.OWN, world.read(CORE))

    @case("24d", "alone", "daemon")
    def an_entry_whose_words_are_moved_among_ones_own_lines_of_the_core_is_shown_there_alone(self):
        self.durable(TEA, WALK)
        self.change(DURABLE, TEA, self.OWN)
        self.world.run("resolve")
        self.take_out(DURABLE, self.OWN)
        self.save(CORE, self.world.read(CORE) + "\n## Mine\n\n" + self.OWN + "\n")
        self.world.run("resolve")
        self.later(minutes=20)
        self.run_with_news(LAMP)

        def check(world):
            self.assertEqual(world.read(CORE).count(self.OWN), 1)
            self.assertEqual(sorted(self.core(world)), sorted([WALK, LAMP]))
            self.assertEqual(self.settled(world), sorted([WALK, LAMP]))
            self.assertNotIn(TEA, world.texts("--layer", "L1"))
        return check

    @case("24d", "alone", "daemon")
    def and_is_deleted_when_those_words_are_taken_out(self):
        self.an_entry_whose_words_are_moved_among_ones_own_lines_of_the_core_is_shown_there_alone()
        self.save(CORE, self.world.read(CORE).replace(self.OWN + "\n", ""))
        self.typed.remove(self.OWN)
        self.world.run("resolve")
        self.later(minutes=20)
        self.world.run("resolve")
        self.run_with_news(BOAT)

        def check(world):
            self.assertEqual(self.settled(world), sorted([WALK, LAMP, BOAT]))
            self.assertEqual(self.facts(world)["deleted"], 1)
        return check


if __name__ == "__main__":
    unittest.main()
