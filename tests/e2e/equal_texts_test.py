"""One text in the archive, in consolidated/, in user.md, in MEMORY.md and in a note: what is forgotten, corrected and restored of it comes
to the same with a daemon and without, and an index that is made anew says the same."""
import json
import subprocess
import unittest

from running_daemon import RunningDaemon, until
from world import EndToEnd, World

OLD, NEW, THIRD = "The tank is green.", "The tank is blue.", "The tank is grey."
FACT = '<!--m {"id":"%s","at":"%s","source":"agent"}-->\n%s\n\n'
FILES = {
    "archive/2026-01-02.md": FACT % ("f1", "2026-01-02T03:04:05Z", OLD) + FACT % ("f2", "2026-01-02T03:04:06Z", "The heron stands."),
    "archive/2026-01-03.md": FACT % ("f3", "2026-01-03T03:04:05Z", OLD),
    "consolidated/memory.md": f'# Memory\n\nTyped.\n\n<!--m {{"id":"c1","from":["f1"],"source":"agent"}}-->\n{OLD}\n\n'
                              f'<!--m {{"id":"c2","source":"user"}}-->\nThe heron stands.\n',
    "consolidated/other.md": f'<!--m {{"id":"c3","source":"user"}}-->\n{OLD}\n',
    "user.md": f"# User\n\n## Home\n\n- {OLD}\n\n- Has a heron.\n",
    "MEMORY.md": f'# Memory\n\nMine.\n\n<!-- loci:core begin -->\n<!--m {{"ref":"c1"}}-->\n- {OLD}\n- The heron is by hand.\n<!-- loci:core end -->\n',
    "note.md": f"{OLD}\n",
}
# Words of commands: {new} is the id that the last correction made, {user} that of the line in user.md. Then whether the files that loci
# rewrites are as they were.
TABLE = {
    "an entry is forgotten": ("forget c1", False),
    "and comes back, with its line": ("forget c1|restore c1", True),
    "its fact is forgotten and comes back": ("forget f1|restore f1", True),
    "an equal fact is forgotten and comes back": ("forget f3|restore f3", True),
    "an equal entry is forgotten and comes back": ("forget c3|restore c3", True),
    "a line of user.md is forgotten and comes back": ("forget {user}|restore {user}", True),
    "an entry is corrected": ("correct c1 NEW", False),
    "and what it said comes back": ("correct c1 NEW|restore c1", True),
    "a fact is corrected and comes back": ("correct f1 NEW|restore f1", True),
    "an equal fact is corrected and comes back": ("correct f3 NEW|restore f3", True),
    "an equal entry is corrected and comes back": ("correct c3 NEW|restore c3", True),
    "a line of user.md is corrected and comes back": ("correct {user} NEW|restore {user}", True),
    "a chain is taken back to its beginning": ("correct c1 NEW|correct {new} THIRD|restore c1", True),
    "and that is taken back": ("correct c1 NEW|correct {new} THIRD|restore c1|restore {new}", False),
    "what is said again is corrected, what was forgotten comes back": ("forget c1|add OLD|correct {new} NEW|restore c1", True),
    "what was corrected is said again and forgotten, and comes back": ("correct c1 NEW|add OLD|forget {new}|restore c1", False),
    "forgotten everywhere, and one comes back": ("forget --everywhere c1|restore c1", True),
}
REWRITTEN = ("consolidated/memory.md", "consolidated/other.md", "user.md", "MEMORY.md")


class EqualTexts(EndToEnd):
    def a_world(self):
        world = World()
        self.addCleanup(world.close)
        world.run("init", world.vault)
        for name, text in FILES.items():
            world.write(name, text)
        line = {"gen": 1, "run": "r1", "at": "2026-01-04T00:00:00Z", "fact": "f1", "outcome": "added", "entry": "c1"}
        hash = world.json("show", "f1")["entry"]["hash"]
        promoted = {"gen": 1, "run": "r1", "at": "2026-01-04T00:00:01Z", "promoted": [{"ref": "c1", "line_hash": hash}], "dropped": []}
        world.write(".loci/ledger/testhost.jsonl", json.dumps(line | {"fact_hash": hash, "entry_hash": hash}) + "\n" + json.dumps(promoted) + "\n")
        return world

    def carry_out(self, world, script):
        new, user = "", next(each["id"] for each in world.entries("--layer", "L0") if each["text"].endswith(OLD) and each["file"] == "user.md")
        for command in script.split("|"):
            name, *rest = command.format(new=new, user=user).split(" ")
            words = [{"NEW": NEW, "OLD": OLD, "THIRD": THIRD}.get(word, word) for word in rest]
            if name == "add":
                new = world.add(*words)
                continue
            done = world.json(name, *words)
            new = done.get("id", new)

    def state(self, world):
        """What is found, what is not, and how many facts there are of each kind."""
        world.run("status", "--wait")
        entries = sorted((each["text"], each["file"].split("/")[0], each["layer"], each["status"]) for each in world.entries("--inactive"))
        done = subprocess.run(world.command("doctor", "--json"), env=world.environment, capture_output=True, text=True)
        doctor = json.loads(done.stdout)
        self.assertEqual(doctor["differences"], [])
        # A correction leaves an equal text where it stands, not found, and doctor names it.
        self.assertEqual([problem for problem in doctor["problems"] if problem["code"] != "forgotten-text"], [])
        facts = world.json("status")["facts"]
        self.assertEqual(facts["total"], facts["pending"] + facts["settled"] + facts["deleted"])
        return entries, facts, [world.read(name).count(text) for name in REWRITTEN for text in (OLD, NEW, THIRD)]

    def has_come_to(self, wanted, world):
        """A daemon goes on with what follows a command after it has answered."""
        try:
            return self.state(world) == wanted
        except AssertionError:
            return False

    def test_all_ways_come_to_the_same(self):
        for name, (script, is_as_before) in TABLE.items():
            with self.subTest(name):
                states = []
                for with_daemon in (False, True):
                    world = self.a_world()
                    daemon = RunningDaemon(world) if with_daemon else None
                    if daemon:
                        self.addCleanup(daemon.close)
                    self.carry_out(world, script)
                    if daemon:
                        until(lambda: self.has_come_to(states[0], world))
                    states.append(self.state(world))
                    if is_as_before:
                        for file in REWRITTEN:
                            self.assertEqual(sorted(world.read(file).split("\n")), sorted(FILES[file].split("\n")), file)
                    if daemon:
                        daemon.stop()
                    world.run("reindex", "--clear")
                    states.append(self.state(world))
                for other in states[1:]:
                    self.assertEqual(other, states[0])


if __name__ == "__main__":
    unittest.main()
