"""A vault of notes as Obsidian writes them: indexing leaves every byte, tags are found, what is hidden or thrown away is not."""
import pathlib
import random
import unittest

from world import SCALE, EndToEnd, World

NOTES = 300 * SCALE


def make_notes(world):
    rng = random.Random(7)
    names = [f"Note {i}" for i in range(NOTES)]
    for i, name in enumerate(names):
        folder = ("Projects/Atlas", "Daily", "Clippings", "")[i % 4]
        front = f"---\ntags: [n{i % 10}, notes]\ndate: 2026-0{1 + i % 9}-11\naliases:\n  - alias {i}\n---\n" if i % 3 else ""
        world.write(f"{folder}/{name}.md".lstrip("/"),
                    f"{front}# {name}\n\nSee [[{rng.choice(names)}|that note]] and ![[image {i}.png]] #topic/t{i % 7}.\n\n"
                    f"> [!tip] Callout {i}\n> with a body about number {i}\n\n- [ ] open task {i} ^block{i}\n- [x] done task {i}\n\n"
                    f"| a | b |\n|---|---|\n| {i} | {i * i} |\n\n%% a comment of the editor %%\n\n$$ x^{i} $$\n")
    world.write(".trash/gone.md", "The thrown away zebrafish.\n")
    world.write(".obsidian/app.json", "{}\n")
    world.write(".obsidian/plugin.md", "A hidden zebrafish.\n")


class Notes(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        make_notes(self.world)

    def test_reading_changes_nothing(self):
        before = self.world.tree()
        for command in (["reindex"], ["search", "callout"], ["reindex", "--clear"], ["status"], ["doctor"], ["list"], ["export"]):
            self.world.run(*command)
        self.assertEqual(self.world.tree(), before)
        self.assertFalse((self.world.vault / ".loci").exists())

    def test_tags_of_front_matter_and_text_are_found(self):
        hits = self.world.json("search", "--limit", 1000, "--", "callout", "tag:n3")["hits"]
        self.assertTrue(hits)
        self.assertTrue(all("n3" in hit["tags"] for hit in hits))
        self.assertTrue(self.world.json("search", "tag:topic/t3", "note")["hits"])

    def test_what_is_hidden_or_thrown_away_is_never_found(self):
        self.assertEqual(self.world.found("zebrafish"), [])

    def test_every_line_is_exact(self):
        for hit in self.world.json("search", "--limit", 50, "open task")["hits"]:
            line = (self.world.vault / hit["file"]).read_text(encoding="utf-8").splitlines()[hit["line"] - 1]
            self.assertIn(hit["text"].splitlines()[0], line)


class Problems(EndToEnd):
    def test_doctor_lists_every_broken_file_with_line_and_reason(self):
        self.world.write("archive/2026-01-01.md", "<!--m {not json}-->\nbroken\n\n<!--m {\"id\":\"x\"}-->\none\n")
        self.world.write("archive/2026-01-02.md", "<!--m {\"id\":\"x\"}-->\ntwo\n")
        self.world.write("note.sync-conflict-1.md", "copy\n")
        self.world.write("user.md", "long " * 300 + "\n")
        self.world.write("MEMORY.md", "<!-- loci:core begin -->\n")
        (self.world.vault / "loop.md").symlink_to("loop.md")
        (self.world.vault / "big.md").write_bytes(b"x" * (9 << 20))
        (self.world.vault / ".loci/tombstones").mkdir(parents=True, exist_ok=True)
        self.world.write(".loci/tombstones/testhost.jsonl", '{"torn')
        report = self.world.json("doctor", code=1)
        problems = {(p["file"], p["line"], p["code"]) for p in report["problems"]}
        for expected in (("archive/2026-01-01.md", 1, "bad-metadata"), ("note.sync-conflict-1.md", 0, "conflict-file"),
                         ("user.md", 0, "over-limit"), ("big.md", 0, "too-large")):
            self.assertIn(expected, problems)
        files = {p["file"] for p in report["problems"]}
        self.assertLessEqual({"archive/2026-01-02.md", "MEMORY.md", "loop.md", ".loci/tombstones/testhost.jsonl"}, files)
        self.assertEqual(report["differences"], [])
        self.assertEqual({"one", "two", "broken"} - set(self.world.texts()), set())

    def test_repair_mends_what_is_derived_and_nothing_else(self):
        self.world.add("one")
        state = next((self.world.scratch / "state/loci").iterdir())
        state.chmod(0o755)
        self.world.write("MEMORY.md", "<!-- loci:core begin -->\n")
        before = self.world.tree()
        report = self.world.json("doctor", "--repair", code=1)
        self.assertTrue(any("closed" in line for line in report["repaired"]))
        self.assertEqual({p["file"] for p in report["problems"]}, {"MEMORY.md"})
        self.assertEqual(self.world.tree(), before)
        self.assertEqual(state.stat().st_mode & 0o777, 0o700)

    def test_a_damaged_index_is_no_loss(self):
        for i in range(200):
            self.world.write(f"n{i}.md", f"Note number {i} about herons.\n")
        self.world.run("reindex")
        rng = random.Random(SCALE)
        for _ in range(10 * SCALE):
            index = next((self.world.scratch / "state/loci").glob("*/index.*.db"))
            data = bytearray(index.read_bytes())
            for _ in range(100):
                data[rng.randrange(len(data))] = rng.randrange(256)
            index.write_bytes(data)
            answer = self.world.json("search", "--limit", 5, "herons")
            for hit in answer["hits"]:
                line = (self.world.vault / hit["file"]).read_text(encoding="utf-8").splitlines()[hit["line"] - 1]
                self.assertEqual(hit["text"], line)
            self.world.run("doctor", "--repair")
            self.world.run("doctor")
            self.assertEqual(len(self.world.texts()), 200)


if __name__ == "__main__":
    unittest.main()
