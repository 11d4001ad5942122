"""What a person took out, does not come back.

usage: edits_gone_test.py LOCI [MOVED_CLOCK_LIBRARY]
"""
import unittest

from edits_case import BOAT, CORE, DURABLE, LAMP, MANY, MAST, MINT, SHED, TEA, WALK, EditsCase, case

ZEBRA = "The zebra stands behind the barn."
SEATS = [f"Prefers seat {number} of the hall." for number in range(20)]


class WhatIsTakenOut(EditsCase):
    def run_a_day_later(self):
        self.later(days=1)
        self.consolidate()

    def deleted(self, *texts):
        """With the facts that they were made of."""
        def check(world):
            held = world.texts()
            self.assertEqual([text for text in texts if text in held or text in self.core(world) or world.found(text).count(text)], [])
            self.assertEqual(self.facts(world)["deleted"], len(texts))
        return check

    def not_shown(self, *texts):
        """Their entries stay."""
        def check(world):
            self.assertEqual([text for text in texts if text in self.core(world)], [])
            self.assertEqual([text for text in texts if text not in self.settled(world)], [])
        return check

    @case("07")
    def an_entry_that_was_taken_out_is_gone_a_day_later(self):
        self.durable(ZEBRA)
        self.take_out(DURABLE, ZEBRA)
        self.run_a_day_later()
        return self.deleted(ZEBRA)

    @case("07")
    def a_line_of_the_core_that_was_taken_out_is_not_shown_a_day_later(self):
        self.durable(TEA)
        self.take_out(CORE, TEA)
        self.run_a_day_later()
        return self.not_shown(TEA)

    @case("07")
    def two_entries_that_were_taken_out_a_minute_apart_are_gone_a_day_later(self):
        self.durable(BOAT, MAST, SHED)
        self.take_out(DURABLE, BOAT)
        self.later(minutes=1)
        self.take_out(DURABLE, MAST)
        self.run_a_day_later()
        return self.deleted(BOAT, MAST)

    @case("07")
    def a_core_of_three_lines_that_was_cleared_stays_clear(self):
        self.durable(TEA, WALK, LAMP)
        self.take_out(CORE, TEA, WALK, LAMP)
        self.run_a_day_later()
        return self.not_shown(TEA, WALK, LAMP)

    @case("09")
    def a_line_that_was_taken_out_just_before_a_run_is_not_shown_again(self):
        self.durable(TEA)
        self.take_out(CORE, TEA)
        self.world.add(WALK)
        self.consolidate()
        self.run_a_day_later()
        return self.not_shown(TEA)

    @case("31")
    def a_line_of_the_core_that_was_emptied_is_not_shown_again(self):
        self.durable(TEA, WALK)
        self.change(CORE, f"- {TEA}", "- ", typed=False)
        self.world.add(LAMP)
        self.consolidate()
        self.run_a_day_later()
        return self.not_shown(TEA)


class WhatIsAsked(EditsCase):
    def stands_a_day_later(self, file, count):
        """A run neither answers the question nor writes the file."""
        before = self.world.read(file) if (self.world.vault / file).exists() else None
        self.expected_problems = {"unresolved-edit"}
        for days in (0, 1):
            self.later(days=days)
            self.world.run("consolidate", "--force")
            self.assertEqual(self.questions(self.world), [file])
        self.assertEqual(self.world.read(file) if (self.world.vault / file).exists() else None, before)
        def check(world):
            self.assertEqual(len(self.entries(world)), count)
            facts = self.facts(world)
            self.assertEqual((facts["settled"], facts["deleted"]), (facts["total"], 0))
        return check

    @case("08", "alone", "daemon")
    def much_that_was_taken_out_at_once_is_a_question_that_no_run_answers(self):
        self.durable(*MANY)
        self.take_out(DURABLE, *MANY[:24])
        return self.stands_a_day_later(DURABLE, 6)

    @case("08", "alone", "daemon")
    def a_file_that_is_gone_is_a_question_that_no_run_answers(self):
        self.durable(*MANY)
        (self.world.vault / DURABLE).unlink()
        return self.stands_a_day_later(DURABLE, 0)

    @case("08", "alone", "daemon")
    def what_ends_leaves_a_core_that_is_asked_about(self):
        self.durable(*SEATS)
        shown = self.core(self.world)
        self.take_out(CORE, *shown[:12])
        self.world.run("resolve")
        self.expected_problems = {"unresolved-edit"}
        self.assertEqual(self.questions(self.world), [CORE])
        forgotten, corrected, *others = shown[12:]
        self.world.run("forget", self.id_of(forgotten, DURABLE))
        self.world.run("correct", self.id_of(corrected, DURABLE), BOAT)
        self.assertEqual(set(self.core(self.world)) - {BOAT}, set(others))
        return lambda world: self.assertEqual(self.questions(world), [CORE])

    def put_back_after_a_forget(self, name, *gone):
        """By hand, into the file as it is by then."""
        before = self.world.read(name)
        shown = self.core(self.world) if name == CORE else gone
        self.take_out(name, *shown[:12])
        self.world.run("resolve")
        self.assertEqual(self.questions(self.world), [name])
        self.world.run("forget", self.id_of(shown[12], DURABLE))
        self.save(name, before)
        self.take_out(name, shown[12])
        self.world.run("resolve")
        return lambda world: self.assertEqual(self.questions(world), [])

    @case("08", "alone", "daemon")
    def nothing_is_asked_about_lines_of_the_core_that_are_all_back(self):
        self.durable(*SEATS)
        return self.put_back_after_a_forget(CORE)

    @case("08", "alone", "daemon")
    def nothing_is_asked_about_entries_that_are_all_back(self):
        self.durable(*MANY)
        return self.put_back_after_a_forget(DURABLE, *MANY)

    @case("08", "alone", "daemon")
    def a_file_that_is_gone_is_asked_about_and_not_made_anew(self):
        self.durable(BOAT, MAST)
        (self.world.vault / DURABLE).unlink()
        self.world.run("init", self.world.vault)
        self.assertFalse((self.world.vault / DURABLE).exists())
        self.expected_problems = {"unresolved-edit"}
        self.later(minutes=20)
        self.world.run("resolve")
        self.assertEqual([problem["code"] for problem in self.world.json("status")["problems"]], ["unresolved-edit"])
        self.world.run("resolve", "--restore", DURABLE)
        return lambda world: self.assertEqual(self.settled(world), [BOAT, MAST])

    @case("08", "alone", "daemon")
    def a_cleared_core_is_a_question_that_no_run_answers(self):
        self.durable(*SEATS)
        shown = self.core(self.world)
        self.assertGreater(len(shown), 10)
        self.take_out(CORE, *shown)
        return self.stands_a_day_later(CORE, len(SEATS))


class WhatGitTells(EditsCase):
    def three_edits(self, world):
        """An entry goes, a line of the core changes, another goes."""
        self.take_out(DURABLE, BOAT, world=world)
        self.take_out(CORE, WALK, world=world)
        self.typed.append(MINT)
        world.write(CORE, world.read(CORE).replace(TEA, MINT))

    def three_edits_count(self, world):
        self.assertNotIn(BOAT, world.texts())
        self.assertIn(BOAT, world.texts("--inactive"))
        self.assertIn(MINT, self.core(world))
        self.assertIn(MINT, self.settled(world))
        self.assertNotIn(TEA, world.texts())
        self.assertNotIn(WALK, self.core(world))
        self.assertIn(WALK, self.settled(world))

    def share_three(self):
        self.durable(TEA, WALK, BOAT, MAST)
        self.use_git()
        self.commit()

    def decide(self):
        self.later(days=1)
        self.world.run("consolidate", "--force")
        return self.three_edits_count

    def taken_back_and_edited_before_anybody_looks(self, *words):
        """What a run added goes with the ledger lines that made it, and stays away."""
        self.durable(TEA, WALK, BOAT)
        self.use_git()
        self.commit()
        self.world.add(LAMP)
        self.consolidate()
        self.commit()
        self.world.run("resolve")
        self.stop_daemon_for(lambda: (self.git(*words), self.change(DURABLE, BOAT, MAST)))
        self.world.run("resolve")
        self.later(days=1)
        self.world.run("consolidate", "--force")

        def check(world):
            self.assertEqual(self.settled(world), sorted([TEA, WALK, MAST]))
            self.assertNotIn(LAMP, self.core(world))
        return check

    @case("11", "alone", "daemon")
    def what_a_reset_took_back_stays_away_from_an_edited_file(self):
        return self.taken_back_and_edited_before_anybody_looks("reset", "-q", "--hard", "HEAD~1")

    @case("11", "alone", "daemon")
    def what_a_revert_took_back_stays_away_from_an_edited_file(self):
        return self.taken_back_and_edited_before_anybody_looks("revert", "--no-edit", "HEAD")

    @case("11")
    def edits_count_though_they_are_committed_at_once(self):
        self.share_three()
        self.three_edits(self.world)
        self.set_clock(30)
        self.git("commit", "-q", "-am", "Edited")
        return self.decide()

    @case("11")
    def edits_count_though_something_else_is_pulled_at_once(self):
        self.share_three()
        phone = self.git_clone()
        phone.write("notes/harbour.md", "The harbour is closed on Sundays.\n")
        self.commit(world=phone)
        self.three_edits(self.world)
        self.set_clock(30)
        self.git("pull", "-q", "--ff-only", str(phone.vault), "main")
        return self.decide()

    @case("12")
    def edits_that_were_made_where_there_is_no_loci_count_here(self):
        self.share_three()
        phone = self.git_clone()
        self.three_edits(phone)
        self.commit(world=phone)
        self.git("pull", "-q", "--ff-only", str(phone.vault), "main")
        return self.decide()

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

    @case("13", "alone", "daemon")
    def on_an_older_branch_no_line_of_the_core_follows_its_entry(self):
        self.durable(TEA, BOAT)
        self.use_git()
        self.commit()
        phone = self.git_clone()
        phone.write(DURABLE, phone.read(DURABLE).replace(TEA, MINT))
        self.commit(world=phone)
        self.stop_daemon_for(lambda: (self.git("pull", "-q", "--ff-only", str(phone.vault), "main"), self.git("branch", "older")))
        self.world.run("resolve")
        self.assertIn(MINT, self.core(self.world))
        self.commit()
        self.git("checkout", "-q", "older")
        before = self.core_bytes(self.world)
        self.world.add(WALK)
        self.world.run("status", "--wait")
        self.assertEqual(self.core_bytes(self.world), before)
        self.git("stash", "-q")
        self.git("checkout", "-q", "main")
        self.git("stash", "pop", "-q")
        self.later(days=1)
        self.world.run("consolidate", "--force")
        return lambda world: self.assertEqual(self.settled(world), sorted([BOAT, MINT, WALK]))

    @case("13", "alone", "daemon")
    def what_a_command_wrote_on_an_older_branch_is_not_written_on_the_other_one(self):
        _, boat = self.durable(TEA, BOAT)
        self.use_git()
        self.commit()
        self.git("branch", "older")
        self.world.add(WALK)
        self.consolidate()
        self.commit()
        self.git("checkout", "-q", "older")
        self.world.run("correct", boat, MAST)
        self.world.run("status", "--wait")
        self.commit()
        self.git("checkout", "-q", "main")
        self.world.run("status", "--wait")
        self.world.run("resolve")
        self.assertEqual((self.git("status", "--short"), self.settled(self.world)), ("", sorted([TEA, BOAT, WALK])))
        self.git("merge", "-q", "-m", "Both", "older", may_fail=True)
        self.world.run("resolve")
        self.commit()
        return lambda world: self.assertEqual(self.settled(world), sorted([TEA, MAST, WALK]))

    @case("13", "alone", "daemon")
    def edits_on_a_new_branch_count_at_once_and_once(self):
        self.share_three()
        self.git("checkout", "-q", "-b", "next")
        self.three_edits(self.world)
        self.world.run("resolve")
        self.world.run("resolve")
        self.change(DURABLE, MAST, SHED)
        return self.decide()

    @case("13", "alone", "daemon")  # git itself refuses the pull
    def a_branch_below_the_name_of_one_that_is_gone_is_no_other_branch(self):
        self.use_git()
        self.git("checkout", "-q", "-b", "attempt")
        self.durable(TEA, BOAT)
        self.commit()
        self.git("checkout", "-q", "main")
        self.git("branch", "-q", "-D", "attempt")
        self.git("checkout", "-q", "-b", "attempt/second")
        self.world.add(WALK)
        self.consolidate()

        def check(world):
            self.assertIn(WALK, set(self.entries(world)))
        return check


if __name__ == "__main__":
    unittest.main()
