"""An editor's old buffer of user.md, which loci writes as well: what it lacks is told as in consolidated/, and a person's own lines stay theirs.

usage: edits_user_file_test.py LOCI [MOVED_CLOCK_LIBRARY]
"""
import json
import unittest

from edits_case import BOAT, LAMP, MANY, MAST, MINT, SHED, TEA, WALK, EditsCase, case

USER = "user.md"
FILE = "# User\n\n- {}\n- {}\n"


class OldBuffersOfUserMd(EditsCase):
    def setUp(self):
        super().setUp()
        self.expected_problems = {"perhaps-old-buffer"}

    def open_buffer(self):
        """user.md with two lines that a person typed, as an editor has it."""
        self.save(USER, FILE.format(TEA, WALK))
        self.world.run("resolve")
        return self.world.read(USER)

    def remember(self, *texts):
        for text in texts:
            self.world.run("remember", json.dumps({"action": "add", "layer": "L0", "content": text}))

    def be_asked_about_five(self):
        """An old buffer that lacks what was remembered five times since."""
        buffer = self.open_buffer()
        self.remember(*MANY[:5])
        self.save(USER, buffer)
        self.eventually(lambda world: self.assertEqual(self.questions(world), [USER]))
        return buffer

    def id_of(self, text, file=USER):
        return super().id_of(text, file)

    def lines(self, world):
        """What it says in its order, without bullets."""
        return [line.removeprefix("- ") for line in world.read(USER).splitlines() if line and not line.startswith(("#", "<!--"))]

    def texts(self, world):
        return sorted(entry["text"].removeprefix("- ") for entry in world.entries() if entry["file"] == USER)

    def user_md_says(self, *texts, asked=0):
        def check(world):
            world.run("resolve")
            self.assertEqual(sorted(self.lines(world)), sorted(texts))
            self.assertEqual(self.texts(world), sorted(texts))
            told = world.json("resolve")
            self.assertEqual((told["questions"], len(told["entries"])), ([], asked))
        return check

    # --- of which nothing is left ---

    def write_anew(self, text):
        """A short file and a longer one, to both of which loci writes, and then this."""
        self.save(USER, f"# User\n\n{SHED}\n")
        self.world.run("edit", self.id_of(SHED), "--text", LAMP)
        self.save(USER, FILE.format(TEA, WALK) + f"- {MINT}\n- {MAST}\n")
        self.world.run("resolve")
        self.world.run("edit", self.id_of(MINT), "--text", BOAT)
        self.save(USER, text)
        self.world.run("resolve")
        self.assertEqual(self.world.read(USER), text)

    @case("24d", "alone", "daemon")
    def what_a_person_takes_out_to_the_last_line_stays_out(self):
        self.write_anew("# User\n")

    @case("24d", "alone", "daemon")
    def what_a_person_writes_in_the_place_of_all_stands_alone(self):
        self.write_anew("# User\n\nThe gate is red.\n")

    @case("24d", "alone", "daemon")
    def what_a_person_writes_in_the_place_of_all_that_came_since_the_file_was_made_stands_alone(self):
        self.remember(BOAT)
        self.save(USER, self.world.read(USER) + f"\n- {TEA}\n- {WALK}\n")
        self.world.run("resolve")
        self.save(USER, "# User\n\nThe gate is red.\n")
        return self.user_md_says("The gate is red.")

    @case("24d", "alone", "daemon")
    def an_editor_that_saves_while_its_person_types_keeps_what_was_remembered_since(self):
        buffer = self.world.read(USER)
        self.remember(BOAT)
        for typed in ("Li", "Likes the sea and", "Likes the sea and the harbour."):
            self.save(USER, f"{buffer}\n- {typed}\n")
            self.world.run("resolve")
        self.assertIn(BOAT, self.texts(self.world))
        self.assertIn("Likes the sea and the harbour.", self.texts(self.world))

    @case("24d", "alone", "daemon")
    def a_line_that_was_forgotten_and_restored_is_reworded_as_any(self):
        self.save(USER, FILE.format(TEA, BOAT))
        self.world.run("resolve")
        tea = self.id_of(TEA)
        self.world.run("forget", tea)
        self.world.run("restore", tea)
        self.save(USER, self.world.read(USER).replace("four", "five"))
        return self.user_md_says(BOAT, TEA.replace("four", "five"))

    # --- with an edit of its own ---

    @case("24d", "alone", "daemon")
    def what_loci_wrote_since_is_put_back_beside_the_edit(self):
        buffer = self.open_buffer()
        self.remember(BOAT, MAST)
        self.save(USER, buffer.replace(WALK, LAMP))
        return self.user_md_says(TEA, LAMP, BOAT, MAST)

    @case("24d", "alone", "daemon")
    def a_line_that_was_typed_in_another_editor_since_is_put_back_with_it(self):
        buffer = self.open_buffer()
        self.remember(BOAT)
        self.save(USER, self.world.read(USER) + f"\n{SHED}\n")
        self.world.run("resolve")
        self.save(USER, buffer.replace(WALK, LAMP))
        return self.user_md_says(TEA, LAMP, BOAT, SHED)

    @case("24d", "alone", "daemon")
    def a_correction_stands_in_the_place_of_what_was_wrong(self):
        buffer = self.open_buffer()
        self.world.run("correct", self.id_of(TEA), MINT)
        self.save(USER, buffer.replace(WALK, LAMP))
        self.eventually(self.user_md_says(MINT, LAMP))
        self.assertEqual(self.lines(self.world), [MINT, LAMP])

    @case("24d", "alone", "daemon")
    def what_was_forgotten_since_does_not_come_back(self):
        buffer = self.open_buffer()
        self.world.run("forget", self.id_of(TEA))
        self.save(USER, buffer.replace(WALK, LAMP))
        return self.user_md_says(LAMP)

    @case("24d", "alone", "daemon")
    def what_an_agent_rewrote_since_stands_and_its_old_words_do_not(self):
        buffer = self.open_buffer()
        self.world.run("remember", json.dumps({"action": "update", "layer": "L0", "target_id": self.id_of(TEA), "content": MINT}))
        self.save(USER, buffer.replace(WALK, LAMP))
        return self.user_md_says(MINT, LAMP)

    # --- saved again as it was ---

    @case("24d", "alone", "daemon")
    def a_line_that_it_lacks_counts_as_taken_out_and_is_listed_with_its_restore(self):
        buffer = self.open_buffer()
        self.remember(BOAT)
        boat = self.id_of(BOAT)
        self.save(USER, buffer)
        self.eventually(self.user_md_says(TEA, WALK, asked=1))
        told, = self.problems(self.world, "perhaps-old-buffer")
        self.assertEqual((told["file"], told["entries"]), (USER, [boat]))
        self.world.run("resolve", "--restore", boat)
        return self.user_md_says(TEA, WALK, BOAT)

    @case("24d", "alone", "daemon")
    def so_is_one_that_was_typed_in_another_editor(self):
        buffer = self.open_buffer()
        self.remember(BOAT)
        self.save(USER, self.world.read(USER) + f"\n{SHED}\n")
        self.world.run("resolve")
        shed = self.id_of(SHED)
        self.save(USER, buffer)
        self.eventually(self.user_md_says(TEA, WALK, asked=2))
        self.world.run("resolve", "--restore", shed)
        self.eventually(self.user_md_says(TEA, WALK, SHED, asked=1))

    @case("24d", "alone", "daemon")
    def it_was_meant_if_a_person_says_so(self):
        buffer = self.open_buffer()
        self.remember(BOAT)
        boat = self.id_of(BOAT)
        self.save(USER, buffer)
        self.eventually(self.user_md_says(TEA, WALK, asked=1))
        self.world.run("resolve", "--keep", boat)
        return self.user_md_says(TEA, WALK)

    @case("24d", "alone", "daemon")
    def many_lines_that_it_lacks_are_asked_about(self):
        self.be_asked_about_five()
        self.world.run("resolve", "--restore", USER)
        return self.user_md_says(TEA, WALK, *MANY[:5])

    @case("24d", "alone", "daemon")
    def what_is_asked_about_stays_so_when_its_person_types_on(self):
        buffer = self.be_asked_about_five()
        self.save(USER, buffer + f"- {SHED}\n")
        self.world.run("resolve")
        question, = self.world.json("resolve")["questions"]
        self.assertEqual(question["removed"], 5)
        self.world.run("resolve", "--restore", USER)
        self.world.run("resolve")
        for text in MANY[:5]:
            self.assertIn(text, self.world.read(USER))

    @case("24d", "alone", "daemon")
    def many_lines_that_it_lacks_are_meant_with_one_answer(self):
        self.be_asked_about_five()
        self.world.run("resolve", "--keep", USER)
        self.assertEqual(self.problems(self.world, "perhaps-old-buffer"), [])
        return self.user_md_says(TEA, WALK)

    @case("24d", "alone", "daemon")
    def a_correction_that_it_lacks_is_asked_about_and_put_back(self):
        buffer = self.open_buffer()
        self.world.run("correct", self.id_of(TEA), MINT)
        self.save(USER, buffer)
        self.eventually(lambda world: self.assertEqual(self.questions(world), [USER]))
        self.assertEqual(self.world.json("resolve")["entries"], [])
        self.world.run("resolve", "--restore", USER)
        self.eventually(self.user_md_says(MINT, WALK))
        self.assertEqual(self.world.read(USER), FILE.format(MINT, WALK))

    @case("24d", "alone", "daemon")
    def or_what_it_corrected_counts_again(self):
        buffer = self.open_buffer()
        self.world.run("correct", self.id_of(TEA), MINT)
        self.save(USER, buffer)
        self.eventually(lambda world: self.assertEqual(self.questions(world), [USER]))
        self.world.run("resolve", "--keep", USER)
        return self.user_md_says(TEA, WALK)

    @case("24d", "alone", "daemon")
    def a_correction_of_a_line_of_locis_own_is_asked_about_as_well(self):
        self.open_buffer()
        self.remember(BOAT)
        self.world.run("resolve")
        buffer = self.world.read(USER)
        self.world.run("correct", self.id_of(BOAT), MAST)
        self.save(USER, buffer)
        self.eventually(lambda world: self.assertEqual(self.questions(world), [USER]))
        self.world.run("resolve", "--restore", USER)
        return self.user_md_says(TEA, WALK, MAST)

    # --- what is the person's ---

    @case("24d", "alone", "daemon")
    def lines_of_their_own_are_changed_and_taken_out_by_the_dozen_without_a_question(self):
        self.save(USER, "# User\n\n" + "".join(f"- {text}\n" for text in MANY[:12]))
        self.world.run("resolve")
        self.save(USER, f"# User\n\n- {TEA}\n- {MANY[3]}\n")
        self.eventually(self.user_md_says(TEA, MANY[3]))
        self.assertEqual(self.facts(self.world)["deleted"], 0)

    @case("24d", "alone", "daemon")
    def a_line_of_locis_that_is_taken_out_is_out_and_can_be_put_back(self):
        self.open_buffer()
        self.remember(BOAT)
        self.world.run("resolve")
        self.change(USER, WALK, LAMP)
        self.world.run("resolve")
        self.take_out(USER, BOAT)  # of what is no older version
        self.eventually(self.user_md_says(TEA, LAMP))
        act, = (act["id"] for act in self.world.json("log", "--edits")["edits"] if act["outcome"] == "taken out")
        self.world.run("restore", act)
        return self.user_md_says(TEA, LAMP, BOAT)

    @case("24d", "alone", "daemon")
    def a_line_that_moved_to_a_note_is_not_asked_about(self):
        buffer = self.open_buffer()
        self.remember(BOAT)
        self.save("notes/boat.md", f"{BOAT}\n")
        self.save(USER, buffer)
        return self.user_md_says(TEA, WALK)

    @case("24d", "alone", "daemon")
    def a_stash_asks_nothing_and_gives_back_what_it_took(self):
        self.open_buffer()
        self.use_git()
        self.commit()
        self.remember(BOAT)
        self.git("stash", "-q")
        self.later(minutes=5)
        self.world.run("resolve")
        self.git("stash", "pop", "-q")
        return self.user_md_says(TEA, WALK, BOAT)


if __name__ == "__main__":
    unittest.main()
