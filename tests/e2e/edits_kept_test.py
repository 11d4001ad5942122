"""Nobody meant to delete what git, a stash or an old buffer of an editor takes away.

usage: edits_kept_test.py LOCI [MOVED_CLOCK_LIBRARY]
"""
import unittest

from edits_case import BOAT, CORE, DURABLE, LAMP, MAST, MINT, SHED, TEA, WALK, EditsCase, case


class WhatComesBack(EditsCase):
    """What loci has acknowledged, and nobody meant to take."""

    def day(self):
        return next(iter((self.world.vault / "archive").glob("*.md")))

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

    @case("24a", "alone")
    def a_stash_deletes_nothing(self):
        self.settled_under_git()
        self.world.add(WALK)
        self.consolidate()
        self.change(DURABLE, "Kiel", "Flensburg", typed=False)
        self.git("stash", "-q")
        self.later(minutes=20)
        self.world.run("consolidate", "--force")
        self.git("stash", "pop", "-q")
        self.settle_and_wait()
        return self.nothing_was_deleted(TEA, WALK)

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
