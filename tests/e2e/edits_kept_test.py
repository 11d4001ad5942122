"""Nobody meant to delete what git, a stash or an old buffer of an editor takes away.

usage: edits_kept_test.py LOCI [MOVED_CLOCK_LIBRARY]
"""
import time
import unittest

from edits_case import BOAT, DURABLE, LAMP, MAST, SHED, TEA, WALK, EditsCase, case

AT_REST = 2.5  # seconds after which a file counts as saved (vault/archive/suspect_files.cpp), and a little


class WhatComesBack(EditsCase):
    def day(self):
        day, = (self.world.vault / "archive").glob("*.md")
        return str(day.relative_to(self.world.vault))

    @case("24", "alone", "daemon")
    def the_last_entry_of_a_day_comes_back_and_status_says_once_why(self):
        for text in (BOAT, MAST):
            self.world.add(text)
        self.world.run("status", "--wait")
        self.take_out(self.day(), MAST)
        if not self.running:
            self.world.add(SHED)

        def check(world):
            self.assertEqual(world.texts().count(MAST), 1)
            self.assertEqual(world.read(self.day()).count(MAST), 1)
            said = [problem["message"] for problem in self.problems(world, "came-back")]
            self.assertEqual(len(said), 1)
            self.assertIn("loci forget", said[0])
        self.eventually(check)
        self.assertIn("loci forget", self.world.run("status"))
        self.assertEqual(self.problems(self.world, "came-back"), [])

    @case("24a", "alone", "daemon")
    def a_day_that_an_editor_had_before_it_was_committed_keeps_what_was_appended_since(self):
        self.use_git()
        self.world.add(BOAT)
        self.world.run("status", "--wait")
        day = self.day()
        buffer = self.world.read(day)
        for text in (MAST, SHED):
            self.world.add(text)
        self.commit()
        self.set_clock(3600)
        self.world.add(LAMP)  # shortly before midnight on the next day's page
        is_of_yesterday = LAMP not in self.world.read(day)
        self.save(day, buffer)
        if is_of_yesterday:  # nothing is appended to that page any more: it is looked at once the save is at rest
            time.sleep(AT_REST)
        self.world.add(TEA)

        def check(world):
            held = world.texts()
            self.assertEqual(held, sorted([BOAT, MAST, SHED, LAMP, TEA]))
        return check

    # --- git ---

    def settled_under_git(self):
        self.durable(TEA, BOAT)
        self.use_git()
        self.commit()

    def nothing_was_deleted(self, *texts):
        def check(world):
            self.assertEqual(self.facts(world)["deleted"], 0)
            held = world.texts()
            self.assertEqual([text for text in texts if text not in held], [])
        return check

    def settle_and_wait(self):
        self.world.add(SHED)
        self.world.run("consolidate", "--force")
        self.later(days=1)
        self.world.run("consolidate", "--force")
        self.world.run("status", "--wait")

    @case("24a", "alone", "daemon")
    def a_stash_deletes_nothing(self):
        self.settled_under_git()
        self.world.add(WALK)
        self.consolidate()
        self.change(DURABLE, "Kiel", "Flensburg", typed=False)
        self.world.run("status", "--wait")
        self.git("stash", "-q")
        self.later(minutes=20)
        self.world.run("consolidate", "--force")
        self.git("stash", "pop", "-q")
        self.settle_and_wait()
        flensburg = BOAT.replace("Kiel", "Flensburg")

        def check(world):
            self.nothing_was_deleted(TEA, WALK, flensburg)(world)
            self.assertEqual(self.settled(world), sorted([TEA, WALK, flensburg, SHED]))
        return check

    @case("24a", "alone", "daemon")
    def an_uncommitted_day_that_git_restores_deletes_nothing(self):
        self.settled_under_git()
        self.world.add(WALK)
        self.consolidate()
        self.git("restore", ".")
        self.world.add(LAMP)
        self.eventually(self.nothing_was_deleted(WALK, LAMP))
        self.settle_and_wait()
        return self.nothing_was_deleted(TEA, BOAT, WALK)

    @case("24a", "alone", "daemon")
    def an_amended_commit_deletes_nothing(self):
        self.settled_under_git()
        self.world.add(WALK)
        self.consolidate()
        self.commit()
        self.world.write("note.md", "The harbour is closed on Sundays.\n")
        self.git("add", "-A")
        self.git("commit", "-q", "--amend", "-m", "Amended")
        self.settle_and_wait()
        return self.nothing_was_deleted(TEA, BOAT, WALK)

    @case("24a", "alone", "daemon")
    def a_pull_with_a_rebase_deletes_nothing(self):
        self.settled_under_git()
        phone = self.git_clone()
        phone.write("notes/harbour.md", "The harbour is closed on Sundays.\n")
        self.commit(world=phone)
        self.world.add(WALK)
        self.consolidate()
        self.commit()
        self.git("pull", "-q", "--rebase", str(phone.vault), "main")
        self.settle_and_wait()
        return self.nothing_was_deleted(TEA, BOAT, WALK)

    @case("24a", "alone", "daemon")
    def a_run_that_git_reverts_deletes_nothing(self):
        self.settled_under_git()
        self.world.add(WALK)
        self.commit()
        self.consolidate()
        self.commit()
        self.git("revert", "--no-edit", "HEAD")
        self.settle_and_wait()
        return self.nothing_was_deleted(TEA, BOAT, WALK)


if __name__ == "__main__":
    unittest.main()
