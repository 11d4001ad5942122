"""A large export of another program: taken in piece by piece, killed in the middle, and once more."""
import collections
import pathlib
import re
import subprocess
import sys
import unittest

from world import World

GENERATOR = pathlib.Path(__file__).resolve().parents[2] / "bench/imports/chatgpt_export.py"


class LargeImport(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        self.export = self.world.scratch / "conversations.json"
        subprocess.run([sys.executable, GENERATOR, self.export, "2"], check=True)

    def ids(self):
        found = collections.Counter()
        for file in (self.world.vault / "archive").rglob("*.md"):
            found.update(re.findall(r'^<!--m \{"id":"([^"]+)"', file.read_text(encoding="utf-8"), re.MULTILINE))
        return found

    def take_in(self):
        return self.world.json("import", "--from", "chatgpt", self.export)

    def test_killed_in_the_middle_and_started_again_nothing_is_lost_and_nothing_comes_twice(self):
        found = self.world.json("import", "--dry-run", "--from", "chatgpt", self.export)["found"]
        running = self.world.start("import", "--from", "chatgpt", self.export, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sessions = self.world.vault / "archive/sessions"
        while running.poll() is None and not (sessions.is_dir() and len(list(sessions.iterdir())) > 20):
            pass
        running.kill()
        running.wait()
        again = self.take_in()
        self.assertEqual(again["found"], found)
        ids = self.ids()
        self.assertEqual(len(ids), found)
        self.assertEqual(set(ids.values()), {1})
        self.assertEqual(self.take_in()["archived"], 0)
        self.assertEqual(self.ids(), ids)


if __name__ == "__main__":
    unittest.main(verbosity=2)
