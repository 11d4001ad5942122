"""What a person typed is never lost: rewordings, copies, swaps, and what an editor saves after a deletion.

usage: edits_typed_test.py LOCI [MOVED_CLOCK_LIBRARY]
"""
import unittest

from edits_case import BOAT, CORE, DURABLE, LAMP, MAST, MINT, TEA, WALK, EditsCase, case
from world import World

BIKE, FLENSBURG = "Prefers to cycle to the office.", "The boat lies in Flensburg."


class WhatIsExported(EditsCase):
    def check_rebuilt(self):
        """Here and in a new vault that imported it the person's text stands, though the facts are decided about once more."""
        self.world.run("status", "--wait")
        exported = self.world.scratch / "exported.json"
        exported.write_text(self.world.run("export"))
        new = World(host="newhost")
        self.addCleanup(new.close)
        self.tell_time(new)
        new.run("init", new.vault)
        new.run("import", "--from", "loci", exported)
        for world in (self.world, new):
            self.consolidate("--rebuild", world=world)
            self.assertEqual(set(self.entries(world)), {FLENSBURG, MAST})
        self.prove(new)

    @case("01", "alone", "daemon")
    def an_entry_that_was_edited_in_its_file_stands_after_an_import_and_a_rebuild(self):
        self.durable(BOAT, MAST)
        self.change(DURABLE, "Kiel", "Flensburg")
        self.check_rebuilt()

    @case("01", "alone", "daemon")
    def an_entry_that_was_edited_by_a_command_stands_after_an_import_and_a_rebuild(self):
        boat, _ = self.durable(BOAT, MAST)
        self.world.run("edit", boat, "--text", FLENSBURG)
        self.check_rebuilt()


class WhatStandsInTheCore(EditsCase):
    @case("02")
    def a_copied_line_with_another_text_is_the_persons_and_the_first_one_stays(self):
        self.durable(TEA)
        core = self.world.read(CORE)
        line = next(line for line in core.splitlines() if line.startswith("<!--m")) + f"\n- {TEA}\n"
        self.typed.append(MINT)
        self.save(CORE, core.replace(line, line + line.replace(TEA, MINT)))
        self.world.add(WALK)
        self.consolidate()

        def check(world):
            self.assertEqual(sorted(self.core(world)), sorted([TEA, MINT, WALK]))
            self.assertEqual(self.settled(world), sorted([TEA, WALK]))
            self.assertEqual([entry["source"] for entry in world.entries() if entry["text"] == MINT], ["user"])
        return check

    def reword_two_lines(self):
        ids = self.durable(TEA, WALK)
        core = self.world.read(CORE)
        self.save(CORE, core.replace(TEA, MINT).replace(WALK, BIKE))
        return ids

    @case("03")
    def a_rewording_is_filed_before_the_entry_is_corrected_or_forgotten(self):
        tea, walk = self.reword_two_lines()
        self.world.run("correct", tea, "Prefers black tea at four.")
        self.world.run("forget", walk)

        def check(world):
            self.assertEqual(self.settled(world), ["Prefers black tea at four."])
            self.assertEqual(self.core(world), ["Prefers black tea at four."])
            history = world.texts("--inactive")
            self.assertEqual([text for text in (TEA, MINT, WALK, BIKE) if text not in history], [])
            self.assertEqual([text for text in (TEA, MINT, WALK, BIKE) if text in world.texts()], [])
        return check

    @case("03")
    def a_rewording_is_filed_before_a_run_is_undone(self):
        for text in (TEA, WALK):
            self.world.add(text)
        run = self.consolidate()["run"]["run"]
        self.share()
        self.typed += [MINT, BIKE]
        core = self.world.read(CORE)
        self.save(CORE, core.replace(TEA, MINT).replace(WALK, BIKE))
        self.world.run("undo", run)

        def check(world):
            self.assertEqual([text for text in (MINT, BIKE) if text not in world.texts()], [])
            self.assertEqual([text for text in (TEA, WALK) if text in world.texts()], [])
        return check

    def both_are_corrections(self, world):
        held = self.entries(world)
        self.assertEqual({text: held[text]["source"] for text in held}, {TEA: "correction", WALK: "correction"})

    @case("04")
    def two_corrections_may_swap_texts(self):
        tea, walk = self.durable(TEA, WALK)
        self.world.run("correct", tea, WALK)
        self.world.run("correct", walk, TEA)
        self.eventually(self.both_are_corrections)
        self.consolidate("--rebuild")
        return self.both_are_corrections

    @case("04")
    def two_lines_of_the_core_may_swap_texts(self):
        self.durable(TEA, WALK)
        core = self.world.read(CORE)
        self.save(CORE, core.replace(TEA, "…").replace(WALK, TEA).replace("…", WALK))
        self.world.add(LAMP)
        self.consolidate()
        self.consolidate("--rebuild")

        def check(world):
            held = self.entries(world)
            self.assertEqual({text: held[text]["source"] for text in held}, {TEA: "correction", WALK: "correction", LAMP: "user"})
        return check


class WhatIsSavedAfterADeletion(EditsCase):
    def written_after(self, new, *old, code="edited-after-forget"):
        self.expected_problems = {"edited-after-forget"}

        def check(world):
            held = self.entries(world)
            self.assertIn(new, list(held))
            self.assertIn(held[new]["source"], ("user", "correction"))
            self.assertEqual([text for text in old if text in world.texts()], [])
            self.assertEqual([problem["file"] for problem in self.problems(world, code)], [DURABLE])
        return check

    @case("05")
    def an_entry_that_an_editor_saves_reworded_after_it_was_forgotten_is_found_and_listed(self):
        boat, _ = self.durable(BOAT, MAST)
        buffer = self.world.read(DURABLE)
        self.world.run("forget", boat)
        self.typed.append(FLENSBURG)
        self.save(DURABLE, buffer.replace(BOAT, FLENSBURG))
        self.world.run("consolidate", "--force")
        return self.written_after(FLENSBURG, BOAT)

    @case("05")
    def an_entry_that_an_editor_saves_reworded_after_it_was_corrected_is_found_and_listed(self):
        boat, _ = self.durable(BOAT, MAST)
        buffer = self.world.read(DURABLE)
        self.world.run("correct", boat, "The boat lies in Eckernförde.")
        self.typed += [FLENSBURG, "The boat lies in Eckernförde."]
        self.save(DURABLE, buffer.replace(BOAT, FLENSBURG))
        self.world.run("consolidate", "--force")
        return self.written_after(FLENSBURG, BOAT)

    def forget_here_and_reword_there(self, *answer):
        boat, _ = self.durable(BOAT, MAST)
        self.use_git()
        self.git("config", "--remove-section", "merge.loci")  # git as it is where nobody has set loci's driver up
        self.commit()
        there = self.git_clone()
        there.write(DURABLE, there.read(DURABLE).replace(BOAT, FLENSBURG))
        self.commit(world=there)
        self.world.run("forget", boat)
        self.commit()
        self.git("pull", "-q", "--no-rebase", "--no-edit", str(there.vault), "main", may_fail=True)
        self.assertIn("<<<<<<<", self.world.read(DURABLE))
        self.world.run("resolve", *answer, DURABLE)
        self.commit()

    @case("05", "alone", "daemon")
    def one_machine_forgets_what_another_rewords_and_ours_is_the_deletion(self):
        self.forget_here_and_reword_there("--ours")

        def check(world):
            self.assertEqual(set(self.entries(world)), {MAST})
            self.assertEqual([text for text in (BOAT, FLENSBURG) if text in world.texts()], [])
            self.assertNotIn("Flensburg", world.read(DURABLE) + world.read(CORE))
            self.assertEqual(self.problems(world, "edited-after-forget"), [])
        return check

    @case("05", "alone", "daemon")
    def one_machine_forgets_what_another_rewords_and_theirs_is_the_rewording(self):
        self.forget_here_and_reword_there("--theirs")

        def check(world):
            self.assertEqual(set(self.entries(world)), {FLENSBURG, MAST})
            self.assertNotIn(BOAT, world.texts())
            self.assertNotIn(BOAT, world.read(DURABLE) + world.read(CORE))
        return check


if __name__ == "__main__":
    unittest.main()
