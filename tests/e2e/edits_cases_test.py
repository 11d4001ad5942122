"""What a person did to loci's files is what counts: edits that are easily misunderstood, each with a daemon, without one, and told to
a clone.

usage: edits_cases_test.py LOCI [MOVED_CLOCK_LIBRARY]
"""
import json
import unittest

from edits_case import CORE, DURABLE, EditsCase, case
from running_daemon import until
from world import World

TEA, WALK, LAMP = "Prefers green tea at four.", "Prefers to walk to the office.", "Prefers the lamp on the left."
BOAT, MAST, SHED = "The boat lies in Kiel.", "The mast is made of ash.", "The shed key hangs behind the door."
MANY = [f"The jar on shelf {number} holds seed {number * 7}." for number in range(30)]


class WhatWasTyped(EditsCase):
    """No word of a person's is lost."""

    def import_into_a_new_vault(self):
        exported = self.world.scratch / "exported.json"
        exported.write_text(self.world.run("export"))
        new = World(host="newhost")
        self.addCleanup(new.close)
        new.run("init", new.vault)
        new.run("import", "--from", "loci", exported)
        return new

    def check_rebuilt(self, new, wanted):
        for world in (self.world, new):
            self.consolidate("--rebuild", world=world)
            self.assertEqual(set(self.entries(world)), set(wanted))
        self.prove(new)

    def both_are_corrections(self, world):
        held = self.entries(world)
        self.assertEqual({text: held[text]["source"] for text in (TEA, WALK) if text in held}, {TEA: "correction", WALK: "correction"})

    def check_written_after_a_deletion(self, new, old):
        def check(world):
            held = self.entries(world)
            self.assertIn(new, list(held))
            self.assertIn(held[new]["source"], ("user", "correction"))
            self.assertNotIn(old, world.texts())
            self.assertEqual(len(self.problems(world, "edited-after-forget")), 1)
        return check

    def forget_here_and_reword_there(self, *answer):
        boat, _ = self.durable(BOAT, MAST)
        self.use_git()
        self.git("config", "--remove-section", "merge.loci")  # git as it is where nobody has set loci's driver up
        self.commit()
        there = self.git_clone()
        there.write(DURABLE, there.read(DURABLE).replace("Kiel", "Flensburg"))
        self.commit(world=there)
        self.world.run("forget", boat)
        self.commit()
        self.git("pull", "-q", "--no-rebase", "--no-edit", str(there.vault), "main", may_fail=True)
        self.world.run("resolve", *answer, DURABLE)
        if (self.world.vault / ".git/MERGE_HEAD").exists():
            self.commit()

    @case("05", "alone", "daemon")
    def one_machine_forgets_what_another_rewords_and_ours_is_the_deletion(self):
        self.forget_here_and_reword_there("--ours")
        return lambda world: self.assertEqual(set(self.entries(world)), {MAST})


class WhatIsGone(EditsCase):
    """What a person took out does not come back."""

    def assert_deleted(self, *texts, facts=True):
        def check(world):
            for text in texts:
                self.assertNotIn(text, self.settled(world))
                self.assertEqual(world.found(text).count(text), 0)
            if facts:
                self.assertEqual(self.facts(world)["deleted"], len(texts))
        return check

    def three_edits(self, world):
        """An entry goes, a line of the core changes, another goes."""
        durable = world.read(DURABLE)
        metadata = next(line for line in durable.splitlines() if line.startswith("<!--m") and durable.split(line)[1].startswith(f"\n{BOAT}"))
        world.write(DURABLE, durable.replace(f"{metadata}\n{BOAT}\n", ""))
        core = world.read(CORE)
        walk = next(line for line in core.splitlines() if line.startswith("<!--m") and core.split(line)[1].startswith(f"\n- {WALK}"))
        world.write(CORE, core.replace(f"{walk}\n- {WALK}\n", "").replace(TEA, "Prefers mint tea at four."))
        self.typed.append("Prefers mint tea at four.")

    def three_edits_count(self, world):
        self.assertNotIn(BOAT, world.texts())
        self.assertEqual(len([each for each in self.archived(world, "--inactive") if each == BOAT]), 1)
        self.assertIn("Prefers mint tea at four.", self.core(world))
        self.assertIn("Prefers mint tea at four.", world.texts())
        self.assertNotIn(TEA, world.texts())
        self.assertNotIn(WALK, self.core(world))
        self.assertIn(WALK, world.texts())

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

    def conflicting_merge(self):
        for branch, text in (("topic", "Coffee is best."), ("main", "Water is best.")):
            self.git("checkout", "-q", *(("-b",) if branch == "topic" else ()), branch)
            self.world.write("note.md", f"{text}\n")
            self.commit()
        self.git("merge", "topic", may_fail=True)
        self.assertIn("<<<<<<<", self.world.read("note.md"))

    @case("31")
    def a_line_of_the_core_that_was_emptied_is_removed(self):
        self.durable(TEA, WALK)
        self.change(CORE, f"- {TEA}", "- ", typed=False)
        self.world.add(LAMP)
        self.consolidate()

        def check(world):
            self.assertNotIn(TEA, self.core(world))
            self.assertIn(TEA, self.settled(world))
            self.assertIn(LAMP, self.settled(world))
        return check


class WhatIsShown(EditsCase):
    """No line of MEMORY.md says what is over."""

    def changed_line_is_understood(self, world):
        self.assertIn("Prefers mint tea at four.", self.core(world))
        self.assertIn("Prefers mint tea at four.", self.settled(world))
        self.assertNotIn(TEA, world.texts())

    def shows_at_once(self, new, before):
        """In the place of the old one."""
        after = [new if line == TEA else line for line in before]
        self.assertEqual(self.core(self.world), after)
        return lambda world: self.assertEqual(self.core(world), after)

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

    def correct_here_and_there(self, *merge_options):
        tea, _ = self.durable(TEA, WALK)
        self.use_git()
        self.commit()
        there = self.git_clone()
        there.run("correct", tea, "Prefers mint tea at four.")
        self.commit(world=there)
        self.world.run("correct", tea, "Prefers black tea at four.")
        self.commit()
        self.git("fetch", "-q", str(there.vault), "main")
        self.git("merge", "-q", "--no-edit", *merge_options, "FETCH_HEAD", may_fail=True)
        self.expected_problems = {"conflict-markers", "conflict", "corrected-twice"}

        def check(world):
            texts = world.texts()
            self.assertIn("Prefers mint tea at four.", texts)
            self.assertIn("Prefers black tea at four.", texts)
            said = world.run("status")
            self.assertIn("conflict", said)
            self.assertIn("loci resolve", said)
        return check


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
