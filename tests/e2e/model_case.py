"""A vault whose consolidation asks the scripted model server, which listens on a free port of loopback until the test is over."""
import json
import pathlib
import subprocess
import sys
import urllib.request

from world import EndToEnd

SERVER = pathlib.Path(__file__).resolve().parents[1] / "support/model_server.py"


class ScriptedModel:
    def __init__(self, scratch, script, *options):
        self.log_file = scratch / "requests.jsonl"
        script_file = scratch / "script.json"
        script_file.write_text(json.dumps(script))
        self.process = subprocess.Popen(
            [sys.executable, SERVER, "--with-stdin", "--script", script_file, "--log", self.log_file, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.elsewhere = int(self.process.stdout.readline())

    def play(self, script):
        urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{self.port}/script", data=json.dumps(script).encode(),
                                                      method="POST")).close()

    def requests(self):
        return [json.loads(line) for line in self.log_file.read_text().splitlines()] if self.log_file.exists() else []

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)
        self.process.stdout.close()


class ModelCase(EndToEnd):
    def serve(self, script, *options, provider="openai", settings="", model_settings=""):
        self.model = ScriptedModel(self.world.scratch, script, *options)
        self.addCleanup(self.model.close)
        folder = self.world.scratch / "config/loci"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.toml").write_text(
            f'[consolidation]\nmodel = "scripted"\n{settings}\n[models.scripted]\nprovider = "{provider}"\n'
            f'base_url = "http://127.0.0.1:{self.model.port}"\nmodel = "scripted"\nmax_tokens_a_day = 100000000\n{model_settings}\n')
        return self.model

    def fact(self, id, text, day="2026-11-20", **metadata):
        """A fact as an agent or a person told it that day."""
        file = self.world.vault / f"archive/{day}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        comment = json.dumps({"id": id, "at": f"{day}T10:00:00Z", "source": "user", **metadata}, separators=(",", ":"))
        with file.open("a") as out:
            out.write(f"<!--m {comment}-->\n{text}\n\n")

    def entry(self, id, text, **metadata):
        file = self.world.vault / "consolidated/memory.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        comment = json.dumps({"id": id, "source": "user", "first_seen": "2026-01-01", "updated": "2026-01-01",
                              "sources": ["2026-01-01"], "from": [f"f-{id}"], **metadata}, separators=(",", ":"))
        with file.open("a") as out:
            out.write(f"<!--m {comment}-->\n{text}\n\n")

    def consolidate(self, *options, code=0):
        return self.world.json("consolidate", "--force", *options, code=code)

    def durable(self):
        return {entry["id"]: entry for entry in self.world.entries("--layer", "L1") if entry["file"].startswith("consolidated/")}

    def durable_texts(self):
        return sorted(entry["text"] for entry in self.durable().values())

    def facts(self):
        facts = self.world.json("status")["facts"]
        self.assertEqual(facts["total"], facts["pending"] + facts["settled"] + facts["deleted"])
        return facts

    def memory_files(self):
        return {name: hash for name, hash in self.world.tree().items()}
