"""The half year of a small company, with a model that answers by rule: whatever it makes of the facts, none is lost, nothing private
is sent, what was forgotten stands nowhere, and entries have the days on which they were said."""
import json
import pathlib
import sys
import unittest

from model_case import ScriptedModel
from world import EndToEnd, LOCI

STORIES = pathlib.Path(__file__).resolve().parents[1] / "stories"
sys.path.insert(0, str(STORIES))
import play  # noqa: E402

STORY = json.loads((STORIES / "company.json").read_text())


class TheStory(unittest.TestCase):
    def test_every_fact_has_a_label_a_way_and_a_day(self):
        labels = [fact["n"] for fact in STORY["facts"]]
        self.assertEqual(len(labels), len(set(labels)))
        for fact in STORY["facts"]:
            self.assertIn(fact["how"], {"add", "type", "remember", "correct", "edit", "forget"})
            self.assertRegex(fact["date"], r"^2026-\d\d-\d\d$")
            self.assertIn(str(fact["sitting"]), STORY["ends"])
            self.assertTrue(fact.get("of") is None or fact["of"] in labels)
        for row in STORY["truth"]:
            self.assertLessEqual(set(row["facts"]), set(labels))


class HalfAYear(EndToEnd):
    def play(self, settings=""):
        program = play.Program(LOCI, self.world.scratch / "company")
        program.configure(settings)
        player = play.Player(program, STORY)
        for sitting in STORY["ends"]:
            player.play(int(sitting))
            facts = program.facts()
            self.assertEqual(facts["total"], facts["pending"] + facts["settled"] + facts["deleted"])
        return program, player

    def check(self, program, player, sent):
        wrong = [one for one in play.faults(program, STORY, sent) if one[0] in ("oat milk", "secrets")]
        self.assertEqual(wrong, [])
        self.assertEqual(program.facts()["pending"], 0)
        late = [entry for entry in program.entries() if player.ids["304"] in entry["from"]]
        self.assertEqual([entry["updated"] for entry in late], ["2026-06-22"])
        recent = json.loads(program("--json", "recent", "--limit", "1000", "--since", "2026-09-01"))["entries"]
        self.assertNotIn(late[0]["id"], [entry["id"] for entry in recent])

    def test_without_a_model(self):
        program, player = self.play()
        self.check(program, player, "")

    def test_with_a_model_that_answers_by_rule(self):
        model = ScriptedModel(self.world.scratch, {"rules": {"decide": [], "keys": [], "promote": []}})
        self.addCleanup(model.close)
        program, player = self.play(
            f'[consolidation]\nmodel = "scripted"\n[models.scripted]\nprovider = "openai"\nmodel = "scripted"\n'
            f'base_url = "http://127.0.0.1:{model.port}"\nmax_tokens_a_day = 100000000\n')
        self.check(program, player, json.dumps(model.requests(), ensure_ascii=False))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
