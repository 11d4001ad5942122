"""Nobody meant to delete what git, a stash or an old buffer of an editor takes away.

usage: edits_kept_test.py LOCI [MOVED_CLOCK_LIBRARY]
"""
import re
import shutil
import time
import unittest

from edits_case import BOAT, CORE, DURABLE, LAMP, MAST, MINT, SHED, TEA, WALK, EditsCase, case

HUSUM, USER, ICED = "The boat lies in Husum.", "user.md", "Prefers iced tea at four."
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

    # --- a buffer from before a correction ---

    def move_out_of(self, buffer, text):
        """From an old buffer to another file, and the rest is saved; what it says now."""
        block = re.search(r"<!--m [^\n]*-->\n" + re.escape(text) + r"\n\n?", buffer).group()
        rest = buffer.replace(block, "")
        self.stop_daemon_for(lambda: (self.save("consolidated/other.md", "# Other\n\n" + block), self.save(DURABLE, rest)))
        self.world.run("resolve")
        self.later(minutes=20)
        self.world.run("resolve")

    @case("24b", "alone", "daemon")
    def a_correction_stands_though_what_it_corrected_was_moved_out_of_an_old_buffer(self):
        boat, *_ = self.durable(BOAT, TEA, WALK)
        buffer = self.world.read(DURABLE)
        self.world.run("correct", boat, HUSUM)
        self.expected_problems = {"stands-after-forget"}
        self.move_out_of(buffer, BOAT)

        def check(world):
            self.assertIn(HUSUM, self.settled(world))
            self.assertIn("was corrected", self.problems(world, "stands-after-forget")[0]["message"])
        return check

    @case("24b", "alone", "daemon")
    def what_a_run_added_stands_though_something_was_moved_out_of_an_old_buffer(self):
        self.durable(BOAT, TEA)
        buffer = self.world.read(DURABLE)
        self.world.add(WALK)
        self.consolidate()
        self.move_out_of(buffer, BOAT)
        return lambda world: self.assertEqual(self.settled(world), sorted([BOAT, TEA, WALK]))

    @case("24b", "alone", "daemon")
    def a_correction_that_was_forgotten_and_restored_can_be_taken_out_by_hand(self):
        self.save(DURABLE, "# Memory\n\nMine.\n")
        self.world.run("resolve")
        boat, = self.durable(BOAT)
        self.world.run("correct", boat, HUSUM)
        self.later(minutes=2)
        husum = self.id_of(HUSUM, DURABLE)
        self.world.run("forget", husum)
        self.world.run("restore", husum)
        self.take_out(DURABLE, HUSUM)
        self.world.run("resolve")
        self.later(minutes=20)
        self.world.run("consolidate", "--force")
        return lambda world: self.assertEqual((self.questions(world), self.settled(world)), ([], ["Mine."]))

    @case("24b", "alone", "daemon")
    def a_correction_that_is_missing_as_it_was_not_made_yet_is_asked_about_and_found_meanwhile(self):
        self.save(DURABLE, "# Memory\n\nMine.\n")
        self.world.run("resolve")
        buffer = self.world.read(DURABLE)
        boat, = self.durable(BOAT)
        self.world.run("correct", boat, HUSUM)
        self.later(minutes=2)
        self.save(DURABLE, buffer)
        self.world.run("resolve")
        self.later(minutes=20)

        def check(world):
            self.assertEqual(self.questions(world), [DURABLE])
            self.assertIn("before you corrected an entry", self.problems(world, "unresolved-edit")[0]["message"])
            self.assertIn(HUSUM, self.archived(world))
        self.eventually(check)
        self.world.run("resolve", "--restore", DURABLE)
        return lambda world: self.assertEqual((self.questions(world), self.settled(world)), ([], ["Mine.", HUSUM]))

    def a_line_of_user_md_that_is_typed_again_beside_its_correction(self):
        self.save(USER, f"# User\n\n- {TEA}\n- {WALK}\n")
        wrong = self.id_of(TEA)
        buffer = self.world.read(USER)
        self.world.run("correct", wrong, MINT)
        self.assertEqual(self.world.read(USER), buffer.replace(TEA, MINT))
        self.save(USER, f"{self.world.read(USER)}- {TEA}\n")

        def check(world):
            asked, = world.json("resolve")["entries"]
            self.assertEqual((asked["code"], asked["file"], asked["entries"]), ("stands-after-forget", USER, [wrong]))
            self.assertEqual(self.problems(world, "stands-after-forget"), [asked])
        self.eventually(check)
        return wrong

    def nothing_is_asked_and_user_md_says(self, *lines):
        def check(world):
            self.assertEqual(world.json("resolve")["entries"], [])
            self.assertEqual(world.read(USER), "# User\n\n" + "".join(f"- {line}\n" for line in lines))
            self.assertEqual(sorted(entry["text"] for entry in world.entries() if entry["file"] == USER), sorted(lines))
        return check

    @case("24b", "alone", "daemon")
    def it_is_asked_about_and_goes(self):
        wrong = self.a_line_of_user_md_that_is_typed_again_beside_its_correction()
        self.world.run("resolve", "--restore", wrong)
        return self.nothing_is_asked_and_user_md_says(MINT, WALK)

    @case("24b", "alone", "daemon")
    def it_is_asked_about_and_counts_again_if_that_was_meant(self):
        wrong = self.a_line_of_user_md_that_is_typed_again_beside_its_correction()
        self.world.run("resolve", "--keep", wrong)
        return self.nothing_is_asked_and_user_md_says(WALK, TEA)

    @case("24b", "alone", "daemon")
    def a_line_of_user_md_that_was_forgotten_and_is_typed_again_is_asked_about(self):
        self.save(USER, f"# User\n\n- {TEA}\n- {WALK}\n")
        wrong = self.id_of(TEA)
        self.world.run("forget", wrong)
        self.save(USER, f"{self.world.read(USER)}- {TEA}\n")
        self.eventually(lambda world: self.assertEqual([one["entries"] for one in world.json("resolve")["entries"]], [[wrong]]))
        self.world.run("resolve", "--restore", wrong)
        return self.nothing_is_asked_and_user_md_says(WALK)

    # --- a line of MEMORY.md whose entry ended elsewhere ---

    def a_line_that_was_reworded_while_its_entry_was_forgotten_elsewhere(self):
        tea, _ = self.durable(TEA, WALK)
        self.use_git()
        self.commit()
        other = self.git_clone()
        other.run("forget", tea)
        log = next((other.vault / ".loci/tombstones").glob("otherhost*"))
        brought = self.world.vault / ".loci/tombstones" / log.name
        brought.parent.mkdir(exist_ok=True)
        self.stop_daemon_for(lambda: (self.change(CORE, f"- {TEA}", f"- {ICED}", typed=False), shutil.copy(log, brought),
                                      shutil.copy(other.vault / DURABLE, self.world.vault / DURABLE)))
        self.typed.append(ICED)
        self.world.run("resolve")
        self.later(minutes=20)

        def check(world):
            asked, = world.json("resolve")["entries"]
            line, = (entry["id"] for entry in world.entries() if entry["text"] == ICED)
            self.assertEqual((asked["code"], asked["file"], asked["entries"]), ("edited-after-forget", CORE, [line]))
            self.assertIn(ICED, self.core(world))
            return line
        return self.eventually(check)

    def the_core_says(self, *lines):
        def check(world):
            self.assertEqual(world.json("resolve")["entries"], [])
            self.assertEqual(sorted(self.core(world)), sorted(lines))
        return check

    @case("24c", "alone", "daemon")
    def words_over_a_promoted_line_whose_entry_was_forgotten_elsewhere_stand_and_are_asked_about(self):
        line = self.a_line_that_was_reworded_while_its_entry_was_forgotten_elsewhere()
        self.world.run("resolve", "--keep", line)
        return self.the_core_says(ICED, WALK)

    @case("24c", "alone", "daemon")
    def and_leave_the_core_if_they_are_not_meant(self):
        line = self.a_line_that_was_reworded_while_its_entry_was_forgotten_elsewhere()
        self.typed.remove(ICED)
        self.world.run("resolve", "--restore", line)
        return self.the_core_says(WALK)

    @case("24", "alone", "daemon")
    def lines_of_an_earlier_file_that_is_put_back_after_it_was_gone_stand_but_for_what_was_forgotten(self):
        file = f"# Home\n\n- {TEA}\n- {WALK}\n- {SHED}\n"
        self.save("consolidated/home.md", file)
        self.world.run("resolve")
        tea = self.id_of(TEA)
        self.world.run("forget", tea)
        (self.world.vault / "consolidated/home.md").unlink()
        self.world.run("resolve")
        self.save("consolidated/home.md", file)

        def check(world):
            world.run("resolve")
            found = world.texts("--layer", "L1")
            self.assertEqual((TEA in found, WALK in found, SHED in found), (False, True, True))
            self.assertIn(WALK, world.read("consolidated/home.md"))
        return check


if __name__ == "__main__":
    unittest.main()
