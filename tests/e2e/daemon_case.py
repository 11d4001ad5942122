"""What the tests of a daemon under stress share: the proof that it is right, and adding over its socket."""
import json
import os
import subprocess

import world
from running_daemon import RunningDaemon, until


class DaemonCase(world.EndToEnd):
    def daemon(self, *options, **more):
        running = RunningDaemon(self.world, *options, **more)
        self.addCleanup(running.close)
        return running

    def is_found(self, word, seconds=60):
        return until(lambda: any(word in text for text in self.world.found(word)), seconds)

    def doctor(self):
        done = subprocess.run(self.world.command("doctor", "--json"), env=self.world.environment, capture_output=True, text=True, timeout=120 * world.SLOWNESS)
        return json.loads(done.stdout)

    def assert_index_is_right(self):
        """Everything that was saved before is in the index, and the index is what a fresh one would be."""
        self.world.run("status", "--wait")
        self.assertEqual(self.doctor()["differences"], [])

    def assert_each_once(self, texts, held=None):
        held = held if held is not None else self.world.texts()
        wrong = {text: held.count(text) for text in texts if held.count(text) != 1}
        self.assertEqual(wrong, {}, "these do not stand exactly once")


def replace(file, text):
    """A save by rename."""
    other = file.with_name(f".{file.name}.{os.urandom(4).hex()}.swp")
    other.write_text(text, encoding="utf-8")
    other.rename(file)
