"""Correcting, forgetting, restoring and purging: no active trace through rebuilds, on other machines, and in the files that loci writes."""
import json
import unittest

from world import EndToEnd

OLD, NEW = "Deploys to AWS happen on Fridays.", "Deploys to AWS happen on Mondays."
MEMORY = ('# Memory\n\nTyped by a person.\n\n<!--m {"id":"c-1","first_seen":"2026-01-02","from":["f1"],"source":"agent","tags":["deploy"]}-->\n'
          f"{OLD}\n\nMore of a person.\n")
FACT = f'<!--m {{"id":"f1","at":"2026-01-02T03:04:05Z","source":"agent"}}-->\n{OLD}\n\n<!--m {{"id":"f2","at":"2026-01-02T03:04:06Z"}}-->\nThe tank is green.\n'
CORE = ('# Memory\n\nAnything here is mine.\n\n<!-- loci:core begin -->\n<!--m {"ref":"c-1"}-->\n- ' + OLD + '\n'
        '<!--m {"ref":"c-2"}-->\n- Another line.\n<!-- loci:core end -->\n')


class Deletion(EndToEnd):
    def consolidated(self):
        self.world.write("consolidated/memory.md", MEMORY)
        self.world.write("archive/2026-01-02.md", FACT)
        self.world.write("MEMORY.md", CORE)

    def everywhere(self, check):
        """Here, after a rebuild, and in a fresh clone with a state folder of its own."""
        check(self.world)
        self.world.run("reindex", "--clear")
        check(self.world)
        other = self.clone()
        check(other)
        other.run("doctor")

    def assert_gone(self, text):
        def check(world):
            self.assertNotIn(text, world.texts())
            self.assertNotIn(text, world.found(text))
        self.everywhere(check)

    def test_a_corrected_fact(self):
        old = self.world.add(OLD)
        before = self.world.read(self.world.json("show", old)["entry"]["file"])
        new = self.world.json("correct", old, NEW)
        self.assertTrue(self.world.read(new["file"]).startswith(before), "the archive only grows")
        self.assert_gone(OLD)
        entry = self.world.json("show", new["id"])
        self.assertEqual((entry["entry"]["source"], entry["entry"]["confidence"]), ("correction", 1.0))
        self.assertEqual([e["id"] for e in entry["replaces"]], [old])
        self.assertEqual([e["id"] for e in self.world.json("show", old)["replaced_by"]], [new["id"]])

    def test_a_corrected_consolidated_entry(self):
        self.consolidated()
        new = self.world.json("correct", "c-1", NEW)
        self.assertTrue(new["id"].startswith("c-"))
        self.assertEqual(set(new["replaced"]), {"c-1", "f1"})
        self.assert_gone(OLD)
        memory = self.world.read("consolidated/memory.md")
        self.assertIn(NEW, memory)
        self.assertNotIn(OLD, memory)
        self.assertIn("Typed by a person.", memory)
        self.assertIn("More of a person.", memory)
        entry = self.world.json("show", new["id"])
        self.assertEqual((entry["entry"]["source"], entry["entry"]["tags"], len(entry["rests_on"])), ("correction", ["deploy"], 1))
        self.assertEqual(self.world.json("status")["facts"], {"total": 3, "pending": 1, "settled": 1, "deleted": 1})
        self.assertEqual(self.world.read("MEMORY.md"), CORE.replace('<!--m {"ref":"c-1"}-->\n- ' + OLD, '<!--m {"ref":"' + new["id"] + '"}-->\n- ' + NEW))

    def test_a_corrected_note_stays_in_its_file_and_is_not_found(self):
        self.world.write("note.md", f"{OLD}\n\nSomething else.\n")
        note = next(e["id"] for e in self.world.entries() if e["text"] == OLD)
        self.world.run("correct", note, NEW)
        self.assertIn("note.md:1", self.world.messages)
        self.assertEqual(self.world.read("note.md"), f"{OLD}\n\nSomething else.\n")
        self.assert_gone(OLD)

    def test_a_forgotten_text_stays_forgotten_wherever_it_stands(self):
        self.world.write("note.md", f"{OLD}\n")
        self.world.write("archive/2020-01-01.md", f"{OLD}\n")
        self.world.run("forget", self.world.add(OLD))
        self.assert_gone(OLD)

    def test_forgetting_a_consolidated_entry_forgets_its_facts(self):
        self.consolidated()
        self.world.run("forget", "c-1")
        self.assert_gone(OLD)
        self.assertNotIn(OLD, self.world.read("consolidated/memory.md"))
        self.assertNotIn("Fridays", self.world.read("MEMORY.md"))
        self.assertEqual(self.world.read("archive/2026-01-02.md"), FACT)
        self.world.run("restore", "c-1")
        self.assertIn(OLD, self.world.texts())
        self.assertIn('"id":"c-1"', self.world.read("consolidated/memory.md"))
        self.assertEqual(self.world.json("status")["facts"]["deleted"], 0)

    def test_what_was_removed_comes_back_on_another_machine(self):
        self.consolidated()
        self.world.run("forget", "c-1")
        shown = self.world.json("show", "c-1")
        self.assertEqual(shown["entry"]["text"], OLD)
        self.assertIn(("c-1", "deleted", "user"), [(t["id"], t["reason"], t["by"]) for t in shown["tombstones"]])
        other = self.clone()
        other.run("restore", "c-1")
        self.assertIn('"id":"c-1"', other.read("consolidated/memory.md"))
        self.assertIn(OLD, other.texts())

    def test_forgetting_a_fact_makes_what_rests_on_it_inactive(self):
        self.consolidated()
        self.world.run("forget", "f1")
        self.assert_gone(OLD)

    def test_what_still_says_it_is_listed_and_can_go_too(self):
        id = self.world.add(OLD)
        turn = self.world.add("You told me: deploys to AWS happen on Fridays!", "--kind", "turn", "--session", "s1", "--turn", 0)
        self.world.write("note.md", "Remember that deploys to AWS happen on fridays\n")
        forgotten = self.world.json("forget", id)
        self.assertEqual(len(forgotten["still_say"]), 2)
        self.world.run("restore", id)
        self.assertEqual(len(self.world.json("forget", "--everywhere", id)["forgotten"]), 3)
        self.everywhere(lambda world: self.assertEqual(world.texts(), []))
        self.world.run("restore", turn)
        self.assertEqual(len(self.world.texts()), 1)

    def test_what_a_restored_entry_had_overruled_stays_overruled_after_a_rebuild(self):
        self.world.add("The tank is red.")
        self.world.run("consolidate", "--force")
        typed = self.world.read("consolidated/memory.md").replace("red", "green")
        self.world.write("consolidated/memory.md", typed)
        self.world.run("consolidate", "--rebuild")
        green = next(each["id"] for each in self.world.entries("--layer", "L2") if each["text"] == "The tank is green.")
        self.world.run("correct", green, "The tank is blue.")
        self.world.run("consolidate", "--rebuild")
        self.world.run("restore", green)
        self.assertEqual(self.world.json("status")["facts"]["pending"], 0)
        self.world.run("consolidate", "--force")
        self.everywhere(lambda world: self.assertEqual(
            {each["text"] for each in world.entries("--layer", "L1")}, {"The tank is green."}))

    def test_one_of_two_forgotten_together_comes_back_alone(self):
        first, second = self.world.add("The tank is green."), self.world.add("The heron stands.")
        self.world.run("forget", first, second)
        self.world.run("restore", first)
        self.assertEqual(self.world.texts(), ["The tank is green."])
        self.world.run("restore", first, code=5)

    def test_an_edit_keeps_the_old_version_in_the_archive(self):
        id = self.world.add("one", "--tag", "x")
        tagged = self.world.json("edit", id, "--tag", "y")
        self.assertEqual([(e["text"], e["tags"]) for e in self.world.entries()], [("one", ["y"])])
        self.world.run("edit", tagged["id"], "--text", "two")
        self.everywhere(lambda world: self.assertEqual([(e["text"], e["tags"]) for e in world.entries()], [("two", ["y"])]))
        self.world.run("edit", self.world.entries()[0]["id"], "--text", "one")
        self.everywhere(lambda world: self.assertEqual(world.texts(), ["one"]))

    def test_an_edited_consolidated_entry_keeps_its_id_and_becomes_the_persons(self):
        self.consolidated()
        self.world.run("edit", "c-1", "--text", NEW, "--tag", "x")
        entry = self.world.json("show", "c-1")["entry"]
        self.assertEqual((entry["text"], entry["tags"]), (NEW, ["x"]))

    def test_a_unique_prefix_will_do(self):
        self.world.write("archive/2026-01-02.md", '<!--m {"id":"abc1"}-->\none\n\n<!--m {"id":"abc2"}-->\ntwo\n\n<!--m {"id":"abd"}-->\nthree\n')
        self.world.run("show", "abc", code=2)
        self.assertIn("abc1, abc2", self.world.messages)
        self.world.run("forget", "abd")
        self.assertEqual(self.world.texts(), ["one", "two"])
        self.world.run("forget", "abc1")
        self.world.run("forget", "abc")
        self.assertEqual(self.world.texts(), [])


class UserFile(EndToEnd):
    def remember(self, code=0, **request):
        return json.loads(self.world.run("--json", "remember", stdin=json.dumps(request), code=code))

    def test_an_agent_adds_changes_and_removes(self):
        tea = self.remember(action="add", layer="L0", content="Prefers tea.", section="Personal")
        self.assertEqual(tea["file"], "user.md")
        self.assertEqual(self.world.json("status")["l0_used"]["limit"], 1000)
        self.remember(action="update", layer="L0", target_id=tea["id"], content="Prefers coffee.")
        self.assertEqual(self.world.texts("--layer", "L0"), ["Prefers coffee."])
        self.remember(action="remove", layer="L0", target_id=self.world.entries("--layer", "L0")[0]["id"])
        self.assertEqual(self.world.texts("--layer", "L0"), [])

    def test_the_limit_leaves_the_file_unchanged_and_says_how_full_it_is(self):
        self.remember(action="add", layer="L0", content="x" * 900)
        before = self.world.read("user.md")
        self.remember(action="add", layer="L0", content="y" * 200, code=5)
        self.assertEqual(self.world.read("user.md"), before)
        self.assertRegex(self.world.messages, r"\d+% - [\d,]+/1,000")

    def test_an_agents_fact(self):
        fact = self.remember(action="add", content="The build machine is heron.", tags=["build"])
        entry = self.world.json("show", fact["id"])["entry"]
        self.assertEqual((entry["source"], entry["tags"]), ("agent", ["build"]))
        changed = self.remember(action="update", target_id=fact["id"], content="The build machine is egret.")
        self.assertEqual(self.world.texts(), ["The build machine is egret."])
        self.remember(action="remove", target_id=changed["id"])
        self.assertEqual(self.world.texts(), [])

    def test_a_forgotten_line_of_the_user_file_leaves_the_prompt_and_can_come_back(self):
        tea = self.remember(action="add", layer="L0", content="Prefers tea.")
        self.world.run("forget", tea["id"])
        self.assertNotIn("Prefers tea", self.world.read("user.md"))
        self.world.run("restore", tea["id"])
        self.assertEqual(self.world.texts("--layer", "L0"), ["Prefers tea."])

    def test_a_correction_of_it(self):
        self.world.write("user.md", "# User\n\n## Personal\n\n- Prefers tea.\n")
        self.world.run("correct", self.world.entries("--layer", "L0")[0]["id"], "Prefers coffee.")
        self.assertEqual(self.world.texts(), ["Prefers coffee."])
        self.assertNotIn("Prefers tea", self.world.read("user.md"))

    def test_history_cannot_be_changed(self):
        turn = self.world.add("said", "--kind", "turn", "--session", "s1", "--turn", 0)
        self.remember(action="update", target_id=turn, content="never said", code=5)
        self.remember(action="update", target_id="nope", content="x", code=3)
        self.remember(action="frobnicate", content="x", code=2)


SECRET = "The passphrase is zebrafish-quasar-77."


class Purge(EndToEnd):
    def assert_purged(self):
        self.assertEqual(self.world.files_that_hold("zebrafish-quasar-77"), [])
        self.everything_else_stands()

    def everything_else_stands(self):
        for world in (self.world, self.clone()):
            self.assertEqual(world.texts(), ["after", "before"])
            world.run("doctor")

    def test_a_secret_leaves_every_file(self):
        self.world.add("before")
        id = self.world.add(SECRET, "--tag", "secret")
        self.world.add("after")
        self.world.run("search", "zebrafish-quasar-77", "passphrase")
        lines = {e["text"]: e["line"] for e in self.world.entries()}
        hash = self.world.json("show", id)["entry"]["hash"]
        self.world.run("forget", id)  # a tombstone with the text's hash
        purged = self.world.json("forget", "--purge", "--yes", id)
        self.assertEqual(purged["still_in"], [])
        self.assertTrue(any(file.startswith("archive/") for file in purged["files"]))
        self.assertIn("git history", self.world.messages)
        self.assert_purged()
        self.assertEqual(self.world.files_that_hold(hash[:8]), [])
        self.assertEqual({e["text"]: e["line"] for e in self.world.entries()}, {t: l for t, l in lines.items() if t != SECRET})

    def test_in_notes_lists_and_conflict_copies(self):
        self.world.write("note.md", f"before\n\n- {SECRET}\n- after\n")
        self.world.write("note.sync-conflict-20261121.md", f"- x\n- {SECRET}\n")
        id = next(e["id"] for e in self.world.entries() if e["text"] == SECRET)
        self.world.run("forget", "--purge", "--yes", id)
        self.assertEqual(self.world.read("note.md"), "before\n\n\n- after\n")
        self.assertEqual(self.world.files_that_hold("zebrafish-quasar-77"), [])
        self.assertEqual(self.world.texts(), ["after", "before"])

    def test_in_consolidated_entries_and_the_facts_they_rest_on(self):
        self.world.add("before")
        fact = self.world.add(SECRET)
        self.world.add("after")
        self.world.write("consolidated/memory.md", f'<!--m {{"id":"c-1","from":["{fact}"]}}-->\nTheir secret: zebrafish-quasar-77.\n')
        self.world.write("MEMORY.md", '<!-- loci:core begin -->\n<!--m {"ref":"c-1"}-->\n- zebrafish-quasar-77\n<!-- loci:core end -->\n')
        self.world.run("forget", "--purge", "--yes", fact)
        self.assert_purged()

    def test_after_a_plain_forget_and_only_once(self):
        self.world.add("before")
        self.world.add("after")
        self.world.write("consolidated/memory.md", f'<!--m {{"id":"c-1"}}-->\n{SECRET}\n')
        self.world.write("mine.md", "# What (purged) means\n")
        self.world.run("forget", "c-1")
        self.world.run("forget", "--purge", "--yes", "c-1")
        self.assert_purged()
        self.world.run("restore", "c-1", code=5)

    def test_of_several_lines(self):
        self.world.add("before")
        id = self.world.add("Keys:\n\n```\nzebrafish-quasar-77\n```\n\n- zebrafish-quasar-77")
        self.world.add("after")
        self.world.run("forget", "--purge", "--yes", id)
        self.assert_purged()

    def test_what_could_not_be_blanked_is_named(self):
        id = self.world.add(SECRET)
        self.world.write("other.md", f"before\n\nafter\n")
        self.world.write("sub/.hidden/x.txt", f"a line\n{SECRET}\n")
        purged = self.world.json("forget", "--purge", "--yes", id)
        self.assertEqual(purged["still_in"], ["sub/.hidden/x.txt:2"])


if __name__ == "__main__":
    unittest.main()
