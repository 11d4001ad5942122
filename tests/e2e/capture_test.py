"""Conversations through the program, with a scripted model over real HTTP."""
import json
import subprocess
import unittest

from model_case import ModelCase
from running_daemon import until
from world import EndToEnd

EXTRACTED = {"facts": [{"text": "The user's brother is called John.", "about": ["brother"], "kind": "correction", "quote": "it's John, not Jon"}]}
NOTHING = {"answer": {"facts": []}, "when": {"schema": "facts"}}
SUMMARY = {"answer": {"summary": "They spoke of the brother."}, "when": {"schema": "summary"}, "times": "always"}
AT_EACH_TURN = '[capture]\nextract = "turn"\n'


class Conversations(ModelCase):
    def turn(self, user, *options, assistant="Noted.", session="s1", code=0):
        return self.world.json("turn", "--session", session, *options, stdin=json.dumps({"user": user, "assistant": assistant}), code=code)

    def facts_told(self):
        return {entry["text"]: entry for entry in self.world.entries("--kind", "fact")}

    def test_facts_are_extracted_at_each_turn(self):
        self.serve({"steps": [{"answer": EXTRACTED}]}, settings=AT_EACH_TURN)
        self.world.run("add", "The user's brother is called Jon.")
        stored = self.turn("No, my brother is John, it's John, not Jon.", "--message-id", "m1")
        self.assertEqual(len(stored["extracted"]["facts"]), 1)
        fact = self.facts_told()["The user's brother is called John."]
        self.assertEqual((fact["source"], fact["session"], fact["turn"]), ("correction", "s1", 0))
        again = self.turn("No, my brother is John, it's John, not Jon.", "--message-id", "m1")
        self.assertEqual((again["known"], again["extracted"]), (True, None))
        self.assertEqual(len(self.model.requests()), 1)

    def test_every_provider_is_understood(self):
        for provider in ("anthropic", "ollama"):
            self.serve({"steps": [{"answer": EXTRACTED}]}, provider=provider, settings=AT_EACH_TURN)
            stored = self.turn("No, it's John, not Jon.", session=provider)
            self.assertEqual(len(stored["extracted"]["facts"]), 1, provider)

    def test_a_model_that_fails_costs_a_note(self):
        self.serve({"otherwise": {"fault": "prose"}}, settings=AT_EACH_TURN)
        stored = self.turn("We deploy on Fridays.")
        self.assertEqual(stored["turn"], 0)
        self.assertIn("no facts were extracted", stored["extracted"]["notes"][0])
        self.assertEqual(self.facts_told(), {})
        self.world.run("session", "end", "s1", code=6)
        self.assertEqual(len(self.world.entries("--kind", "session-summary")), 0)
        self.model.play({"steps": [NOTHING, SUMMARY]})
        self.world.run("session", "end", "s1")
        self.assertEqual(len(self.world.entries("--kind", "session-summary")), 1)

    def test_the_end_of_a_session_adds_once(self):
        self.serve({"steps": [{"answer": {"facts": [{"turn": 0, **EXTRACTED["facts"][0]}]}, "when": {"schema": "facts"}}, SUMMARY]})
        self.turn("No, it's John, not Jon.")
        ended = self.world.json("session", "end", "s1")
        self.assertEqual((len(ended["extracted"]["facts"]), len(ended["summary"])), (1, 1))
        before = self.memory_files()
        again = self.world.json("session", "end", "s1")
        self.assertEqual((again["extracted"]["facts"], again["summary"]), ([], []))
        self.assertEqual(self.memory_files(), before)
        self.assertEqual(len(self.model.requests()), 2)

    def test_a_digest_by_model_and_without(self):
        self.serve({"otherwise": {"answer": {"summary": "Deploys were spoken of."}}})
        self.turn("We deploy on Fridays.")
        self.assertEqual(self.world.run("digest"), "Deploys were spoken of.\n")
        self.assertIn("- user: We deploy on Fridays.\n", self.world.run("digest", "--timeline"))
        self.model.play({"otherwise": {"fault": "prose"}})
        self.world.run("digest", code=6)
        self.assertIn("--timeline", self.world.messages)

    def test_what_is_private_is_in_no_request(self):
        self.serve({"otherwise": {"answer": {"summary": "The weather."}}}, settings='[privacy]\nnever_send = ["#health"]\n')
        self.turn("I have a cold. #health", assistant="")
        self.turn("What is the weather?")
        self.model.play({"steps": [NOTHING, SUMMARY]})
        self.world.run("session", "end", "s1")
        self.assertTrue(self.model.requests())
        for request in self.model.requests():
            self.assertNotIn("cold", json.dumps(request["body"]))

    def test_a_summary_that_quotes_what_is_private_is_not_shown_to_the_next_one(self):
        self.world.run("config", "privacy.never_send", '["#health"]')
        self.turn("I have a cold. #health", assistant="")
        self.world.run("session", "end", "s1")
        self.assertIn("cold", self.world.entries("--kind", "session-summary")[0]["text"])
        self.serve({"steps": [NOTHING, SUMMARY]})
        self.turn("What is the weather?")
        self.world.run("session", "end", "s1")
        self.assertEqual(len(self.model.requests()), 2)
        for request in self.model.requests():
            self.assertNotIn("cold", json.dumps(request["body"]))

    def test_a_summary_that_was_shown_and_forgotten_meanwhile_lends_no_words(self):
        asked, go = self.world.scratch / "asked", self.world.scratch / "go"
        word = {"answer": {"summary": "The word is xyzzy."}, "when": {"schema": "summary"}}
        self.serve({"steps": [dict(NOTHING, times="always"), word, dict(word, touch=str(asked), wait_for=str(go)), SUMMARY]})
        self.turn("Hello.")
        first = self.world.json("session", "end", "s1")["summary"][0]["id"]
        self.turn("Tea, please.")
        ending = self.world.start("session", "end", "s1", stdout=subprocess.DEVNULL)
        until(asked.exists)
        self.world.run("forget", first)
        go.touch()
        self.assertEqual(ending.wait(timeout=30), 0)
        self.assertEqual(self.world.entries("--kind", "session-summary"), [])
        self.world.run("session", "end", "s1")
        self.assertEqual([entry["text"] for entry in self.world.entries("--kind", "session-summary")], [SUMMARY["answer"]["summary"]])

    def test_what_took_the_place_of_something_private_is_private(self):
        self.world.run("config", "privacy.never_send", '["archive/2026-11-20.md"]')
        self.fact("f1", "Has a rash on the arm.", "2026-11-20")
        self.fact("f2", "Sleeps badly.", "2026-11-20")
        self.world.run("consolidate", "--force")
        consolidated = self.world.read("consolidated/memory.md")
        self.world.write("consolidated/memory.md", consolidated.replace("on the arm", "on the left arm"))
        self.world.run("consolidate", "--force")
        self.world.run("correct", "f2", "Sleeps badly without pills.")
        self.fact("f3", "Likes tea.", "2026-11-21")
        self.serve({"rules": {"decide": [], "keys": [], "promote": ["."]}, "steps": [SUMMARY]})
        self.world.run("digest", "--since", "2026-11-01")
        self.world.run("consolidate", "--force")
        self.world.run("consolidate", "--rebuild")
        self.assertGreater(len(self.model.requests()), 3)
        for request in self.model.requests():
            self.assertNotIn("left arm", json.dumps(request["body"]))
            self.assertNotIn("pills", json.dumps(request["body"]))


class WithoutAModel(EndToEnd):
    def turn(self, user, *options, session="s1", code=0):
        return self.world.run("turn", "--session", session, *options, stdin=json.dumps({"user": user}), code=code).strip()

    def test_numbers_are_given_once(self):
        self.assertEqual([self.turn("continue"), self.turn("continue")], ["0", "1"])
        self.assertEqual(self.turn("continue", "--turn", "1"), "1")
        self.turn("stop", "--turn", "1", code=5)
        self.turn("stop", "--turn", "1", "--message-id", "m", code=2)
        self.world.run("turn", "--session", "s1", stdin="{}", code=2)
        self.world.run("turn", stdin='{"user":"no session"}', code=2)

    def test_a_session_may_be_called_end(self):
        self.turn("hello", session="end")
        self.assertIn("hello", self.world.run("session", "end"))
        self.world.run("session", "end", "end")
        self.world.run("session", "end", "none", code=3)
        self.world.run("session", "one", "two", code=2)

    def test_a_task_is_kept_once(self):
        conclusions = json.dumps({"conclusions": "It works."})
        self.assertTrue(self.world.run("task", "complete", "T-7", stdin=conclusions))
        self.assertEqual(self.world.run("task", "complete", "T-7", stdin=conclusions), "")
        self.world.run("task", "undo", "T-7", stdin=conclusions, code=2)

    def test_a_task_has_a_state_until_it_is_completed(self):
        self.world.run("task", "start", "T-8", stdin='{"state":"reading","session":"s9"}')
        self.world.run("task", "update", "T-8", stdin='{"state":"measuring"}')
        self.turn("How far are we?", "--task", "T-8")
        task, = self.world.json("task", "list")["tasks"]
        self.assertEqual((task["task"], task["state"]), ("T-8", "measuring"))
        self.assertEqual(len(task["sessions"]), 2)
        self.assertEqual([entry["id"] for entry in self.world.entries("--layer", "L0", "--kind", "task-summary")], [task["entry"]])
        self.world.run("task", "start", "T-8", stdin='{"state":"other"}', code=5)
        self.world.run("task", "update", "T-9", stdin='{"state":"other"}', code=3)
        self.world.run("task", "complete", "T-8", stdin="")
        self.assertEqual(self.world.json("task", "list")["tasks"], [])

    def test_a_digest_of_a_conversation_does_not_end_it(self):
        self.turn("We deploy on Mondays.")
        self.assertIn("Mondays", self.world.run("digest", "--session", "s1"))
        self.assertEqual(self.world.entries("--kind", "session-summary"), [])
        self.world.run("digest", "--session", "nobody", code=3)

    def test_a_digest_is_the_timeline(self):
        self.turn("We deploy on Fridays.")
        self.assertIn("- user: We deploy on Fridays.", self.world.run("digest"))
        self.assertEqual(self.world.run("digest", "--until", "2020", "--since", "2019"), "")
        self.world.run("digest", "--since", "2026-01-02", "--until", "2025", code=2)


if __name__ == "__main__":
    unittest.main()
