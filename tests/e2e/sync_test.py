"""Several machines, with git between them: `loci sync`, `loci merge-driver`, and what is between two syncs.

usage: sync_test.py LOCI
"""
import atexit
import contextlib
import datetime
import functools
import hashlib
import itertools
import json
import re
import shlex
import shutil
import subprocess
import threading
import unittest
import zoneinfo

import world
from edits_case import GIT
from running_daemon import RunningDaemon, until

HOSTS = ("first", "second", "third")


class Machine:
    """A clone of the vault, on a machine of its own."""

    def __init__(self, host, hub, first=False):
        self.host, self.hub, self.world = host, hub, world.World(host=host)
        self.world.environment |= GIT
        self.vault = self.world.vault
        if first:
            self.world.run("init", "--git", self.vault)
            self.git("checkout", "-q", "-B", "main")
            self.world.run("config", "primary", host)
            self.world.run("sync", "--setup", hub)
        else:
            self.vault.rmdir()
            self.git("clone", "-q", str(hub), str(self.vault), at=self.world.scratch)

    def git(self, *words, at=None, code=0):
        done = subprocess.run(["git", "-C", str(at or self.vault), *map(str, words)], env=self.world.environment, capture_output=True, text=True)
        if code is not None and done.returncode != code:
            raise AssertionError(f"{self.host}: git {words}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def sync(self, *words, code=0):
        done = subprocess.run(self.world.command("--json", "sync", *words), env=self.world.environment, capture_output=True, text=True,
                              timeout=120 * world.SLOWNESS)
        if done.returncode != code:
            raise AssertionError(f"{self.host}: sync: exit {done.returncode}, not {code}\n{done.stdout}\n{done.stderr}")
        return json.loads(done.stdout)

    def texts(self):
        return self.world.texts("--layer", "L0", "--layer", "L1")


def make_hub(folder, of):
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", folder], env=of.environment | GIT, check=True)


class Beginning:
    """Two machines that have exchanged once, made once and put back for each test: the files are the same, at the same places."""

    def __init__(self):
        self.scratch, self.kept = world.World(), world.World()
        self.hub = self.scratch.scratch / "hub.git"
        make_hub(self.hub, self.scratch)
        self.first = Machine("first", self.hub, first=True)
        self.first.sync()
        self.second = Machine("second", self.hub)
        self.worlds = [self.scratch, self.first.world, self.second.world]
        for one in self.worlds:
            for sample in one.scratch.rglob("*.sample"):  # of git's hooks
                sample.unlink()
            one.scratch.rename(self.kept.scratch / one.scratch.name)
        self.environments = [dict(one.environment) for one in self.worlds]
        atexit.register(self.kept.close)

    def put_back(self):
        self.close()  # of a test that begins anew
        for one, environment in zip(self.worlds, self.environments):
            one.environment = dict(environment)
            shutil.copytree(self.kept.scratch / one.scratch.name, one.scratch, symlinks=True)

    def close(self):
        with contextlib.ExitStack() as stack:
            for one in self.worlds:
                if one.scratch.exists():
                    stack.callback(one.close)


class SyncCase(unittest.TestCase):
    begin = functools.cache(Beginning)

    def setUp(self):
        beginning = SyncCase.begin()
        self.addCleanup(beginning.close)
        beginning.put_back()
        self.scratch, self.hub, self.first, self.second = beginning.scratch, beginning.hub, beginning.first, beginning.second

    def machine(self, host, **options):
        machine = Machine(host, self.hub, **options)
        self.addCleanup(machine.world.close)
        return machine

    def pair(self):
        return self.first, self.second

    def machine_from(self, first):
        first.sync()
        return self.machine("second")

    def fold_into_one(self, second, facts, text):
        """As a run of the second machine would have it that folded these into one entry; the first has folded them already."""
        ledger = [json.loads(line) for line in (second.vault / ".loci/ledger/first.jsonl").read_text().splitlines()]
        lines = {line["fact"]: line for line in ledger if "fact" in line}
        hashed = hashlib.sha256(text.encode()).hexdigest()
        (second.vault / ".loci/ledger/second.jsonl").write_text("".join(
            json.dumps(lines[fact] | {"run": "other", "at": "2026-11-22T10:00:00.000Z", "entry": "twin", "entry_hash": hashed[:32], "outcome": "added"}) + "\n"
            for fact in facts))
        second.world.write("consolidated/other.md", f'<!--m {{"id":"twin","sum":"{hashed[:8]}","source":"agent","from":{json.dumps(facts)}}}-->\n{text}\n')

    def entry(self, entry, text, more=""):
        return f'<!--m {{"id":"{entry}"{more}}}-->\n{text}\n'


class Exchange(SyncCase):
    def test_what_one_machine_stores_the_other_finds(self):
        first, second = self.pair()
        first.world.add("Deploys happen on Fridays.")
        second.world.add("The cat is called Miso.")
        self.assertEqual(first.sync()["sent"]["entries"], 1)
        answer = second.sync()
        self.assertEqual((answer["sent"]["entries"], answer["received"]["entries"]), (1, 1))
        first.sync()
        for machine in (first, second):
            self.assertIn("Deploys happen on Fridays.", machine.texts())
            self.assertIn("The cat is called Miso.", machine.texts())
        self.assertEqual(first.git("rev-parse", "HEAD"), second.git("rev-parse", "HEAD"))

    def test_what_both_machines_imported_is_there_once(self):
        first, second = self.pair()
        records = [{"id": "1", "memory": "The oven is hot at four."}, {"id": "2", "memory": "Rye is out.", "created_at": "2026-01-02T03:04:05Z"}]
        for machine in (first, second):
            export = machine.world.scratch / "mem0.json"
            export.write_text(json.dumps(records))
            machine.world.run("import", "--from", "mem0", export)
        for machine in (first, second, first):
            machine.sync()
        for machine in (first, second):
            self.assertEqual(machine.texts(), sorted(one["memory"] for one in records))
            self.assertEqual(machine.world.json("status")["facts"]["total"], 2)
            self.assertEqual(len(machine.world.found("oven")), 1)
            self.assertEqual(machine.world.json("doctor")["problems"], [])
        first.world.run("forget", next(one["id"] for one in first.world.entries() if "oven" in one["text"]))
        first.sync()
        second.sync()
        for machine in (first, second):
            self.assertEqual(machine.texts(), ["Rye is out."])

    def test_what_hooks_left_in_the_vault_stays_on_its_machine(self):
        first, second = self.pair()
        ignored = first.vault / ".gitignore"
        ignored.write_text("/.loci/tmp/\n")  # as an older version made it
        spooled = first.vault / ".loci/spool/01.json"
        spooled.parent.mkdir()
        spooled.write_text("{}")
        first.git("add", "-f", spooled)
        first.git("commit", "-q", "-m", "As an older version did it")
        (spooled.parent / "02.json").write_text("{}")
        (spooled.parent / "notes").mkdir()
        (spooled.parent / "notes/a.jsonl").write_text("{}\n")
        first.sync()
        self.assertEqual(first.git("ls-files", ".loci/spool"), "")
        self.assertTrue(spooled.exists())
        second.sync()
        self.assertFalse((second.vault / ".loci/spool").exists())
        self.assertEqual(first.sync("--dry-run")["sent"]["files"], 0)

    def test_nothing_new_is_no_commit(self):
        first, second = self.pair()
        second.sync()
        first.sync()
        before = first.git("rev-parse", "HEAD")
        answer = first.sync()
        self.assertEqual(answer["sent"], {"files": 0, "entries": 0})
        self.assertEqual(first.git("rev-parse", "HEAD"), before)

    def test_a_dry_run_says_what_would_go_and_changes_nothing(self):
        first, second = self.pair()
        second.sync()
        first.world.add("Deploys happen on Fridays.")
        second.world.add("The cat is called Miso.")
        second.sync()
        before = first.git("rev-parse", "HEAD"), first.git("status", "--porcelain"), first.world.tree()
        answer = first.sync("--dry-run")
        self.assertEqual((answer["sent"]["entries"], answer["received"]["entries"], answer["dry_run"]), (1, 1, True))
        self.assertEqual((first.git("rev-parse", "HEAD"), first.git("status", "--porcelain"), first.world.tree()), before)

    def test_both_sides_of_one_file_are_merged_entry_by_entry(self):
        first, second = self.pair()
        first.world.write("consolidated/memory.md", self.entry("a", "Red.") + "\n" + self.entry("b", "Up."))
        first.sync()
        second.sync()
        first.world.write("consolidated/memory.md", self.entry("a", "Red and blue.") + "\n" + self.entry("b", "Up."))
        second.world.write("consolidated/memory.md", self.entry("a", "Red.") + "\n" + self.entry("b", "Down.") + "\nMine.\n")
        first.sync()
        self.assertEqual(second.sync()["conflicts"], [])
        first.sync()
        wanted = self.entry("a", "Red and blue.") + "\n" + self.entry("b", "Down.") + "\nMine.\n"
        self.assertEqual(first.world.read("consolidated/memory.md"), wanted)
        self.assertEqual(second.world.read("consolidated/memory.md"), wanted)

    def test_two_texts_of_one_entry_both_stay_until_resolve_is_asked_and_the_answer_travels(self):
        first, second = self.pair()
        first.world.write("consolidated/memory.md", self.entry("a", "Red.") + "\n" + self.entry("b", "Up."))
        first.sync()
        second.sync()
        first.world.write("consolidated/memory.md", self.entry("a", "Blue.") + "\n" + self.entry("b", "Up."))
        second.world.write("consolidated/memory.md", self.entry("a", "Green.") + "\n" + self.entry("b", "Up."))
        first.sync()
        self.assertEqual(second.sync()["conflicts"], ["consolidated/memory.md"])
        self.assertEqual(second.world.read("consolidated/memory.md").count("<<<<<<<"), 1)
        second.world.run("resolve", "--theirs", "consolidated/memory.md")  # what the first one had said
        self.assertEqual(second.world.read("consolidated/memory.md"), self.entry("a", "Blue.") + "\n" + self.entry("b", "Up."))
        second.sync()
        first.sync()
        self.assertEqual(first.world.read("consolidated/memory.md"), second.world.read("consolidated/memory.md"))

    def test_a_note_that_both_changed_has_both_between_markers_and_another_file_stands_twice(self):
        first, second = self.pair()
        first.world.write("notes/plan.md", "# Plan\n\nOne.\n")
        first.world.write("picture.bin", "\0one")
        first.sync()
        second.sync()
        for machine, text in ((first, "Two."), (second, "Three.")):
            machine.world.write("notes/plan.md", f"# Plan\n\n{text}\n")
            machine.world.write("picture.bin", f"\0{text}")
        first.sync()
        self.assertEqual(len(second.sync()["conflicts"]), 2)
        first.sync()
        for machine in (first, second):
            note = machine.world.read("notes/plan.md")
            self.assertTrue("Two." in note and "Three." in note, note)
            self.assertEqual({file.read_text() for file in machine.vault.glob("picture*")}, {"\0Two.", "\0Three."})

    def test_what_three_machines_add_to_one_place_is_told_apart_and_resolve_reads_it(self):
        self.first.sync()
        for number, answer in enumerate(("--both", "--text", "--ours")):
            name = f"notes/log{number}.md"
            machines = [self.first, self.machine(f"second{number}"), self.machine(f"third{number}")]
            self.first.world.write(name, "# Log\n\nStart.\n")
            for machine in machines:
                machine.sync()
            for machine in machines:
                machine.world.write(name, machine.world.read(name) + f"\nFrom {machine.host}.\n")
            last = machines[-1]
            self.first.sync()
            self.assertEqual(machines[1].sync()["conflicts"], [name])
            self.assertEqual(last.sync()["conflicts"], [name])
            for machine in machines:
                self.assertEqual(last.world.read(name).count(f"From {machine.host}."), 1)
            last.world.run("resolve", name, answer, *(["All three."] if answer == "--text" else []))
            note = last.world.read(name)
            self.assertTrue(note.startswith("# Log\n\nStart.\n") and "<<<<<<<" not in note and "======" not in note, note)
            if answer == "--text":
                self.assertEqual(note, "# Log\n\nStart.\n\nAll three.\n")
            if answer == "--both":
                self.assertEqual(sorted(note.split("\n\n")[2:]), sorted([f"From {one.host}." for one in machines[:-1]] + [f"From {last.host}.\n"]))

    def test_a_note_that_differs_in_code_has_markers_that_resolve_reads(self):
        first, second = self.pair()
        first.world.write("notes/code.md", "# Code\n\n```\nred\n```\n\nEnd.\n")
        first.sync()
        second.sync()
        first.world.write("notes/code.md", "# Code\n\n```\ngreen\n```\n\nEnd.\n")
        second.world.write("notes/code.md", "# Code\n\n```\nblue\n```\n\nEnd.\n")
        first.sync()
        self.assertEqual(second.sync()["conflicts"], ["notes/code.md"])
        second.world.run("resolve", "notes/code.md", "--both")
        note = second.world.read("notes/code.md")
        self.assertTrue("green" in note and "blue" in note and "<<<<" not in note, note)

    def test_a_copy_that_is_no_markdown_is_listed_and_chosen_whole(self):
        first, second = self.pair()
        first.world.write("picture.bin", "\0one")
        first.sync()
        second.sync()
        for machine, text in ((first, "Two."), (second, "Three.")):
            machine.world.write("picture.bin", f"\0{text}")
            machine.world.run("config", "sync.minutes", "5" if machine is first else "7")
            machine.sync()
        copies = json.loads(second.world.run("--json", "resolve"))["copies"]
        self.assertEqual([one["original"] for one in copies], [".loci/config.toml", "picture.bin"])
        config, picture = [one["file"] for one in copies]
        self.assertIn(picture, json.dumps(second.world.json("status")["problems"]))
        before = second.world.read(".loci/config.toml"), (second.vault / "picture.bin").read_text()
        for copy in (config, picture):
            second.world.run("resolve", copy, code=5)
            self.assertIn("--theirs", second.world.messages)
        self.assertEqual((second.world.read(".loci/config.toml"), (second.vault / "picture.bin").read_text()), before)
        wanted = (second.vault / picture).read_text()
        second.world.run("resolve", picture, "--theirs")
        self.assertEqual((second.vault / "picture.bin").read_text(), wanted)
        second.world.run("resolve", config, "--ours")
        self.assertEqual(second.world.read(".loci/config.toml"), before[0])
        self.assertEqual(json.loads(second.world.run("--json", "resolve"))["copies"], [])

    def test_deleted_on_one_machine_and_appended_to_on_the_other_keeps_what_was_appended(self):
        first, second = self.pair()
        first.world.write("consolidated/old.md", self.entry("a", "Red."))
        first.sync()
        second.sync()
        (first.vault / "consolidated/old.md").unlink()
        second.world.write("consolidated/old.md", self.entry("a", "Red.") + "\n" + self.entry("b", "New."))
        first.sync()
        second.sync()
        self.assertEqual(second.world.read("consolidated/old.md"), self.entry("b", "New."))

    def test_what_a_folder_that_was_removed_held_of_today_comes_back_once_before_a_sync_takes_it_from_everybody(self):
        first, second = self.pair()
        second.world.add("The heron stands in the pond.")
        second.sync()
        shutil.rmtree(second.vault / "archive")
        second.sync()
        first.sync()
        self.assertEqual(second.texts(), ["The heron stands in the pond."])
        self.assertEqual(first.texts(), second.texts())
        shutil.rmtree(second.vault / "archive")  # so it was meant
        second.sync()
        first.sync()
        self.assertEqual((first.texts(), second.texts()), ([], []))

    def test_status_tells_a_person_times_on_the_clock_on_the_wall(self):
        first, second = self.pair()
        first.sync()
        second.sync()
        told = second.world.json("status")["sync"]
        second.world.environment["TZ"] = "Pacific/Auckland"
        here = [datetime.datetime.fromisoformat(at).astimezone(zoneinfo.ZoneInfo("Pacific/Auckland"))
                for at in (told["done"], *(peer["seen"] for peer in told["peers"] if not peer["self"]))]
        shown = second.world.run("status")
        self.assertIn(f"with origin last {here[0]:%Y-%m-%d %H:%M};", shown)
        for seen in here[1:]:
            self.assertIn(f", last seen {seen:%Y-%m-%d %H:%M}\n", shown)
        self.assertGreater(len(here), 1)

    def test_many_files_that_went_here_go_from_no_other_machine_before_somebody_says_so(self):
        first, second = self.pair()
        for name in ("heron", "otter", "newt", "toad"):
            first.world.write(f"archive/2024-05-0{len(name)}.{name}.md", self.entry(name, f"The {name} lives in the pond."))
        first.sync()
        second.sync()
        known = second.texts()
        shutil.rmtree(first.vault / "archive")
        (first.vault / "archive").mkdir()
        first.world.write("consolidated/new.md", self.entry("n", "What is new."))
        for dry_run in ([], ["--dry-run"]):
            first.world.run("sync", *dry_run, code=5)
            self.assertIn("4 of ", first.world.messages)
            self.assertIn("git restore", first.world.messages)
        second.sync()
        self.assertEqual(second.texts(), known)
        first.world.write("user.md", "- Written since.\n")
        command = re.search(r"'(git ls-files -zd \|.*?)'", first.world.messages)[1]
        subprocess.run(command, shell=True, cwd=first.vault, env=first.world.environment, check=True)
        self.assertEqual(first.world.read("user.md"), "- Written since.\n")
        for name in ("heron", "otter"):  # two files of some ten are no question
            (first.vault / f"archive/2024-05-05.{name}.md").unlink()
        first.sync()
        second.sync()
        self.assertEqual(first.texts(), second.texts())
        self.assertEqual(len([text for text in first.texts() if "pond" in text]), 2)

    def test_many_files_that_went_while_a_pull_waited_for_answers_are_asked_about_too(self):
        first, second = self.pair()
        for day in range(1, 8):
            first.world.write(f"archive/2026-11-0{day}.md", f"Said on day {day}.\n")
        first.world.write("note.md", "Of the first.\n")
        first.sync()
        second.world.write("note.md", "Of the second.\n")
        second.git("add", "note.md")
        second.git("commit", "-qm", "note")
        second.git("pull", "-q", "--no-rebase", code=1)
        second.world.write("note.md", "Of both.\n")
        second.git("add", "note.md")
        shutil.rmtree(second.vault / "archive")
        second.world.run("sync", code=5)
        self.assertIn("files of the memory are gone here", second.world.messages)
        first.sync()
        self.assertIn("Said on day 3.", first.world.texts())

    def test_many_files_that_somebody_removed_with_git_or_moved_go_without_a_question(self):
        first, second = self.pair()
        for day in range(1, 7):
            first.world.write(f"archive/2024-05-0{day}.pond.md", self.entry(f"p{day}", f"Newt {day} lives in the pond."))
        first.sync()
        second.sync()
        (first.vault / "archive/pond").mkdir()
        for day in range(1, 7):
            (first.vault / f"archive/2024-05-0{day}.pond.md").rename(first.vault / f"archive/pond/2024-05-0{day}.md")
        first.sync()
        second.sync()
        self.assertEqual(len([text for text in second.texts() if "pond" in text]), 6)
        first.git("rm", "-r", "-q", "archive/pond")
        first.sync()
        second.sync()
        self.assertEqual([text for text in second.texts() + first.texts() if "pond" in text], [])

    def test_deleted_stays_deleted(self):
        first, second = self.pair()
        entry = first.world.add("The door opens with 4711.")
        first.sync()
        second.sync()
        first.world.run("forget", entry)
        first.sync()
        second.world.add("Something else.")
        second.sync()
        first.sync()
        for machine in (first, second):
            self.assertNotIn("The door opens with 4711.", machine.texts())
            self.assertIn("Something else.", machine.texts())

    def both_know(self, *machines):
        for _ in range(2):
            for machine in machines:
                machine.sync()

    def nothing_shows(self, machine, text):
        for file in ("consolidated/memory.md", "MEMORY.md"):
            self.assertNotIn(text, machine.world.read(file), f"{machine.host}: {file}")
        self.assertNotIn(text, machine.world.run("context"), machine.host)
        machine.world.run("doctor")

    def test_what_one_forgets_while_the_other_makes_an_entry_of_it_goes_everywhere(self):
        first, second = self.pair()
        entry = first.world.add("Always answer in English.")
        first.world.add("Yaks eat grass.")
        self.both_know(first, second)
        second.world.run("forget", entry)
        first.world.run("consolidate", "--force")
        self.assertIn("in English", first.world.read("MEMORY.md"))
        self.both_know(first, second)
        self.assertEqual(first.git("rev-parse", "HEAD"), second.git("rev-parse", "HEAD"))
        for machine in (first, second):
            self.nothing_shows(machine, "in English")
            self.assertIn("Yaks eat grass.", machine.world.read("consolidated/memory.md"))
            self.assertEqual(machine.git("status", "--porcelain"), "")

    def test_what_one_corrects_while_the_other_shows_it_is_right_everywhere(self):
        first, second = self.pair()
        entry = first.world.add("Always call the user Robert.")
        self.both_know(first, second)
        second.world.run("correct", entry, "Always call the user Bob.")
        first.world.run("consolidate", "--force")
        self.both_know(first, second)
        self.assertEqual(first.git("rev-parse", "HEAD"), second.git("rev-parse", "HEAD"))
        for machine in (first, second):
            self.nothing_shows(machine, "Robert")
            self.assertIn("Always call the user Bob.", machine.texts())

    def test_what_was_forgotten_goes_when_git_alone_brought_the_news(self):
        first, second = self.pair()
        entry = first.world.add("Always answer in English.")
        self.both_know(first, second)
        second.world.run("forget", entry)
        second.sync()
        first.world.run("consolidate", "--force")
        first.git("add", "-A")
        first.git("commit", "-q", "-m", "a run")
        first.git("pull", "-q", "--no-rebase", "--no-edit")
        first.world.add("Something else.")
        first.world.run("config", "primary")
        self.both_know(first, second)
        self.nothing_shows(first, "in English")
        self.nothing_shows(second, "in English")

    def end_elsewhere(self, end, by, of, filed, first_to_sync):
        """A person's edit on the first machine, and the end of what was edited on the second, which do not know of each other."""
        self.setUp()
        pair = first, second = self.pair()
        fact = first.world.add("Prefers green tea at four.")
        for text in ("Yaks eat grass.", "Zebras run.", "Cows chew.", "Dogs bark."):
            first.world.add(text)
        first.world.run("consolidate", "--force")
        self.both_know(first, second)
        entry = next(one["id"] for one in first.world.entries() if one["file"].startswith("consolidated/") and "tea" in one["text"])
        file = "consolidated/memory.md"
        first.world.write(file, first.world.read(file).replace("green tea at four", "coffee at nine"))
        if filed:
            first.world.add("Ducks swim.")
            first.world.run("consolidate", "--force")
        second.world.run(end, {"entry": entry, "fact": fact}[of], *by)
        order = pair if first_to_sync == "first" else (second, first)
        for machine in order * 2:
            machine.sync()
        return pair

    def test_what_a_person_typed_before_they_knew_that_it_was_ended_elsewhere_is_found_and_asked_about(self):
        ends = (("forget", ()), ("correct", ("Prefers rooibos at five.",)))
        for (end, by), filed, first_to_sync in itertools.product(ends, (False, True), ("first", "second")):
            of = "fact" if filed == (first_to_sync == "first") else "entry"
            with self.subTest(end=end, of=of, filed=filed, first_to_sync=first_to_sync):
                pair = self.end_elsewhere(end, by, of, filed, first_to_sync)
                self.assertEqual(*(machine.git("rev-parse", "HEAD") for machine in pair))
                for machine in pair:
                    self.assertEqual(machine.git("status", "--porcelain"), "")
                    self.assertIn("Prefers coffee at nine.", machine.world.read("consolidated/memory.md"))
                    self.assertIn("Prefers coffee at nine.", machine.world.found("coffee"))
                    self.assertIn("Prefers coffee at nine.", machine.texts())
                    self.assertNotIn("Prefers green tea at four.", machine.texts())
                    self.assertEqual([problem["code"] for problem in machine.world.json("status")["problems"]], ["edited-after-forget"])
                    self.assertEqual([question["code"] for question in machine.world.json("resolve")["entries"]], ["edited-after-forget"])
                    self.assertEqual([problem["code"] for problem in machine.world.json("doctor", code=1)["problems"]], ["edited-after-forget"])

    def stands(self, machine, *texts):
        found = machine.world.read("consolidated/memory.md")
        return [text for text in texts if text in found]

    def test_what_ended_while_another_machine_took_it_back_goes_after_one_sync_each(self):
        for order in ((0, 1), (1, 0)):
            with self.subTest(order):
                self.setUp()
                pair = first, second = self.pair()
                first.world.write("consolidated/memory.md", self.entry("a", "Red.") + "\n" + self.entry("b", "Up."))
                first.sync()
                second.sync()
                first.world.run("forget", "b")
                first.sync()
                second.sync()
                second.world.run("restore", "b")
                first.world.run("restore", "b")
                first.world.run("correct", "b", "Down.")
                for number in order:
                    pair[number].sync()
                self.assertEqual(self.stands(pair[order[1]], "Up.", "Down."), ["Down."])
                pair[order[0]].sync()
                for machine in pair:
                    self.assertEqual(self.stands(machine, "Red.", "Up.", "Down."), ["Red.", "Down."])
                    self.assertEqual(machine.world.json("doctor")["problems"], [])

    def test_what_was_taken_back_after_it_had_ended_elsewhere_stands(self):
        first, second = self.pair()
        first.world.write("consolidated/memory.md", self.entry("a", "Red.") + "\n" + self.entry("b", "Up."))
        first.sync()
        second.sync()
        first.world.run("forget", "b")
        second.world.run("forget", "b")
        second.world.run("restore", "b")
        for machine in (first, second, first):
            machine.sync()
        for machine in (first, second):
            self.assertEqual(self.stands(machine, "Red.", "Up."), ["Red.", "Up."])
            self.assertIn("Up.", machine.texts())

    def test_what_both_made_and_one_forgot_goes_and_what_a_person_put_back_is_asked_about(self):
        for order in ((0, 1), (1, 0)):
            with self.subTest(order):
                self.setUp()
                pair = first, second = self.pair()
                for machine in pair:
                    machine.world.write("consolidated/memory.md", self.entry("a", "Red.") + "\n" + self.entry("b", "Up."))
                    machine.world.run("status")
                first.world.run("forget", "b")
                for number in order:
                    pair[number].sync()
                self.assertEqual(self.stands(pair[order[1]], "Red.", "Up."), ["Red."])
                pair[order[0]].sync()
                self.assertEqual(self.stands(pair[order[0]], "Red.", "Up."), ["Red."])
        first.world.write("consolidated/other.md", self.entry("b", "Up."))
        for machine in (first, second):
            machine.sync()
            self.assertIn("Up.", machine.world.read("consolidated/other.md"))
            self.assertIn("stands-after-forget", [problem["code"] for problem in machine.world.json("status")["problems"]])

    def test_machines_that_sync_at_once_all_get_through(self):
        first, second = self.pair()
        machines = [first, second, self.machine("third")]
        for turn in range(3):
            for machine in machines:
                machine.world.add(f"Turn {turn} of {machine.host}.")
            threads = [threading.Thread(target=machine.sync) for machine in machines]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        for machine in machines:
            machine.sync()
        for machine in machines:
            machine.sync()
        texts = {tuple(machine.texts()) for machine in machines}
        self.assertEqual(len(texts), 1)
        self.assertEqual(len([text for text in texts.pop() if text.startswith("Turn ")]), 9)


class WorkTrees(SyncCase):
    def test_a_repository_inside_of_the_vault_is_not_sent_and_that_is_said(self):
        first, second = self.pair()
        for name in ("empty", "full [1]"):
            folder = first.vault / "code" / name
            folder.mkdir(parents=True)
            first.git("init", "-q", at=folder)
            (folder / "README.md").write_text("It has a repository of its own.\n")
        first.git("add", "-A", at=folder)
        first.git("commit", "-qm", "one", at=folder)
        first.world.write("code/note.md", "Beside them.\n")
        first.world.run("sync")
        self.assertIn("'code/empty' is a repository of its own", first.world.messages)
        self.assertEqual(first.git("ls-files", "code"), "code/note.md\n")
        self.assertEqual(first.world.json("status")["sync"]["not_exchanged"]["files"], 0)
        self.assertEqual(first.sync("--dry-run")["sent"]["files"], 0)
        first.world.write(".gitignore", first.world.read(".gitignore") + "/code/*/\n")
        first.world.run("sync")
        self.assertNotIn("repository of its own", first.world.messages)
        second.sync()
        self.assertIn("Beside them.", second.texts())

    def test_memory_that_a_rule_from_outside_of_the_vault_keeps_out_is_named_until_the_vault_says_what_is_meant(self):
        first, second = self.pair()
        ignored = first.world.scratch / "ignored"
        ignored.write_text("*~\narchive/\n")
        first.git("config", "core.excludesFile", ignored)
        first.world.add("The heron stands in the pond.")
        first.world.run("sync")
        self.assertIn("not sent: 1 file of the memory, 'archive/", first.world.messages)
        self.assertIn(f"by 'archive/' ({ignored}:2)", first.world.messages)
        self.assertEqual([one["code"] for one in first.world.json("status")["problems"]], ["not-exchanged"])
        rules = first.world.read(".gitignore")
        first.world.write(".gitignore", rules + "archive/\n")
        first.world.run("sync")
        self.assertNotIn("not sent", first.world.messages)
        self.assertEqual(first.world.json("status")["problems"], [])
        second.sync()
        self.assertEqual(second.texts(), [])
        first.world.write(".gitignore", rules + "!archive/\n")
        first.world.run("sync")
        self.assertNotIn("not sent", first.world.messages)
        second.sync()
        self.assertEqual(second.texts(), ["The heron stands in the pond."])

    def test_what_a_sparse_checkout_leaves_out_counts_as_there(self):
        first, second = self.pair()
        first.world.write("consolidated/memory.md", self.entry("a", "Red.") + "\n" + self.entry("b", "Up."))
        first.sync()
        second.sync()
        second.world.run("status")
        second.git("sparse-checkout", "set", "--no-cone", "/*", "!/consolidated/")
        self.assertFalse((second.vault / "consolidated").exists())
        second.world.add("From the second.")
        first.world.write("consolidated/memory.md", self.entry("a", "Red.") + "\n" + self.entry("b", "Down."))
        for machine in (first, second, first, second):
            machine.sync()
        self.assertEqual(second.world.json("resolve")["questions"], [])
        self.assertEqual(first.texts(), ["Down.", "From the second.", "Red."])
        second.git("sparse-checkout", "disable")
        self.assertEqual(second.texts(), first.texts())
        self.assertEqual(second.world.json("doctor")["problems"], [])


class Refusals(SyncCase):
    def refused(self, machine, code, *words, options=()):
        error = machine.sync(*options, code=code)["error"]
        for word in words:
            self.assertIn(word, error["message"] + " / " + error["hint"])
        return error

    def test_a_vault_inside_of_another_repository_is_not_pushed(self):
        outer = self.scratch.scratch / "code"
        outer.mkdir()
        subprocess.run(["git", "init", "-q", outer], env=self.scratch.environment | GIT, check=True)
        inner = world.World(vault=outer / "vault")
        inner.environment |= GIT
        self.addCleanup(inner.close)
        inner.run("init", inner.vault)
        inner.run("sync", code=5)
        self.assertIn("inside of another repository", inner.messages)

    def test_without_a_repository_a_remote_or_a_branch_it_says_what_to_do(self):
        alone = world.World()
        self.addCleanup(alone.close)
        alone.run("init", alone.vault)
        alone.run("sync", code=5)
        self.assertIn("loci init --git", alone.messages)
        self.assertEqual(alone.json("status")["problems"], [])
        first, second = self.pair()
        second.git("checkout", "-q", "--detach")
        self.refused(second, 5, "no branch")
        second.git("checkout", "-q", "-b", "other")
        self.refused(second, 5, "loci sync --setup")

    def test_the_commits_of_a_branch_that_somebody_switched_to_meanwhile_are_not_sent(self):
        first, second = self.pair()
        second.git("branch", "draft")
        second.world.add("Before the switch.")
        switch = second.world.scratch / "git"  # while it fetches
        switch.write_text(f"#!/bin/sh\n{shutil.which('git')} \"$@\"\nstatus=$?\ncase \" $* \" in *' fetch '*) {shutil.which('git')} -C '{second.vault}' "
                          "checkout -q draft && touch \"$0.done\" ;; esac\nexit $status\n")
        switch.chmod(0o755)
        path = second.world.environment["PATH"]
        second.world.environment["PATH"] = f"{switch.parent}:{path}"
        there = first.git("ls-remote", "origin")
        self.refused(second, 5, "another branch", "main")
        self.assertTrue(switch.with_name("git.done").exists())
        second.world.environment["PATH"] = path
        self.assertEqual(first.git("ls-remote", "origin"), there)
        second.git("checkout", "-q", "main")
        second.sync()
        first.sync()
        self.assertIn("Before the switch.", first.texts())

    def test_a_new_repository_is_on_main_whatever_git_would_call_it(self):
        alone = world.World()
        self.addCleanup(alone.close)
        alone.environment |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "init.defaultBranch", "GIT_CONFIG_VALUE_0": "trunk"}
        alone.run("init", "--git", alone.vault)
        self.assertEqual((alone.vault / ".git/HEAD").read_text(), "ref: refs/heads/main\n")

    def test_a_clone_of_an_empty_repository_gets_what_came_since_whatever_its_branch_is_called(self):
        shutil.rmtree(self.hub)
        make_hub(self.hub, self.scratch)
        empty = self.machine("empty")
        self.refused(empty, 5, "nothing in the vault yet")
        other = self.machine("other")
        other.git("symbolic-ref", "HEAD", "refs/heads/master")
        for key, value in (("remote", "origin"), ("merge", "refs/heads/master")):
            other.git("config", f"branch.master.{key}", value)
        self.first.world.add("The cat is called Miso.")
        self.first.sync()
        for machine in (empty, other):
            self.assertEqual(machine.sync("--dry-run")["received"]["entries"], 1)
            self.assertEqual(machine.sync()["received"]["entries"], 1)
            self.assertEqual(machine.texts(), ["The cat is called Miso."])
        other.world.add("The office is in Vienna.")
        other.sync()
        self.first.sync()
        self.assertEqual(sorted(self.first.texts()), ["The cat is called Miso.", "The office is in Vienna."])

    def test_a_branch_that_nobody_else_exchanges_on_is_not_made_in_silence(self):
        first, second = self.pair()
        second.git("checkout", "-q", "-b", "trip")
        for key, value in (("remote", "origin"), ("merge", "refs/heads/trip")):
            second.git("config", f"branch.trip.{key}", value)
        second.world.add("The office is in Vienna.")
        self.refused(second, 5, "has no branch 'trip', but 'main'")
        self.assertIn("sync-failed", [problem["code"] for problem in second.world.json("status")["problems"]])
        self.assertEqual(second.git("ls-remote", "--heads", "origin").count("\n"), 1)
        second.git("push", "-q", "origin", "HEAD:refs/heads/trip")
        second.sync()
        late = world.World(host="late")
        self.addCleanup(late.close)
        late.environment |= GIT
        late.run("init", "--git", late.vault)
        subprocess.run(["git", "-C", late.vault, "checkout", "-q", "-b", "master"], env=late.environment, check=True)
        self.assertEqual(late.json("sync", "--setup", str(self.hub))["branch"], "main")

    def test_a_repository_whose_own_branch_is_another_one_is_cloned_by_the_branch_that_is_exchanged(self):
        hub = self.first.world.scratch / "plain.git"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "master", hub], env=self.first.world.environment | GIT, check=True)
        first = Machine("third", hub, first=True)
        self.addCleanup(first.world.close)
        clone = f"git clone -b main {hub}"
        self.assertIn(clone, first.world.run("sync", "--setup", hub))
        first.world.add("The cat is called Miso.")
        first.sync()
        empty = Machine("second", hub)
        self.addCleanup(empty.world.close)
        empty.world.run("init", empty.vault)
        self.refused(empty, 5, "has no branch 'master', but 'main'", f"'{clone}' into another folder")
        shutil.rmtree(empty.vault)
        empty.git("clone", "-q", "-b", "main", str(hub), str(empty.vault), at=empty.world.scratch)
        empty.sync()
        self.assertEqual(empty.texts(), ["The cat is called Miso."])

    def test_in_the_middle_of_somebodys_merge_nothing_is_done(self):
        first, second = self.pair()
        first.world.write("note.md", "One.\n")
        first.sync()
        second.world.write("note.md", "Two.\n")
        second.git("add", "-A")
        second.git("commit", "-qm", "mine")
        second.git("fetch", "-q")
        second.git("merge", "-q", "origin/main", code=1)
        before = second.world.read("note.md")
        self.refused(second, 5, "MERGE_HEAD")
        self.assertEqual(second.world.read("note.md"), before)

    def test_a_remote_that_is_not_there(self):
        first, second = self.pair()
        self.hub.rename(self.hub.with_name("gone"))
        self.refused(second, 6, "origin", "git remote -v")

    def test_a_remote_that_refuses_still_gives(self):
        first, second = self.pair()
        first.world.add("From the first.")
        first.sync()
        hook = self.hub / "hooks/pre-receive"
        hook.write_text("#!/bin/sh\necho 'the office is closed' >&2\nexit 1\n")
        hook.chmod(0o755)
        second.world.add("From the second.")
        self.refused(second, 6, "does not take it")
        self.assertIn("From the first.", second.texts())
        self.assertIn("From the second.", second.texts())
        hook.unlink()
        second.sync()
        first.sync()
        self.assertIn("From the second.", first.texts())

    def test_a_hook_that_refuses_the_commit_and_empties_the_index_is_told_too(self):
        first, second = self.pair()
        hook = second.vault / ".git/hooks/pre-commit"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\ngit reset -q\necho lint: refused >&2\nexit 1\n")
        hook.chmod(0o755)
        second.world.add("Held back.")
        self.refused(second, 1, "lint: refused")
        hook.unlink()
        second.sync()
        first.sync()
        self.assertIn("Held back.", first.texts())

    def test_a_hook_of_its_own_that_refuses_the_push_is_told_with_its_words(self):
        self.hub.rename(self.hub.with_name("away"))
        make_hub(self.hub, self.scratch)
        hook = self.first.vault / ".git/hooks/pre-push"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\necho no pushes on Fridays >&2\nexit 1\n")
        hook.chmod(0o755)
        self.first.git("update-ref", "-d", "refs/loci/exchanged/main")
        self.first.git("update-ref", "-d", "refs/remotes/origin/main", code=None)
        error = self.first.sync(code=1)["error"]
        self.assertIn("no pushes on Fridays", error["message"])
        self.assertIn("pre-push", error["hint"])
        self.assertGreater(self.first.world.json("status")["sync"]["not_exchanged"]["files"], 1)
        hook.unlink()
        self.first.sync()
        self.assertEqual(self.first.world.json("status")["sync"]["not_exchanged"]["files"], 0)

    def test_a_remote_that_hangs(self):
        first, second = self.pair()
        second.git("config", "remote.origin.uploadpack", "sleep 1000; true")
        self.refused(second, 6, "did not end", options=("--timeout", "1s"))
        self.assertEqual(list((second.vault / ".git").glob("*.lock")), [])

    def test_a_remote_that_asks_for_a_password_gets_none_and_nobody_is_asked(self):
        first, second = self.pair()
        helper = second.world.scratch / "git-remote-asking"
        helper.write_text("#!/bin/sh\necho \"fatal: could not read Username for 'https://example': terminal prompts disabled\" >&2\n"
                          "[ \"$GIT_TERMINAL_PROMPT\" = 0 ] && exit 128\nsleep 1000\n")
        helper.chmod(0o755)
        second.world.environment["PATH"] = f"{second.world.scratch}:{second.world.environment['PATH']}"
        second.git("config", "remote.origin.url", "asking://user:geheim@example/x")
        second.git("config", "protocol.asking.allow", "always")
        error = self.refused(second, 6, "a password")
        self.assertNotIn("geheim", error["message"] + error["hint"])

    def test_a_rewritten_history_is_not_merged_until_somebody_says_so(self):
        first, second = self.pair()
        first.world.add("Here to stay.")
        first.sync()
        second.sync()
        first.git("commit", "-q", "--amend", "-m", "rewritten")
        first.git("push", "-q", "--force", "origin", "main")
        for _ in range(2):  # the second time as the first
            self.refused(second, 5, "rewritten", "git merge")
        second.git("merge", "-q", "--no-edit", "refs/worktree/loci-incoming")
        second.sync()

    def test_the_hint_about_a_rewritten_history_works_when_nothing_of_the_old_one_is_left(self):
        first, second = self.pair()
        first.world.add("Here to stay.")
        first.sync()
        second.sync()
        first.git("checkout", "-q", "--orphan", "anew")
        first.git("commit", "-qm", "anew")
        first.git("push", "-q", "--force", "origin", "anew:main")
        hint = self.refused(second, 5, "rewritten")["hint"]
        command = hint.split("'")[1].split()
        self.assertEqual(command[:2], ["git", "merge"], hint)
        second.git(*command[1:], "--no-edit")
        second.sync()

    def test_another_branch_that_was_exchanged_is_no_rewritten_history(self):
        first, second = self.pair()
        first.sync()
        second.world.add("Meanwhile, elsewhere.")
        second.sync()
        first.git("checkout", "-q", "-b", "attempt")
        first.git("push", "-q", "-u", "origin", "attempt")
        first.world.write("notes/attempt.md", "Something else.\n")
        first.sync()
        first.git("checkout", "-q", "main")
        first.world.write("notes/plan.md", "Back again.\n")
        first.sync()

    def test_the_command_that_clones_names_no_password(self):
        self.first.git("config", "remote.origin.url", "https://user:geheim@example.invalid/x")
        said = self.first.world.run("sync", "--setup", "https://user:geheim@example.invalid/x")
        self.assertIn("git clone -b main ", said)
        self.assertNotIn("geheim", said)

    def test_a_second_branch_is_exchanged_under_its_own_name(self):
        self.first.sync()
        self.first.git("checkout", "-q", "-b", "work")
        self.first.world.add("Only for work.")
        self.refused(self.first, 5, "no counterpart", "--setup")
        self.first.sync("--setup", self.hub)
        self.refused(self.first, 5, "has no branch 'work', but 'main'", "git push origin HEAD:refs/heads/work")
        self.first.git("push", "-q", "origin", "HEAD:refs/heads/work")
        self.first.sync()
        self.second.sync()
        self.assertNotIn("Only for work.", self.second.world.texts())

    def test_a_branch_below_the_name_of_one_that_is_gone(self):
        self.first.sync()
        for branch in ("attempt", "attempt/second", "attempt"):
            self.first.git("checkout", "-q", "-b", branch, "main")
            self.first.git("push", "-q", "-u", "origin", branch)
            self.first.world.write("notes/attempt.md", branch + "\n")
            self.first.sync()
            self.first.git("checkout", "-q", "main")
            self.first.git("branch", "-q", "-D", branch)
            self.first.git("push", "-q", "--delete", "origin", branch)

    def test_two_work_trees_of_one_repository_fetch_at_the_same_time(self):
        first, second = self.pair()
        second.git("branch", "-q", "attempt")
        second.git("push", "-q", "-u", "origin", "attempt")
        other = world.World(host="third")
        self.addCleanup(other.close)
        other.environment |= GIT
        other.vault.rmdir()
        second.git("worktree", "add", "-q", other.vault, "attempt")
        first.world.write("notes/plan.md", "For main alone.\n")
        first.sync()
        # The one has fetched, and has not read yet what came, when the other one fetches another branch.
        script = second.world.scratch / "sync-the-other"
        variables = [f"{name}={value}" for name, value in other.environment.items()]
        script.write_text(f"#!/bin/sh\nexec env -i {shlex.join(variables + list(map(str, other.command('sync'))))}\n")
        script.chmod(0o755)
        hook = second.vault / ".git/hooks/reference-transaction"
        hook.write_text(f"#!/bin/sh\n[ \"$1\" = committed ] && grep -q incoming && rm '{hook}' && '{script}' > '{script}.out' 2>&1\nexit 0\n")
        hook.chmod(0o755)
        second.sync()
        self.assertIn("0 files received", script.with_suffix(".out").read_text())
        self.assertIn("For main alone.", (second.vault / "notes/plan.md").read_text())

    def test_histories_that_have_nothing_in_common(self):
        self.first.sync()
        other = self.machine("second")
        other.git("checkout", "-q", "--orphan", "main2")
        other.git("commit", "-qm", "alone")
        other.git("branch", "-qM", "main2", "main")
        other.git("branch", "-q", "-u", "origin/main")
        other.git("update-ref", "-d", "refs/loci/exchanged/main", code=None)
        self.refused(other, 5, "no history in common", "--allow-unrelated-histories")

    def test_a_remote_that_others_always_reach_first_ends_the_tries(self):
        first, second = self.pair()
        # git calls it before each push, when everything was fetched.
        hook = second.vault / ".git/hooks/pre-push"
        hook.write_text(f"#!/bin/sh\nunset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE\ncd '{first.vault}' && date +%N >> other.txt && git add -A && "
                        "git commit -qm other && git push -q origin HEAD:main\n")
        hook.chmod(0o755)
        second.world.add("Never through.")
        self.refused(second, 6, "tries were too late")
        hook.unlink()
        second.sync()


class Driver(SyncCase):
    def test_a_program_that_moved_away_is_registered_anew_by_the_next_sync(self):
        first, _ = self.pair()
        setting = "merge.loci.driver"
        here = first.git("config", setting)
        gone = here.replace(here.split(" merge-driver")[0], "/nowhere/loci").strip()
        first.git("config", setting, gone)
        first.sync()
        self.assertEqual(first.git("config", setting), here)
        first.git("config", setting, "mine %A")
        first.sync()
        self.assertEqual(first.git("config", setting), "mine %A\n")

    def diverge(self):
        """Two entries of one file, one changed here, the other there; on the second machine, fetched."""
        first, second = self.pair()
        first.world.write("consolidated/memory.md", self.entry("a", "Red.") + self.entry("b", "Up."))
        first.sync()
        second.sync()
        first.world.write("consolidated/memory.md", self.entry("a", "Blue.") + self.entry("b", "Up."))
        first.sync()
        second.world.write("consolidated/memory.md", self.entry("a", "Red.") + self.entry("b", "Down."))
        second.git("add", "-A")
        second.git("commit", "-qm", "mine")
        return second

    def test_git_pull_by_hand_merges_by_the_driver_once_it_is_set_up(self):
        second = self.diverge()
        second.world.run("sync", "--setup")
        second.git("pull", "-q", "--no-rebase", "--no-edit")
        self.assertEqual(second.world.read("consolidated/memory.md"), self.entry("a", "Blue.") + self.entry("b", "Down."))

    def test_init_sets_it_up_and_doing_it_again_changes_nothing(self):
        new = world.World()
        new.environment |= GIT
        self.addCleanup(new.close)
        new.run("init", "--git", new.vault)
        self.assertIn("merge=loci", (new.vault / ".git/info/attributes").read_text())
        self.assertIn("merge-driver %O %A %B %P", self.first.git("config", "merge.loci.driver"))
        self.assertIn("/consolidated/**/*.md merge=loci", (self.first.vault / ".git/info/attributes").read_text())
        before = (self.first.vault / ".git/info/attributes").read_text()
        self.first.world.run("sync", "--setup")
        self.assertEqual((self.first.vault / ".git/info/attributes").read_text(), before)

    def test_a_driver_that_is_missing_or_dies_leaves_a_whole_version_and_a_later_sync_has_both(self):
        for driver in ("/nonexistent/loci merge-driver %O %A %B %P", "sh -c 'kill -9 $$' %O %A %B %P"):
            with self.subTest(driver):
                self.setUp()
                second = self.diverge()
                mine = second.world.read("consolidated/memory.md")
                second.world.run("sync", "--setup")
                second.git("config", "merge.loci.driver", driver)
                second.git("pull", "-q", "--no-rebase", "--no-edit", code=None)
                self.assertEqual(second.world.read("consolidated/memory.md"), mine)
                second.sync(code=5)  # somebody's merge is theirs to finish
                second.git("merge", "--abort")
                second.sync()
                self.assertEqual(second.world.read("consolidated/memory.md"), self.entry("a", "Blue.") + self.entry("b", "Down."))

    def test_a_clone_without_any_driver_has_text_conflicts_that_resolve_puts_together(self):
        first, second = self.pair()
        first.world.write("consolidated/memory.md", self.entry("a", "Red."))
        first.sync()
        second.sync()
        (second.vault / ".git/info/attributes").unlink()
        for machine, text in ((first, "Blue."), (second, "Green.")):
            machine.world.write("consolidated/memory.md", self.entry("a", text))
            machine.git("commit", "-qam", "mine")
        first.git("push", "-q", "origin", "main")
        second.git("pull", "-q", "--no-rebase", "--no-edit", code=1)
        self.assertIn("<<<<<<<", second.world.read("consolidated/memory.md"))
        second.world.run("resolve", "--theirs", "consolidated/memory.md")
        self.assertNotIn("<<<<<<<", second.world.read("consolidated/memory.md"))
        second.git("commit", "-qam", "merged")
        second.sync()

    def test_it_writes_beside_and_renames_and_says_with_1_that_something_is_left(self):
        files = {name: self.scratch.scratch / name for name in ("base", "ours", "theirs")}
        for name, text in (("base", "Red."), ("ours", "Blue."), ("theirs", "Green.")):
            files[name].write_text(self.entry("a", text))
        before = files["ours"].stat().st_ino
        self.scratch.run("merge-driver", *files.values(), "consolidated/memory.md", code=1)
        self.assertNotEqual(files["ours"].stat().st_ino, before)
        self.assertEqual(files["ours"].read_text().count("<<<<<<<"), 1)
        self.scratch.run("merge-driver", files["base"], files["base"], files["theirs"], "consolidated/memory.md")
        self.assertEqual(files["base"].read_text(), self.entry("a", "Green."))


class Kills(SyncCase):
    """A hook of git is the place where loci, or git with it, is killed."""

    def killed_in(self, hook, whom, where="second"):
        first, second = self.pair()
        first.world.write("consolidated/memory.md", self.entry("a", "Red.") + "\n" + self.entry("b", "Up."))
        first.sync()
        second.sync()
        first.world.write("consolidated/memory.md", self.entry("a", "Blue.") + "\n" + self.entry("b", "Up."))
        first.world.add("From the first.")
        first.sync()
        second.world.write("consolidated/memory.md", self.entry("a", "Red.") + "\n" + self.entry("b", "Down."))
        second.world.add("From the second.")
        folder = self.hub if where == "hub" else second.vault / ".git"
        file = folder / "hooks" / hook
        # The first of the processes above that is loci; with "all" whatever stands between, too.
        file.write_text("""#!/bin/sh
pid=$PPID
while [ "$pid" -gt 1 ]; do
  name=$(cat /proc/$pid/comm); above=$(sed 's/.*) . \\([0-9]*\\).*/\\1/' /proc/$pid/stat)
  case "$name" in loci) kill -9 $pid; break;; git*) [ %s = all ] && kill -9 $pid;; esac
  pid=$above
done
exit 0
""" % whom)
        file.chmod(0o755)
        done = subprocess.run(second.world.command("sync"), env=second.world.environment, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, -9, done.stderr)
        file.unlink()
        return first, second

    def meets(self, first, second):
        # A git that loci had started may have outlived it; one that was killed itself leaves its lock, as it does everywhere.
        def synced():
            done = subprocess.run(second.world.command("sync"), env=second.world.environment, capture_output=True, text=True)
            return done.returncode == 0
        self.assertTrue(until(synced))
        first.sync()
        for machine in (first, second):
            self.assertEqual(machine.world.read("consolidated/memory.md"), self.entry("a", "Blue.") + "\n" + self.entry("b", "Down."))
            for text in ("From the first.", "From the second."):
                self.assertIn(text, machine.texts())
        self.assertEqual(first.git("rev-parse", "HEAD"), second.git("rev-parse", "HEAD"))
        self.assertEqual(second.git("status", "--porcelain"), "")

    def test_before_the_commit(self):
        self.meets(*self.killed_in("pre-commit", "loci"))

    def test_after_the_commit(self):
        self.meets(*self.killed_in("post-commit", "loci"))

    def test_after_the_commit_with_git(self):
        self.meets(*self.killed_in("post-commit", "all"))

    def test_before_the_push(self):
        self.meets(*self.killed_in("pre-push", "loci"))

    def test_before_the_push_with_git(self):
        self.meets(*self.killed_in("pre-push", "all"))

    def test_while_the_remote_takes_it(self):
        self.meets(*self.killed_in("post-receive", "loci", where="hub"))

    def test_while_the_files_change(self):
        self.meets(*self.killed_in("post-merge", "loci"))

    def test_after_the_files_have_changed_with_git(self):
        self.meets(*self.killed_in("post-merge", "all"))

    def test_a_lock_that_a_killed_git_left_is_named_and_nothing_else_is_touched(self):
        first, second = self.pair()
        second.world.add("Waits.")
        lock = second.vault / ".git/index.lock"
        lock.touch()
        error = second.sync(code=5)["error"]
        self.assertIn("index.lock", error["message"])
        lock.unlink()
        second.sync()


class Others(SyncCase):
    def test_a_phone_with_git_alone_is_a_full_citizen(self):
        first, second = self.pair()
        first.world.add("The meeting is on Monday.")
        first.world.run("consolidate", "--force")
        first.sync()
        second.sync()
        phone = self.machine("phone")
        name = next(file for file in (phone.vault / "consolidated").rglob("*.md") if "Monday" in file.read_text())
        name.write_text(name.read_text().replace("Monday", "Tuesday"))
        phone.world.write("from-phone.md", "Buy stamps.\n")
        phone.git("add", "-A")
        phone.git("commit", "-qm", "on the way")
        phone.git("push", "-q", "origin", "HEAD:main")
        first.world.add("Meanwhile on the first.")
        first.sync()
        second.sync()
        for machine in (first, second):
            texts = machine.texts()
            for text in ("The meeting is on Tuesday.", "Buy stamps.", "Meanwhile on the first."):
                self.assertIn(text, texts)
            self.assertNotIn("The meeting is on Monday.", texts)
        peers = first.world.json("status")["sync"]["peers"]
        self.assertLessEqual({"first", None}, {peer["host"] for peer in peers})

    def test_status_says_who_writes_here_and_what_is_not_exchanged(self):
        first, second = self.pair()
        second.world.add("One more.")
        second.sync()
        first.sync()
        first.world.add("Not exchanged yet.")
        status = first.world.json("status")["sync"]
        self.assertEqual({(peer["host"], peer["self"]) for peer in status["peers"]}, {("first", True), ("second", False)})
        self.assertGreaterEqual(status["not_exchanged"]["files"], 1)
        self.assertIn("(second), last seen", first.world.run("status"))
        self.hub.rename(self.hub.with_name("gone"))
        first.sync(code=6)
        self.assertIn("sync-failed", [problem["code"] for problem in first.world.json("status")["problems"]] +
                      first.world.run("status").split())

    def test_copies_of_other_tools_are_listed_and_merged(self):
        vault = self.first.world
        vault.write("consolidated/memory.md", self.entry("a", "Red.") + "\n" + self.entry("b", "Up."))
        for number, name in enumerate(("memory.sync-conflict-20261122-101010-ABCDEFG", "memory (Ann's conflicted copy 2026-11-22)",
                                       "memory.loci-conflict-20261122T101010Z")):
            copy = f"consolidated/{name}.md"
            vault.write(copy, self.entry("a", "Red.") + "\n" + self.entry(f"n{number}", f"New {number}."))
            self.assertEqual(vault.json("resolve")["copies"], [{"file": copy, "original": "consolidated/memory.md"}])
            vault.run("resolve", copy)
            self.assertFalse((self.first.vault / copy).exists())
            self.assertIn(f"New {number}.", self.first.texts())
        self.assertIn("Up.", self.first.texts())
        self.assertEqual(self.first.texts().count("Red."), 1)

    def test_a_copy_that_says_something_else_is_asked_about_and_what_was_forgotten_does_not_come_back(self):
        vault = self.first.world
        vault.write("consolidated/memory.md", self.entry("a", "Red.") + "\n" + self.entry("b", "Up."))
        vault.run("forget", "b")
        vault.write("consolidated/memory.sync-conflict-1.md", self.entry("a", "Blue.") + "\n" + self.entry("b", "Up."))
        vault.run("resolve", "--both", "consolidated/memory.sync-conflict-1.md")
        bytes = vault.read("consolidated/memory.md")
        self.assertTrue("Red." in bytes and "Blue." in bytes and "<<<<" not in bytes and "Up." not in bytes, bytes)

    def test_resolve_takes_a_text_of_its_own(self):
        vault = self.first.world
        vault.write("consolidated/memory.md", "<<<<<<< one\n" + self.entry("a", "Red.") + "=======\n" + self.entry("a", "Blue.") + ">>>>>>> other\n")
        vault.run("resolve", "--text", "Purple.", "consolidated/memory.md")
        self.assertEqual(vault.read("consolidated/memory.md"), self.entry("a", "Purple."))

    def test_an_answer_counts_for_words_without_an_id_and_none_that_counts_for_nothing_is_taken(self):
        vault = self.first.world
        for name in ("user.md", "notes/plan.md", "consolidated/memory.md", "MEMORY.md"):
            start = vault.read(name) if (self.first.vault / name).exists() else ""
            vault.write(name, start + "\n<<<<<<< one\nI work at A.\n=======\nI work at B.\n>>>>>>> other\n")
            vault.run("resolve", name, code=5)
            vault.run("resolve", name, "--text", "I work at A and B.")
            self.assertEqual(vault.read(name).strip(), (start + "\nI work at A and B.").strip(), name)
        united = "<<<<<<< one\n" + self.entry("a", "Red.") + "=======\n" + self.entry("b", "Blue.") + ">>>>>>> other\n"
        vault.write("consolidated/memory.md", united)
        vault.run("resolve", "consolidated/memory.md", "--text", "Green.", code=5)
        self.assertEqual(vault.read("consolidated/memory.md"), united)

    def test_two_machines_that_consolidated_at_once_have_one_set_of_entries(self):
        first, second = self.pair()
        for text in ("Deploys happen on Fridays.", "The cat is called Miso.", "The office is in Vienna."):
            first.world.add(text)
        first.sync()
        second.sync()
        second.world.add("The bakery closes at six.")
        second.world.run("config", "primary", "second")
        for machine in (first, second):
            machine.world.run("consolidate", "--force")
        for machine in (first, second, first, second):
            machine.sync()
        for machine in (first, second):
            texts = machine.texts()
            for text in ("Deploys happen on Fridays.", "The cat is called Miso.", "The office is in Vienna.", "The bakery closes at six."):
                self.assertEqual(texts.count(text), 1, texts)
            facts = machine.world.json("status")["facts"]
            self.assertEqual(facts["total"], facts["pending"] + facts["settled"] + facts["deleted"])
        self.assertEqual(first.world.tree(), second.world.tree())

    def test_entries_of_two_runs_that_rest_on_one_fact_become_one_and_the_rest_is_folded_anew(self):
        first = self.first
        facts = [first.world.add(text) for text in ("Deploys happen on Fridays.", "Ann deploys.", "Bob watches.")]
        first.world.run("consolidate", "--force")
        second = self.machine_from(first)
        self.fold_into_one(second, facts[:2], "Ann deploys on Fridays.")
        second.sync()
        answer = first.sync()
        self.assertNotEqual(answer["removed"], [])
        second.sync()
        first.sync()
        self.assertEqual(first.world.tree(), second.world.tree())
        for machine in (first, second):
            held = [one for one in machine.texts() if "eploys" in one]
            says = sum("Ann deploys" in one for one in held)
            self.assertEqual(says, 1, held)
            status = machine.world.json("status")["facts"]
            self.assertEqual(status["total"], status["pending"] + status["settled"] + status["deleted"])

    def test_primary_says_who_consolidates(self):
        first, second = self.pair()
        second.world.add("Waits for the first.")
        closed = second.world.json("status")["consolidation"]["gate"]["closed_by"]
        self.assertIn("host", [gate["gate"] for gate in closed])
        second.world.run("config", "primary", "second")
        second.sync()
        first.sync()
        self.assertEqual(first.world.json("status")["primary"], "second")


class Daemon(SyncCase):
    def test_a_daemon_exchanges_from_time_to_time_and_tells_what_goes_wrong(self):
        first, second = self.pair()
        second.world.write(".loci/config.toml", second.world.read(".loci/config.toml") + "\n[sync]\nminutes = 1\n")
        second.world.add("From the one with a daemon.")
        daemon = RunningDaemon(second.world)
        self.addCleanup(daemon.close)

        def arrived():
            first.sync()
            return "From the one with a daemon." in first.texts()
        self.assertTrue(until(arrived, seconds=60))
        self.assertTrue(until(lambda: second.world.json("status")["sync"]["done"]))

    def test_a_daemon_whose_remote_is_gone_says_so_in_its_status_and_goes_on(self):
        first, second = self.pair()
        self.hub.rename(self.hub.with_name("gone"))
        second.world.write(".loci/config.toml", second.world.read(".loci/config.toml") + "\n[sync]\nminutes = 1\n")
        daemon = RunningDaemon(second.world)
        self.addCleanup(daemon.close)
        self.assertTrue(until(lambda: "sync-failed" in [one["code"] for one in second.world.json("status")["problems"]], seconds=60))
        second.world.add("Still stored.")
        self.assertIn("Still stored.", second.texts())


if __name__ == "__main__":
    unittest.main()
