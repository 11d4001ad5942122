"""Many processes at once, and processes that die at any moment: what was acknowledged is there, once."""
import json
import random
import signal
import subprocess
import time
import unittest

from world import SCALE, EndToEnd

PROCESSES, EACH = 20, 50 * SCALE
KILLS = 50 * SCALE


class ManyProcesses(EndToEnd):
    def test_all_add_at_once(self):
        lines = ["\n".join(json.dumps({"text": f"process {p} says {i}"}) for i in range(EACH)) for p in range(PROCESSES)]
        running = [self.world.start("add", "--jsonl", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                   for _ in range(PROCESSES)]
        for process, text in zip(running, lines):
            process.stdin.write(text)
            process.stdin.close()
        ids = []
        for process in running:
            ids += process.stdout.read().split()
            messages = process.stderr.read()
            process.stdout.close()
            process.stderr.close()
            self.assertEqual(process.wait(), 0, messages)
        self.assertEqual(len(set(ids)), PROCESSES * EACH)
        self.assertEqual(self.world.texts(), sorted(f"process {p} says {i}" for p in range(PROCESSES) for i in range(EACH)))
        self.world.run("doctor")

    def test_single_adds_are_found_when_they_return(self):
        running = [self.world.start("add", f"heron number {i}", stdout=subprocess.PIPE, stderr=subprocess.PIPE) for i in range(PROCESSES)]
        for process in running:
            _, messages = process.communicate()
            self.assertEqual((process.returncode, messages), (0, ""))
        self.assertEqual(len(self.world.found("heron")), PROCESSES)


class Killed(EndToEnd):
    """A command is killed after a random time; afterwards the vault is what it was, or what it was to be."""

    def setUp(self):
        super().setUp()
        self.rng = random.Random(SCALE)
        self.active = {}  # text -> id, of what was acknowledged
        self.archive = {}

    def kill_soon(self, *words):
        """True if the command was done before it was killed; what it printed."""
        process = self.world.start("--json", *words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        time.sleep(self.rng.random() * 0.02)
        process.send_signal(signal.SIGKILL)
        printed, _ = process.communicate()
        return process.returncode == 0, printed

    def check(self, unsure):
        """`unsure`: texts that may stand once or not at all."""
        texts = self.world.texts()
        for text in set(texts) | set(self.active):
            if text in unsure:
                self.assertLessEqual(texts.count(text), 1, text)
            else:
                self.assertEqual(texts.count(text), 1 if text in self.active else 0, text)
        self.world.run("doctor")
        for file in (self.world.vault / "archive").glob("*.md"):
            data = file.read_bytes()
            self.assertTrue(data.startswith(self.archive.get(file.name, b"")), "the archive only grows")
            self.archive[file.name] = data
        self.active = {e["text"]: e["id"] for e in self.world.entries()}

    def test_at_random_moments(self):
        for i in range(5):
            text = f"heron number {i}"
            self.active[text] = self.world.add(text)
        for i in range(KILLS):
            kind = ("add", "forget", "correct", "reindex")[i % 4]
            text = f"egret number {i}"
            victim = self.rng.choice(sorted(self.active))
            if kind == "add":
                done, _ = self.kill_soon("add", text)
                if done:
                    self.active[text] = ""
                self.check([] if done else [text])
            elif kind == "forget":
                done, _ = self.kill_soon("forget", self.active[victim])
                if done:
                    del self.active[victim]
                self.check([] if done else [victim])
            elif kind == "correct":
                done, _ = self.kill_soon("correct", self.active[victim], text)
                if done:
                    del self.active[victim]
                    self.active[text] = ""
                self.assertTrue({victim, text} & set(self.world.texts()), "both versions are gone")
                settling = f"settling {i}"  # whoever writes next finishes what was begun
                self.active[settling] = self.world.add(settling)
                self.check([] if done else [victim, text])
                self.assertEqual(len({victim, text} & set(self.active)), 1, "one of both versions stands")
            else:
                self.kill_soon("reindex", "--clear")
                self.check([])
            if len(self.active) < 3:
                self.active[f"spare {i}"] = self.world.add(f"spare {i}")


if __name__ == "__main__":
    unittest.main()
