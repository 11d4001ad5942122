"""Search by meaning, with a model of embeddings that a test serves: it knows synonyms, and what it was sent is read back."""
import json
import pathlib
import subprocess
import sys
import unittest
import urllib.request

from daemon_case import DaemonCase
from running_daemon import until

SERVER = pathlib.Path(__file__).resolve().parents[1] / "support/embedding_server.py"
SYNONYMS = [["cat", "tabby"], ["password", "passphrase"]]


class EmbeddingServer:
    def __init__(self, scratch, **script):
        self.log_file = scratch / "embedding-requests.jsonl"
        script_file = scratch / "embedding-script.json"
        script_file.write_text(json.dumps(script))
        self.process = subprocess.Popen([sys.executable, SERVER, "--with-stdin", "--script", script_file, "--log", self.log_file,
                                         "--key", "sk-embed"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def texts(self):
        lines = self.log_file.read_text().splitlines() if self.log_file.exists() else []
        return [text for line in lines for text in json.loads(line)["texts"]]

    def play(self, **script):
        urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{self.port}/script", data=json.dumps(script).encode(),
                                                      method="POST")).close()

    def close(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(timeout=10)
        self.process.stdout.close()


class Embeddings(DaemonCase):
    def serve(self, **script):
        self.server = EmbeddingServer(self.world.scratch, synonyms=SYNONYMS, **script)
        self.addCleanup(self.server.close)
        folder = self.world.scratch / "config/loci"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "embed.key").write_text("sk-embed\n")
        (folder / "embed.key").chmod(0o600)
        (folder / "config.toml").write_text(
            '[privacy]\nnever_send = ["#private"]\n[models.embeddings]\nprovider = "openai"\nmodel = "synonyms"\n'
            f'base_url = "http://127.0.0.1:{self.server.port}"\nkey_file = "{folder}/embed.key"\n')

    def vectors(self):
        return self.world.json("status").get("embeddings", {})

    def has_vectors(self, count):
        return until(lambda: self.vectors().get("with_vector") == count)

    def test_an_entry_is_found_that_shares_no_word_with_the_question(self):
        self.serve()
        self.world.add("Ana adopted a tabby.")
        self.world.add("The boat is green.")
        self.assertEqual(self.world.found("cat"), [])
        self.daemon()
        self.assertTrue(self.has_vectors(2), self.vectors())
        # The question's vector has a moment only: on a busy machine one may come too late.
        self.assertTrue(until(lambda: self.world.found("cat")[:1] == ["Ana adopted a tabby."]))
        hit = until(lambda: [hit for hit in self.world.json("search", "--explain", "cat")["hits"] if "vector" in hit["why"]])[0]
        self.assertGreater(hit["why"]["similarity"], 0)
        self.assertEqual(self.world.json("search", "--precise", "cat")["hits"], [])

    def test_an_answer_is_near_what_its_question_is_near_and_that_is_explained(self):
        self.serve()
        for turn, text in enumerate(("Who feeds your tabby?", "My sister in the harbour.")):
            self.world.add(text, "--kind", "turn", "--session", "s1", "--turn", turn)
        self.daemon()
        self.assertTrue(self.has_vectors(2), self.vectors())
        search = ("search", "--explain", "--history", "cat harbour")
        whys = until(lambda: [hit["why"] for hit in self.world.json(*search)["hits"] if "vector" in hit["why"]])
        lent = [why for why in whys if "vector_of_neighbours" in why]
        self.assertTrue(lent, whys)
        shown = until(lambda: [line for line in self.world.run(*search).splitlines() if "by vector" in line])
        self.assertTrue([line for line in shown if ", neighbours " in line or "(neighbours " in line], shown)

    def test_what_may_not_be_sent_is_not(self):
        self.serve()
        self.world.write("note.md", "The passphrase is quokka. #private\n\nThe boat is green.\n")
        self.daemon()
        self.assertTrue(self.has_vectors(1), self.vectors())
        self.assertEqual(self.vectors()["kept_back"], 1)
        self.assertEqual(self.server.texts(), ["The boat is green."])

    def test_a_server_that_is_away_costs_neither_answers_nor_the_vectors(self):
        self.serve()
        self.world.add("Ana adopted a tabby.")
        self.daemon()
        self.assertTrue(self.has_vectors(1), self.vectors())
        self.server.close()
        self.assertEqual(self.world.found("tabby"), ["Ana adopted a tabby."])
        self.world.add("The boat is green.")
        self.assertTrue(until(lambda: self.vectors().get("error")))
        self.assertIn("embeddings", [problem["code"] for problem in self.world.json("status")["problems"]])
        self.assertEqual(self.world.found("boat"), ["The boat is green."])

    def test_a_new_index_and_a_moved_file_cost_no_vector(self):
        self.serve()
        self.world.write("note.md", "Ana adopted a tabby.\n\nThe boat is green.\n")
        self.daemon()
        self.assertTrue(self.has_vectors(2), self.vectors())
        sent = len(self.server.texts())
        self.world.run("reindex", "--clear")
        (self.world.vault / "note.md").rename(self.world.vault / "other.md")
        self.world.add("Tea is good.")
        self.assertTrue(until(lambda: "Tea is good." in self.server.texts()))
        self.assertTrue(self.has_vectors(3), self.vectors())
        self.assertEqual(len(self.server.texts()), sent + 1)

    def test_a_purge_takes_the_vector_too(self):
        self.serve()
        self.world.add("Ana adopted a tabby.")
        self.world.add("The boat is green.")
        self.daemon()
        self.assertTrue(self.has_vectors(2), self.vectors())
        file = next((self.world.scratch / "state").rglob("vectors.bin"))
        before = file.stat().st_size
        [entry] = [hit for hit in self.world.json("search", "tabby")["hits"] if "tabby" in hit["text"]]
        self.world.run("forget", "--purge", "--yes", entry["id"])
        record = (before - 64) // 2
        self.assertEqual(file.stat().st_size, before - record)
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)

    def test_off_there_is_no_word_of_it(self):
        self.world.add("Ana adopted a tabby.")
        self.daemon()
        self.assertNotIn("embeddings", self.world.json("status"))
        self.assertFalse(list((self.world.scratch / "state").rglob("vectors.bin")))


if __name__ == "__main__":
    unittest.main()
