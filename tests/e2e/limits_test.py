"""What a hostile file, a full surrounding or an odd one costs: that one thing, and no memory, no time and no process beyond it."""
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest

from daemon_case import DaemonCase
from model_case import ModelCase
from running_daemon import RunningDaemon, until
from world import LOCI, SCALE, SLOWNESS, EndToEnd

MIB = 1 << 20


def peak_of(command, environment, **options):
    """The exit status, what was said on stderr, and the most memory in bytes that the program had."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **options)
    said = process.stderr.read()
    process.stderr.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, said, usage.ru_maxrss * 1024


class Memory(EndToEnd):
    """Indexing takes at most 40 times a file, and 300 MB in all; a file that needs more is reported and left out."""
    PIECES = {
        "letters": "a\n\n", "blank lines": "\n", "bullets": "- a\n", "bare bullets": "-\n", "quotes": "> a\n>\n", "rules": "***\n", "headings": "# a\n",
        "definitions": "[a]: b\n", "definitions apart": "[a]:b\n\n", "comments": "<!--m {}-->\na\n\n", "broken comments": "<!--m-->\n",
        "conflicts": "<<<<<<<\n=======\n>>>>>>>\n", "tags": "#a ", "one line": "a", "numbers": '<!--m {"x":[' + "1," * 400 + "1]}-->\na\n\n",
    }

    def reindexed(self):
        code, said, peak = peak_of(self.world.command("reindex"), self.world.environment)
        self.assertEqual(code, 0, said)
        return peak

    def problems(self):
        return {problem["file"]: problem["code"] for problem in self.world.json("status")["problems"]}

    def test_what_a_file_takes_is_bounded(self):
        self.world.write("small.md", "One entry.\n")
        base = self.reindexed()
        for name, piece in self.PIECES.items():
            for size in (MIB, 8 * MIB - 4096):
                with self.subTest(name, size=size):
                    self.world.write("large.md", (piece * (size // len(piece) + 1))[:size])
                    peak = self.reindexed() - base
                    if SLOWNESS == 1:
                        self.assertLess(peak, min(max(48 * size, 112 * MIB), 300 * MIB - base), f"{peak >> 20} MiB")
                    self.assertEqual(self.world.found("entry"), ["One entry."])

    def test_inherited_headings_and_tags_are_counted(self):
        headings = "".join("#" * level + " " + "h" * 190 + "\n" for level in range(1, 7))
        tags = "---\ntags: [" + ", ".join(f"tag{i}" for i in range(5000)) + "]\n---\n"
        for beginning in (headings, tags):
            self.world.write("large.md", beginning + "ab\n\n" * 40_000)
            if SLOWNESS == 1:
                self.assertLess(self.reindexed(), 300 * MIB)
            self.assertEqual(self.problems(), {"large.md": "too-much-memory"})

    def test_a_file_of_too_many_entries_is_reported_and_left_out_until_it_is_split(self):
        lines = [f"word{i}\n\n" for i in range(50_001)]
        self.world.write("list.md", "".join(lines))
        self.world.write("other.md", "A heron stands in the pond.\n")
        self.assertEqual(self.problems(), {"list.md": "too-many-entries"})
        self.assertEqual(self.world.found("word77"), [])
        self.assertEqual(self.world.found("heron"), ["A heron stands in the pond."])
        self.world.run("doctor", code=1)
        self.world.write("list.md", "".join(lines[:50_000]))
        self.assertEqual(self.problems(), {})
        self.assertEqual(self.world.found("word77"), ["word77"])
        with (self.world.vault / "list.md").open("a") as file:
            file.write(lines[50_000])
        self.assertEqual(self.problems(), {"list.md": "too-many-entries"})
        self.assertEqual(self.world.found("word77"), [])

    def test_nothing_is_taken_for_deleted_in_a_file_that_is_left_out(self):
        kept = '<!--m {"id":"c-keeps","source":"user","first_seen":"2026-01-01","updated":"2026-01-01"}-->\nKeeps bees in Slough.\n'
        self.world.write("consolidated/memory.md", kept)
        with RunningDaemon(self.world):
            self.world.run("status", "--wait")
            self.world.write("consolidated/memory.md", "a\n\n" * 60_000)
            self.world.run("status", "--wait")
            time.sleep(1)
            self.world.write("consolidated/memory.md", kept)
            self.world.run("status", "--wait")
            self.assertEqual(self.world.found("bees"), ["Keeps bees in Slough."])
        self.assertFalse(list((self.world.vault / ".loci").glob("tombstones/*")))


class Settings(EndToEnd):
    def test_deep_and_large_settings_of_a_vault_cost_nothing(self):
        self.world.add("still found")
        for text in ("a." * 10_000 + "a = 1\n", "a." * 200_000 + "a = 1\n", "[" + "a." * 10_000 + "a]\n", "a = " + "[" * 30_000, "a = " + "{b=" * 10_000,
                     "x = [\n" + "a." * 10_000 + "a = 1\n", "a.b.c = 1\n" * 200_000):
            with self.subTest(text[:20], size=len(text)):
                self.world.write(".loci/config.toml", text)
                code, said, peak = peak_of(self.world.command("search", "found"), self.world.environment)
                self.assertEqual(code, 0)
                self.assertIn(".loci/config.toml", said)
                if SLOWNESS == 1:
                    self.assertLess(peak, 64 * MIB)

    def test_a_daemon_goes_on_with_the_settings_that_it_has(self):
        self.world.write(".loci/config.toml", '[vault]\nignore = ["drafts/"]\n')
        self.world.write("drafts/a.md", "A draft about otters.\n")
        with RunningDaemon(self.world) as daemon:
            self.world.write(".loci/config.toml", "a." * 5000 + "a = 1\n")
            self.assertTrue(until(lambda: "not taken over" in daemon.logged()), daemon.logged())
            self.world.write("drafts/b.md", "Another draft about otters.\n")
            self.world.run("status", "--wait")
            self.assertEqual(self.world.found("otters"), [])
            problems = [problem for problem in self.world.json("status")["problems"] if problem["code"] == "config-syntax"]
            self.assertEqual(len(problems), 1, problems)
            self.assertIn("goes on with the settings that it has", problems[0]["message"])
            self.world.write(".loci/config.toml", "")
            self.assertTrue(until(lambda: len(self.world.found("otters")) == 2))


class Patterns(EndToEnd):
    def test_an_ignore_file_means_to_loci_what_it_means_to_git(self):
        chance = random.Random(7)
        names = ["a", "b", "ab", "abc", "a-b", "[x]", "x y", "ä"]
        for number in range(60):
            depth = chance.randrange(4)
            self.world.write("/".join([chance.choice(names) for _ in range(depth)] + [chance.choice(names) + ".md"]), f"text {number}\n")
        files = {str(file.relative_to(self.world.vault)) for file in self.world.vault.rglob("*.md") if file.read_text().startswith("text ")}
        subprocess.run(["git", "init", "-q", self.world.vault], check=True)
        pieces = ["a", "b", "c", "*", "**", "?", "/", "/**/", "**/", "[a-c]", "[!b]", "[[:alpha:]]", "[", "\\", ".md", "*.md", " ", "x", "ä", "-", "]"]
        for _ in range(40 * SCALE):
            patterns = ["".join(chance.choices(pieces, k=chance.randrange(1, 6))) for _ in range(3)]
            patterns = [("!" if chance.random() < 0.2 else "") + pattern + ("/" if chance.random() < 0.2 else "") for pattern in patterns]
            for name in (".lociignore", ".git/info/exclude"):
                self.world.write(name, "\n".join(patterns) + "\n")
            seen = subprocess.run(["git", "-C", self.world.vault, "-c", "core.quotePath=false", "ls-files", "-z", "--others", "--exclude-standard"],
                                  capture_output=True, text=True, check=True).stdout.split("\0")
            expected = {name for name in seen if name in files}
            entries = [json.loads(line) for line in self.world.run("list", "--jsonl").splitlines()]
            found = {place["file"] for entry in entries for place in entry["places"]} & files
            self.assertEqual(found, expected, patterns)

    def test_a_text_that_stands_in_thousands_of_places_is_shown_with_the_first_and_their_number(self):
        self.world.write("notes/equal.md", "The same heron.\n\n" * 3_000)
        [hit] = self.world.json("search", "heron")["hits"]
        self.assertEqual((len(hit["places"]), hit["place_count"], hit["places"][0]["line"]), (20, 3_000, 1))
        self.assertIn("and in 2980 other places", self.world.run("show", hit["id"]))

    def test_thousands_of_patterns_of_stars_cost_no_search_its_time(self):
        self.world.write(".lociignore", ("*a" * 60 + "*b\n") * 8_000)
        for number in range(200):
            self.world.write("a" * 200 + f"{number}.md", "A heron.\n")
        self.world.run("reindex")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.assertEqual(self.world.found("heron"), ["A heron."])
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 10 * SLOWNESS)  # else it is minutes
        self.assertIn((".lociignore", "too-many-patterns"),
                      {(problem["file"], problem["code"]) for problem in self.world.json("status")["problems"]})

    def test_rules_that_cannot_be_read_send_nothing(self):
        for text in ('[privacy]\nnever_send = [%s]\n' % ", ".join(f'"#t{i}"' for i in range(1001)), '[privacy]\nnever_send = "#a"\n', "broken"):
            self.world.write(".loci/config.toml", text)
            self.assertIn("**", self.world.json("config", "privacy.never_send")["settings"][0]["value"])
            self.assertIn("never_send" if "privacy" in text else "nothing is sent", self.world.messages)


class Streams(EndToEnd):
    def test_what_is_stored_is_stored_once_though_its_id_could_not_be_printed(self):
        def without_stdout(*words, stdout=None):
            close = None if stdout else (lambda: os.close(1))
            return subprocess.run(self.world.command(*words), env=self.world.environment, stdout=stdout, stderr=subprocess.PIPE, text=True,
                                  preexec_fn=close)
        with open("/dev/full", "w") as full:
            for stdout in (None, full):
                done = without_stdout("add", "Otters hold hands.", stdout=stdout)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("no need to repeat", done.stderr)
                self.assertEqual(without_stdout("list", stdout=stdout).returncode, 1)
        self.assertEqual(self.world.texts(), ["Otters hold hands.", "Otters hold hands."])
        for file in self.world.vault.rglob("archive/*.md"):
            self.assertEqual(file.read_text().count("Otters"), 2)

    def test_a_file_that_may_not_grow_is_an_error_of_the_one_command(self):
        self.world.add("before")
        before = self.world.tree()
        limited = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (40, 40))
        done = subprocess.run(self.world.command("add", "Too much for the file. " * 10), env=self.world.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, preexec_fn=limited)
        self.assertEqual(done.returncode, 1, (done.returncode, done.stderr))
        self.assertEqual(self.world.tree(), before)
        self.world.add("afterwards")
        self.assertEqual(self.world.texts(), ["afterwards", "before"])


class Limits(EndToEnd):
    def test_a_limit_of_nothing_is_wrong_usage(self):
        self.world.add("one")
        for words in (["search", "--limit", "0", "one"], ["list", "--limit", "0"], ["recent", "--limit=0"], ["sessions", "--limit", "0"],
                      ["log", "--limit", "0"]):
            with self.subTest(words):
                self.world.run(*words, code=2)
                self.assertIn("from 1 up", self.world.messages)

    def test_an_unknown_key_names_what_was_meant(self):
        for wrong, right in (("consolidation.intervall", "consolidation.interval_seconds"), ("watch.poll", "watch.poll_seconds"),
                             ("consolidation.min_hour", "consolidation.min_hours"), ("recall.half_life", "recall.recency_half_life_days")):
            self.world.run("config", wrong, "1", code=2)
            self.assertIn(f"did you mean '{right}'?", self.world.messages)


class Permissions(EndToEnd):
    """Whoever may write everywhere runs the program as somebody who may not."""

    def setUp(self):
        super().setUp()
        self.somebody = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}

    def run_as_somebody(self, *words, code=0):
        done = subprocess.run([self.program, *self.world.command(*words)[1:]], env=self.world.environment, capture_output=True, text=True,
                              timeout=120 * SLOWNESS, **self.somebody)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout + done.stderr

    def give_away(self):
        self.program = shutil.copy(shutil.which(LOCI) or LOCI, self.world.scratch / "loci")  # where it is may be closed to them
        for file in (self.world.scratch, *self.world.scratch.rglob("*")):
            if self.somebody:
                os.chown(file, 65534, 65534, follow_symlinks=False)

    def test_a_folder_that_may_not_be_written_keeps_only_what_stands_in_it_as_it_is(self):
        file = "consolidated/memory.md"
        yaks, *_ = [self.world.add(text) for text in ("Yaks eat grass.", "Zebras run.", "Cows chew.", "Prefers green tea at four.")]
        self.world.run("consolidate", "--force")
        old = self.world.read(file)
        self.world.run("correct", next(one["id"] for one in self.world.entries() if one["file"] == file and "tea" in one["text"]), "Prefers mint tea.")
        self.world.write(file, old.replace("Cows chew.", "Cows chew the cud."))  # an old buffer: the correction is to be put back
        self.give_away()
        folder = self.world.vault / "consolidated"
        folder.chmod(0o555)
        said = self.run_as_somebody("forget", yaks)
        self.assertIn(f"{file} cannot be written (Permission denied)", said)
        self.run_as_somebody("consolidate", "--force")
        self.assertIn(f"{file} cannot be written (Permission denied)", self.run_as_somebody("status"))
        self.assertNotIn("Yaks eat grass.", self.run_as_somebody("list"))
        [asked] = json.loads(self.run_as_somebody("resolve", "--json"))["questions"]
        self.assertEqual((asked["file"], asked["kind"], asked["ends_by_answer"]), (file, "stuck", False))
        self.assertIn("Permission denied", asked["why"])
        for answer in ([], ["--keep"], ["--restore"]):
            self.assertIn(f"{file} cannot be written (Permission denied)", self.run_as_somebody("resolve", *answer, file, code=5))
        folder.chmod(0o755)
        self.run_as_somebody("add", "Ducks swim.")
        self.run_as_somebody("consolidate", "--force")
        text = self.world.read(file)
        for word, stands in (("Yaks", False), ("green", False), ("mint", True), ("the cud", True), ("Zebras", True)):
            self.assertEqual(word in text, stands, word)
        self.assertIn("nothing waits for an answer", self.run_as_somebody("resolve"))


class Surroundings(EndToEnd):
    def test_a_folder_that_is_open_to_everybody_is_no_place_for_a_socket(self):
        runtime = self.world.scratch / "run"
        (runtime / "loci").mkdir(parents=True)
        (runtime / "loci").chmod(0o777)
        self.world.environment["XDG_RUNTIME_DIR"] = str(runtime)
        self.world.run("daemon", code=5)
        self.assertIn(str(runtime / "loci"), self.world.messages)
        self.world.run("status")
        self.assertIn("everybody may write", self.world.messages)
        if os.geteuid() == 0:  # only then can a folder be given away
            (runtime / "loci").chmod(0o700)
            os.chown(runtime / "loci", 65534, 65534)
            self.world.run("daemon", code=5)
            self.assertIn("belongs to another user", self.world.messages)


class Signals(DaemonCase):
    def test_a_daemon_that_is_told_to_reload_while_it_starts_does_not_die(self):
        chance = random.Random(3)
        for _ in range(20 * SCALE):
            daemon = RunningDaemon(self.world, wait=False)
            # From its first instruction on that is its own.
            until(lambda: b"\0daemon" in pathlib.Path(f"/proc/{daemon.process.pid}/cmdline").read_bytes() and
                  any(line.startswith("SigBlk:") and int(line.split()[1], 16) & 1 for line in
                      pathlib.Path(f"/proc/{daemon.process.pid}/status").read_text().splitlines()))
            for _ in range(2):
                daemon.process.send_signal(signal.SIGHUP)
                time.sleep(chance.random() * 0.01)
            self.assertTrue(daemon.hears("READY=1"), daemon.logged())
            self.assertEqual(daemon.stop(), 0)


class Keys(ModelCase):
    KEY = "sk-test-8c1e0f7a93b54d2e-otter-lighthouse"

    def test_a_key_is_gone_from_memory_when_the_model_was_asked(self):
        key_file = self.world.scratch / "key"
        key_file.write_text(self.KEY + "\n")
        key_file.chmod(0o600)
        self.serve({"rules": {"decide": [], "keys": [], "promote": []}}, model_settings=f'key_file = "{key_file}"')
        self.fact("f1", "Keeps bees in Slough.")
        with RunningDaemon(self.world) as daemon:
            self.world.run("status", "--wait")
            answer = subprocess.run(["curl", "-s", "-X", "POST", "--unix-socket", str(self.socket()), "-H", "Content-Type: application/json", "-H", "X-Loci-Client: cli",
                                     "-d", '{"force":true}', "http://localhost/memory/consolidate"], capture_output=True, text=True)
            self.assertTrue(self.model.requests(), answer.stdout)
            self.assertEqual(self.times_in_memory(daemon.process.pid, self.KEY), 0)

    def socket(self):
        [found] = [file for file in (self.world.scratch / "state").rglob("daemon.sock")]
        return found

    def times_in_memory(self, process, text):
        """How often it stands in what the process can write to. That nobody but root may look is the same to us: then it is safe."""
        count = 0
        try:
            with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
                for line in maps:
                    place, modes = line.split()[:2]
                    begin, end = (int(part, 16) for part in place.split("-"))
                    if "rw" not in modes:
                        continue
                    try:
                        memory.seek(begin)
                        count += memory.read(end - begin).count(text.encode())
                    except OSError:
                        pass
        except PermissionError:
            return 0
        return count


if __name__ == "__main__":
    unittest.main()
