"""A person's own git between two machines: pulls that stop, and what loci says of them.

usage: sync_by_hand_test.py LOCI
"""
import unittest

from running_daemon import RunningDaemon, until
from sync_test import SyncCase
import world

GONE = "/nonexistent/loci merge-driver %O %A %B %P"
MEMORY = "consolidated/memory.md"


class StoppedPull(SyncCase):
    def diverge(self, mine, theirs, up="Up."):
        """One entry, reworded on both sides, and another one that the first machine alone added; on the second machine, committed."""
        first, second = self.pair()
        first.world.write(MEMORY, self.entry("a", "Red.") + "\n" + self.entry("b", "Up."))
        first.sync()
        second.sync()
        first.world.write(MEMORY, self.entry("a", theirs) + "\n" + self.entry("b", "Up.") + "\n" + self.entry("c", "New there."))
        first.sync()
        second.world.write(MEMORY, self.entry("a", mine) + "\n" + self.entry("b", up))
        second.git("add", "-A")
        second.git("commit", "-qm", "mine")
        return first, second

    def pull_without_driver(self, second):
        second.world.run("sync", "--setup")
        second.git("config", "merge.loci.driver", GONE)
        second.git("pull", "-q", "--no-rebase", "--no-edit", code=None)
        self.assertNotIn("<<<<<<<", second.world.read(MEMORY))

    def codes(self, machine, command="status", code=0):
        return {(problem["file"], problem["code"]) for problem in machine.world.json(command, code=code)["problems"]}

    def test_what_a_driver_that_is_gone_left_unmerged_is_named_and_put_together(self):
        first, second = self.diverge("Red.", "Blue.", up="Down.")
        self.pull_without_driver(second)
        for command, code in (("status", 0), ("doctor", 1)):
            self.assertLessEqual({(MEMORY, "unmerged"), ("", "merge-driver")}, self.codes(second, command, code))
        asked = second.world.json("resolve")["questions"]
        self.assertEqual([(one["file"], one["kind"]) for one in asked], [(MEMORY, "conflict")])
        second.world.run("resolve", MEMORY)
        for text in ("Blue.", "Down.", "New there."):
            self.assertIn(text, second.world.read(MEMORY))
        self.assertEqual(second.git("ls-files", "--unmerged"), "")
        self.assertEqual(second.world.json("resolve")["questions"], [])
        self.assertIn("'loci sync' finishes it", second.world.messages)
        second.sync()
        self.assertEqual(self.codes(second), set())
        first.sync()
        self.assertEqual(first.world.read(MEMORY), second.world.read(MEMORY))
        self.assertEqual(first.git("rev-parse", "HEAD"), second.git("rev-parse", "HEAD"))

    def test_ours_is_what_stood_here_whichever_text_comes_first(self):
        for answer, mine, theirs, stands in (("--ours", "Apricot.", "Zucchini.", "Apricot."), ("--ours", "Zucchini.", "Apricot.", "Zucchini."),
                                             ("--theirs", "Apricot.", "Zucchini.", "Zucchini."), ("--theirs", "Zucchini.", "Apricot.", "Apricot.")):
            with self.subTest(f"{answer}, {mine} here"):
                self.setUp()
                _, second = self.diverge(mine, theirs)
                self.pull_without_driver(second)
                second.world.run("resolve", MEMORY, code=5)  # two texts of persons: nobody can say
                second.world.run("resolve", answer, MEMORY)
                self.assertEqual(second.world.read(MEMORY), self.entry("a", stands) + "\n" + self.entry("b", "Up.") + "\n" +
                                 self.entry("c", "New there."))
                second.sync()

    def test_what_one_side_deleted_stays_if_the_other_changed_it_and_goes_if_that_is_said(self):
        for answer, is_there in ((["--ours"], True), (["--theirs"], False)):
            with self.subTest(answer):
                self.setUp()
                first, second = self.pair()
                first.world.write("note.md", "One.\n")
                first.sync()
                second.sync()
                (first.vault / "note.md").unlink()
                first.sync()
                second.world.write("note.md", "One, and more.\n")
                second.git("commit", "-qam", "mine")
                second.git("pull", "-q", "--no-rebase", "--no-edit", code=None)
                self.assertIn(("note.md", "unmerged"), self.codes(second))
                second.world.run("resolve", "note.md", code=5)
                second.world.run("resolve", *answer, "note.md")
                self.assertEqual((second.vault / "note.md").exists(), is_there)
                second.sync()
                self.assertEqual(self.codes(second), set())

    def test_of_a_picture_one_side_is_chosen_and_nothing_else_is_offered(self):
        first, second = self.pair()
        for machine, picture in ((first, b"\0one"), (second, b"\0two")):
            (machine.vault / "pier.png").write_bytes(picture)
            machine.git("add", "-A")
            machine.git("commit", "-qm", "a picture")
        first.sync()
        second.git("pull", "-q", "--no-rebase", "--no-edit", code=None)
        self.assertIn("pier.png", second.git("ls-files", "--unmerged"))
        for answer in ([], ["--keep"], ["--both"]):
            said = second.world.run("resolve", *answer, "pier.png", code=5) + second.world.messages
            for offered, is_possible in (("--ours", True), ("--theirs", True), ("--both", False), ("entry by entry", False)):
                self.assertEqual(offered in said, is_possible, (answer, said))
        (second.vault / "pier.png").write_bytes(b"\0both drawn anew")
        second.world.run("resolve", "--keep", "pier.png")
        self.assertEqual(second.git("ls-files", "--unmerged"), "")

    def test_what_somebody_put_right_by_hand_is_kept_as_it_is(self):
        _, second = self.diverge("Green.", "Blue.")
        self.pull_without_driver(second)
        second.world.run("resolve", "--keep", MEMORY, code=5)  # the other's words would be gone, and nobody has seen them
        right = self.entry("a", "Green and blue.") + "\n" + self.entry("b", "Up.")
        second.world.write(MEMORY, right)
        second.world.run("resolve", "--keep", MEMORY)
        self.assertEqual(second.world.read(MEMORY), right)
        second.sync()
        self.assertEqual(second.world.read(MEMORY), right)

    def test_a_pull_that_has_its_answers_is_finished_by_sync_and_another_merge_is_not(self):
        first, second = self.diverge("Green.", "Blue.")
        self.pull_without_driver(second)
        second.sync(code=5)
        second.world.run("resolve", "--ours", MEMORY)
        self.assertTrue((second.vault / ".git/MERGE_HEAD").exists())
        second.sync("--dry-run", code=5)  # that would be a change
        second.sync()
        self.assertFalse((second.vault / ".git/MERGE_HEAD").exists())
        self.assertEqual(len(second.git("log", "-1", "--merges", "--format=%P").split()), 2)
        first.sync()
        self.assertIn("Green.", first.texts())
        second.git("checkout", "-q", "-b", "mine")
        second.world.write("own.md", "Own.\n")
        second.git("add", "-A")
        second.git("commit", "-qm", "own")
        second.git("checkout", "-q", "main")
        second.git("merge", "-q", "--no-ff", "--no-commit", "mine")
        second.sync(code=5)
        self.assertIn("git commit --no-edit", second.world.run("sync", code=5) + second.world.messages)
        self.assertTrue((second.vault / ".git/MERGE_HEAD").exists())


class PlainPull(SyncCase):
    """`git pull` fetched it, and no loci of any kind looked on: whatever comes next takes it in."""

    def next_steps(self, machine):
        yield "sync", machine.sync
        yield "add", lambda: machine.world.add("Something else.")
        yield "forget", lambda: machine.world.run("forget", machine.world.add("Something else."))
        yield "a daemon", lambda: self.daemon(machine)

    def daemon(self, machine):
        daemon = RunningDaemon(machine.world)
        self.addCleanup(daemon.close)
        self.is_met(machine)
        daemon.stop()

    def is_met(self, machine):
        self.assertTrue(until(lambda: self.wanted(machine)), f"{machine.host}: {self.seen(machine)}")

    def pulled(self, machine):
        machine.git("add", "-A")
        machine.git("commit", "-q", "-m", "mine")
        machine.git("pull", "-q", "--no-rebase", "--no-edit")

    def everywhere_after_each_step(self, prepare, seen, wanted):
        self.seen, self.wanted = seen, lambda machine: wanted(seen(machine))
        for number in range(4):
            self.setUp()
            first, second = self.pair()
            name, step = list(self.next_steps(first))[number]
            with self.subTest(name):
                prepare(first, second)
                self.assertFalse(self.wanted(first), self.seen(first))
                step()
                self.is_met(first)
                for machine in (first, second, first):
                    machine.sync()
                self.is_met(second)
                self.assertEqual(first.world.tree(), second.world.tree())
                for machine in (first, second):
                    facts = machine.world.json("status")["facts"]
                    self.assertEqual(facts["total"], facts["pending"] + facts["settled"] + facts["deleted"])
                    self.assertEqual(machine.world.json("doctor")["problems"], [])

    def test_what_was_forgotten_elsewhere_goes(self):
        def prepare(first, second):
            entry = first.world.add("Always answer in English.")
            for machine in (first, second, first):
                machine.sync()
            second.world.run("forget", entry)
            second.sync()
            first.world.run("consolidate", "--force")
            self.pulled(first)
        self.everywhere_after_each_step(prepare, lambda machine: machine.world.read("MEMORY.md") + machine.world.read(MEMORY),
                                        lambda text: "in English" not in text)

    def test_of_entries_of_two_runs_that_rest_on_one_fact_one_stands(self):
        def prepare(first, second):
            facts = [first.world.add(text) for text in ("Deploys happen on Fridays.", "Ann deploys.", "Bob watches.")]
            first.world.run("consolidate", "--force")
            for machine in (first, second):
                machine.sync()
            self.fold_into_one(second, facts[:2], "Ann deploys on Fridays.")
            second.sync()
            first.world.write("notes/mine.md", "Mine.\n")
            self.pulled(first)
        self.everywhere_after_each_step(prepare, lambda machine: machine.texts(), lambda texts: sum("Ann deploys" in text for text in texts) == 1)

    def test_what_a_person_put_back_after_their_own_commit_stays_and_is_asked_about(self):
        first = self.first
        first.world.write(MEMORY, self.entry("a", "Red.") + "\n" + self.entry("b", "Up."))
        first.sync()
        first.world.run("forget", "b")
        first.git("commit", "-qam", "forgot")
        first.git("push", "-q", "origin", "HEAD:main")
        first.world.write("notes/other.md", "Other.\n")
        first.world.write("consolidated/other.md", self.entry("b", "Up."))
        first.git("add", "-A")
        first.git("commit", "-qm", "put back")
        first.world.add("Something else.")
        self.assertIn("Up.", first.world.read("consolidated/other.md"))
        self.assertIn("stands-after-forget", [problem["code"] for problem in first.world.json("status")["problems"]])


class WhoseText(SyncCase):
    def test_ours_is_what_this_machine_said_whoever_merged_and_whichever_text_comes_first(self):
        for file, wrap in ((MEMORY, lambda text: self.entry("a", text)), ("user.md", lambda text: f"{text}\n"), ("note.md", lambda text: f"{text}\n")):
            for asked, mine, theirs in ((0, "Apricot.", "Zucchini."), (0, "Zucchini.", "Apricot."), (1, "Apricot.", "Zucchini."), (1, "Zucchini.", "Apricot.")):
                with self.subTest(f"{file}, {mine} on the {asked}."):
                    self.setUp()
                    pair = first, second = self.pair()
                    first.world.write(file, wrap("Red."))
                    first.sync()
                    second.sync()
                    pair[asked].world.write(file, wrap(mine))
                    pair[1 - asked].world.write(file, wrap(theirs))
                    for machine in (first, second, first):
                        machine.sync()
                    self.assertIn("<<<<<<<", pair[asked].world.read(file))
                    changes = pair[asked].world.json("resolve")["questions"][0]["changes"]
                    self.assertEqual(["".join(change[side] or "" for change in changes) for side in ("before", "after")], [mine, theirs])
                    pair[asked].world.run("resolve", "--ours", file)
                    self.assertEqual(pair[asked].world.read(file).strip(), wrap(mine).strip())


class LinesOfTheCore(SyncCase):
    """A line of MEMORY.md that was reworded on two machines, one of which may have git alone."""
    TEA, COFFEE, COCOA, MILK, WATER = "Prefers green tea.", "Prefers black coffee.", "Prefers hot cocoa.", "Prefers cold milk.", "Prefers still water."

    def setUp(self):
        super().setUp()
        self.first.world.add(self.TEA)
        self.first.world.run("consolidate", "--force")
        self.first.sync()
        self.second.sync()

    def reword(self, folder, words, file="MEMORY.md"):
        bytes = (folder / file).read_text()
        self.assertIn(self.TEA, bytes)
        (folder / file).write_text(bytes.replace(self.TEA, words))

    def reword_on_the_phone(self, words):
        phone = self.scratch.scratch / "phone"
        self.first.git("clone", "-q", "-b", "main", self.hub, phone)
        self.reword(phone, words)
        self.first.git("-C", phone, "commit", "-qam", "from the phone")
        self.first.git("-C", phone, "push", "-q")

    def id_of(self, text, machine):
        return next(entry["id"] for entry in machine.world.entries("--layer", "L1") if entry["text"] == text)

    def lasts(self, machine):
        return sorted(machine.world.texts("--layer", "L1"))

    def shown(self, machine):
        core = machine.world.read("MEMORY.md").partition("core begin")[2]
        return [line[2:] for line in core.splitlines() if line.startswith("- ")]

    def test_what_an_answer_says_is_what_the_entry_says(self):
        for answer, stands in ((["--ours"], self.COCOA), (["--theirs"], self.COFFEE), (["--text", f"- {self.MILK}"], self.MILK),
                               (["--both"], f"{self.COCOA} {self.COFFEE}")):
            with self.subTest(answer[0]):
                self.setUp()
                self.reword_on_the_phone(self.COFFEE)
                self.reword(self.second.vault, self.COCOA)
                self.second.git("commit", "-qam", "before any command")
                self.second.git("pull", "-q", "--no-rebase", "--no-edit", code=None)
                self.assertIn("<<<<<<<", self.second.world.read("MEMORY.md"))
                self.second.world.run("resolve", "MEMORY.md", *answer)
                self.second.sync()
                self.first.sync()
                for machine in (self.second, self.first):
                    self.assertEqual(self.shown(machine)[:1], [stands])
                    self.assertIn(stands, self.lasts(machine))
                    self.assertEqual(machine.world.json("doctor")["problems"], [])

    def test_what_was_typed_here_is_not_lost_to_the_phone(self):
        self.reword_on_the_phone(self.COFFEE)
        self.reword(self.first.vault, self.COCOA)
        self.first.sync()
        self.second.sync()
        for machine in (self.first, self.second):
            self.assertLessEqual({self.COFFEE, self.COCOA}, set(machine.texts()))
            self.assertEqual(sorted(self.shown(machine)), [self.COFFEE, self.COCOA])
        self.assertEqual([one["code"] for one in self.first.world.json("status")["problems"]], ["edited-after-forget"])

    def test_what_was_typed_in_the_entry_here_is_asked_about(self):
        for answer, stands in (("--ours", self.COCOA), ("--theirs", self.COFFEE)):
            with self.subTest(answer):
                self.setUp()
                self.reword_on_the_phone(self.COFFEE)
                self.reword(self.first.vault, self.COCOA, MEMORY)
                self.first.sync()
                self.assertEqual(self.lasts(self.first), [self.COCOA])
                self.first.world.run("resolve", "MEMORY.md", answer)
                self.first.sync()
                self.second.sync()
                for machine in (self.first, self.second):
                    self.assertEqual((self.shown(machine), self.lasts(machine)), ([stands], [stands]))

    def test_the_same_correction_on_two_machines_is_one(self):
        def by_command(machine):
            machine.world.run("correct", self.id_of(self.TEA, machine), self.COFFEE)
        def by_hand(machine):
            self.reword(machine.vault, self.COFFEE)
        def in_the_entry(machine):
            self.reword(machine.vault, self.COFFEE, "consolidated/memory.md")
        def on_the_phone(_):
            self.reword_on_the_phone(self.COFFEE)
        def by_way_of_other_words(machine):
            machine.world.run("correct", self.id_of(self.TEA, machine), self.COCOA)
            machine.world.run("correct", self.id_of(self.COCOA, machine), self.COFFEE)
        for one, other in ((by_command, by_command), (by_hand, by_hand), (by_hand, by_command), (on_the_phone, by_hand), (by_command, in_the_entry),
                           (by_way_of_other_words, by_way_of_other_words), (by_command, by_way_of_other_words)):
            with self.subTest(f"{one.__name__}, {other.__name__}"):
                self.setUp()
                one(self.first)
                other(self.second)
                for machine in (self.second, self.first, self.second, self.first):
                    machine.sync()
                for machine in (self.first, self.second):
                    self.assertEqual((self.shown(machine), self.lasts(machine)), ([self.COFFEE], [self.COFFEE]))
                self.second.world.run("correct", self.id_of(self.COFFEE, self.second), self.MILK)
                self.second.sync()
                self.first.sync()
                for machine in (self.first, self.second):
                    self.assertEqual((self.shown(machine), self.lasts(machine)), ([self.MILK], [self.MILK]))
                    self.assertEqual(set(machine.texts()), {self.MILK})
                    facts = machine.world.json("status")["facts"]
                    self.assertEqual(facts["total"], facts["pending"] + facts["settled"] + facts["deleted"])
                    self.assertEqual(machine.world.json("doctor")["problems"], [])

    def test_the_same_correction_that_was_forgotten_on_one_machine_is_gone_and_stands_where_it_was_made_after_that(self):
        def correct(machine):
            machine.world.run("correct", self.id_of(self.TEA, machine), self.COFFEE)
        def forget():
            correct(self.second)
            self.second.world.run("forget", self.id_of(self.COFFEE, self.second))
        for is_first, lasting in ((True, []), (False, [self.COFFEE])):
            with self.subTest(is_first=is_first):
                self.setUp()
                for act in (lambda: correct(self.first), forget) if is_first else (forget, lambda: correct(self.first)):
                    act()
                for machine in (self.first, self.second, self.first):
                    machine.sync()
                for machine in (self.first, self.second):
                    self.assertEqual((self.shown(machine), machine.texts()), (lasting, lasting))
                    self.assertEqual(machine.world.json("status")["problems"], [])

    def test_a_buffer_that_was_opened_before_a_sync_takes_no_line_out(self):
        opened = self.second.world.read("MEMORY.md")
        self.first.world.add(self.MILK)
        self.first.world.run("consolidate", "--force")
        self.first.sync()
        self.second.sync()
        self.second.world.write("MEMORY.md", opened.replace(self.TEA, self.COCOA))
        self.second.sync()
        self.first.sync()
        for machine in (self.second, self.first):
            self.assertEqual(sorted(self.shown(machine)), [self.MILK, self.COCOA])

    def test_a_buffer_with_the_entry_that_gave_way_to_its_like_has_that_one(self):
        def other_line(bytes):
            return bytes.replace(self.MILK, self.COCOA)
        def that_line(bytes):
            return bytes.replace(self.COFFEE, self.COCOA)
        for file in ("MEMORY.md", "consolidated/memory.md"):
            for edit, lasting in ((other_line, [self.COFFEE, self.COCOA, self.WATER]), (that_line, [self.MILK, self.COCOA, self.WATER])):
                with self.subTest(f"{file}, {edit.__name__}"):
                    self.setUp()
                    self.first.world.add(self.MILK)
                    self.first.world.run("consolidate", "--force")
                    self.first.sync()
                    self.second.sync()
                    for machine in (self.first, self.second):
                        machine.world.run("correct", self.id_of(self.TEA, machine), self.COFFEE)
                    opened = self.second.world.read(file)
                    self.first.world.add(self.WATER)
                    self.first.world.run("consolidate", "--force")
                    self.first.sync()
                    self.second.sync()
                    self.second.world.write(file, edit(opened))
                    for machine in (self.second, self.first, self.second):
                        machine.sync()
                    for machine in (self.first, self.second):
                        self.assertEqual((sorted(self.shown(machine)), self.lasts(machine)), (sorted(lasting), sorted(lasting)))
                        self.assertEqual(machine.world.json("status")["problems"], [])


class OwnFiles(SyncCase):
    """What stands under .loci/ is looked at like everything else."""

    def test_settings_with_markers_are_named_asked_about_and_not_sent(self):
        first, second = self.pair()
        settings = ".loci/config.toml"
        right = first.world.read(settings)
        first.world.write(settings, f"<<<<<<< HEAD\n{right}=======\n[sync]\nminutes = 2\n>>>>>>> other\n")
        first.git("commit", "-qam", "merged in a hurry")
        self.assertIn((settings, "conflict-markers"), [(each["file"], each["code"]) for each in first.world.json("status")["problems"]])
        self.assertEqual([one["file"] for one in first.world.json("resolve")["questions"]], [settings])
        first.world.run("sync", code=5)
        self.assertIn("loci resolve --ours .loci/config.toml", first.world.messages)
        first.world.run("resolve", "--ours", settings)
        self.assertEqual(first.world.read(settings), right)
        first.sync()
        second.sync()
        self.assertEqual(second.world.read(settings), right)

    def test_copies_of_settings_and_of_logs_are_listed(self):
        copies = [".loci/config.sync-conflict-1a2b3c4d.toml", ".loci/tombstones/first.sync-conflict-20261122-101010-ABCDEFG.jsonl"]
        for copy in copies:
            self.first.world.write(copy, "")
        listed = [problem["file"] for problem in self.first.world.json("status")["problems"] if problem["code"] == "conflict-file"]
        self.assertEqual(sorted(listed), copies)
        self.assertEqual([copy["file"] for copy in self.first.world.json("resolve")["copies"]], copies)


if __name__ == "__main__":
    unittest.main()
