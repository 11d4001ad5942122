"""The daemon while folders race, disks fill, descriptors run out, the clock jumps, and it is killed again and again.

usage: daemon_faults_test.py LOCI [SWITCHED_FAULTS_LIBRARY]

Afterwards the index is what a fresh scan makes, and everything that was acknowledged is there, once.
"""
import contextlib
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest

import world
from daemon_case import DaemonCase, replace
from running_daemon import until

FAULTS = sys.argv.pop(1) if len(sys.argv) > 1 and sys.argv[1].endswith(".so") else None
KILLS = 25 if world.SCALE == 1 else 50 * world.SCALE


class Folders(DaemonCase):
    def setUp(self):
        super().setUp()
        self.daemon()
        self.world.run("status", "--wait")

    def test_a_file_written_at_once_into_new_folders_is_never_missed(self):
        count = 100 * world.SCALE
        for i in range(count):
            self.world.write(f"n{i}/a/b/c/d/e/note.md", f"Note zq{i}x.\n")
        self.assert_index_is_right()
        self.assertEqual(self.world.texts(), sorted(f"Note zq{i}x." for i in range(count)))
        self.assertEqual(self.world.json("status")["watcher"]["mode"], "inotify")

    def test_folders_made_and_removed_in_a_race_leave_what_stands(self):
        def race(name):
            for i in range(100 * world.SCALE):
                folder = self.world.vault / name / "a/b"
                folder.mkdir(parents=True)
                (folder / "note.md").write_text(f"Note zq{i}x of {name}.\n")
                if i % 3:
                    shutil.rmtree(self.world.vault / name)
                else:
                    (self.world.vault / name).rename(self.world.vault / f"{name}-{i}")

        racers = [threading.Thread(target=race, args=(name,)) for name in ("one", "two", "three")]
        for racer in racers:
            racer.start()
        for racer in racers:
            racer.join()
        self.assert_index_is_right()
        expected = [f"Note zq{i}x of {name}." for name in ("one", "two", "three") for i in range(0, 100 * world.SCALE, 3)]
        self.assertEqual(self.world.texts(), sorted(expected))

    def test_renamed_folders_and_moves_in_and_out_are_followed(self):
        rng = random.Random(world.SCALE)
        outside = self.world.scratch / "outside"
        outside.mkdir()
        inside = self.world.vault
        folders = [inside / f"folder{i}" for i in range(5)]
        for i, folder in enumerate(folders):
            (folder / "deep/er").mkdir(parents=True)
            (folder / "deep/er/note.md").write_text(f"Note zq{i}x.\n")
        for step in range(40 * world.SCALE):
            i = rng.randrange(len(folders))
            target = rng.choice((inside, outside, *(f for f in folders if f != folders[i] and folders[i] not in f.parents)))
            moved = target / f"moved{step}"
            old, folders[i] = folders[i], moved
            old.rename(moved)
            folders = [moved / folder.relative_to(old) if old in folder.parents else folder for folder in folders]
            if rng.random() < 0.5:
                (moved / "deep/er/note.md").write_text(f"Note zq{i}x, step {step}.\n")
            if rng.random() < 0.05:
                self.world.run("status", "--wait")
        self.assert_index_is_right()
        notes = [folder / "deep/er/note.md" for folder in folders if inside in folder.parents]
        self.assertEqual(self.world.texts(), sorted(note.read_text().strip() for note in notes))

    def test_links_put_in_the_place_of_files_and_folders_lead_nowhere(self):
        self.world.write("a/note.md", "The heron stands.\n")
        self.world.write("b.md", "The egret flies.\n")
        outside = self.world.scratch / "outside"
        outside.mkdir()
        (outside / "note.md").write_text("A secret of somebody else.\n")
        self.assertTrue(self.is_found("heron") and self.is_found("egret"))
        (self.world.vault / "a").rename(self.world.scratch / "a")
        (self.world.vault / "a").symlink_to(outside)
        (self.world.vault / "b.md").unlink()
        (self.world.vault / "b.md").symlink_to(outside / "note.md")
        self.assert_index_is_right()
        self.assertEqual(self.world.texts(), [])
        (outside / "note.md").write_text("Another secret.\n")
        (self.world.vault / "a").unlink()
        (self.world.scratch / "a").rename(self.world.vault / "a")
        self.assertTrue(self.is_found("heron"))
        self.assert_index_is_right()
        self.assertEqual(self.world.texts(), ["The heron stands."])

    def test_what_is_added_around_a_move_of_the_vault_is_kept(self):
        away = self.world.scratch / "away"
        added = []
        for i in range(3 * world.SCALE):
            added.append(f"Said before move {i}.")
            self.world.add(added[-1])
            self.world.vault.rename(away)
            with contextlib.suppress(AssertionError):
                self.world.add(f"Said while nothing was there {i}.")
            self.assertFalse(self.world.vault.exists(), "an empty vault was made where one is missing")
            away.rename(self.world.vault)
            self.assertTrue(until(lambda: not self.world.json("status")["problems"]))
            self.assert_index_is_right()
            self.assert_each_once(added)


class OldBuffers(DaemonCase):
    def test_what_was_cut_off_while_no_daemon_ran_comes_back_though_the_index_knows_the_file(self):
        self.world.add("Said first.")
        file = next(iter((self.world.vault / "archive").glob("*.md")))
        buffer = file.read_text()
        self.world.add("Said last.")
        file.write_text(buffer)
        self.assertEqual(self.world.found("last"), [])
        self.daemon()
        self.assertTrue(self.is_found("Said last."))
        self.assertEqual(self.world.texts(), ["Said first.", "Said last."])

    def test_what_an_old_buffer_cuts_off_comes_back_once_and_what_was_forgotten_does_not(self):
        self.daemon()
        self.world.add("Said first.")
        file = next(iter((self.world.vault / "archive").glob("*.md")))
        expected = ["Said first."]
        for i in range(2 * world.SCALE):
            buffer = file.read_text()
            ids = [self.world.add(f"Said in between, {i}.{n}.") for n in range(4)]
            self.world.run("forget", ids[1])
            expected += [f"Said in between, {i}.{n}." for n in (0, 2, 3)]
            (replace if i % 2 else pathlib.Path.write_text)(file, buffer)
            self.assertTrue(until(lambda: f"between, {i}.3." in file.read_text()))
            self.assert_index_is_right()
            self.assertEqual(self.world.texts(), sorted(expected))
        archive = "".join(each.read_text() for each in (self.world.vault / "archive").rglob("*.md"))
        for text in expected:
            self.assertEqual(archive.count(text), 1, text)


class Model:
    """What has to be there. Texts are never said twice."""

    def __init__(self):
        self.lock = threading.Lock()
        self.ids = {}       # text -> id, of what was acknowledged
        self.gone = set()   # acknowledged to be forgotten
        self.unsure = set()  # may be there or not

    def added(self, text, entry):
        with self.lock:
            self.ids[text] = entry

    def doubt(self, text):
        with self.lock:
            self.unsure.add(text)
            self.ids.pop(text, None)

    def take(self, rng):
        """Somebody wants to change this one: (text, id), or nothing."""
        with self.lock:
            if not self.ids:
                return None
            text = rng.choice(sorted(self.ids))
            return text, self.ids.pop(text)

    def forgot(self, text):
        with self.lock:
            self.gone.add(text)


class Killed(DaemonCase):
    """Everything that goes on around a daemon that is killed with -9 at any moment."""

    def setUp(self):
        super().setUp()
        self.model = Model()
        self.notes = {}
        self.failures = []
        self.archive = {}

    def command(self, *words):
        done = subprocess.run(self.world.command("--json", *words), env=self.world.environment, capture_output=True, text=True, timeout=60 * world.SLOWNESS)
        return done.returncode == 0, done.stdout

    def add_by_command(self, rng, text):
        done = subprocess.run(self.world.command("add", text), env=self.world.environment, capture_output=True, text=True, timeout=60 * world.SLOWNESS)
        if done.returncode == 0:
            self.model.added(text, done.stdout.strip())
        else:
            self.failures.append(done.stderr)  # whatever becomes of the daemon, a command can add
            self.model.doubt(text)

    def add_over_the_socket(self, rng, text):
        try:
            status, answer = self.running.ask("POST", "/memory/entries", {"text": text})
            assert status == 201, answer
            self.model.added(text, answer["entries"][0]["id"])
        except (OSError, IndexError, StopIteration, ValueError):
            self.model.doubt(text)

    def save_by_hand(self, rng, text):
        name = f"note{rng.randrange(5)}.md"
        (replace if rng.random() < 0.5 else pathlib.Path.write_text)(self.world.vault / name, text + "\n")
        self.notes[name] = text

    def forget(self, rng, text):
        if taken := self.model.take(rng):
            done, _ = self.command("forget", taken[1])
            (self.model.forgot if done else self.model.doubt)(taken[0])

    def correct(self, rng, text):
        if taken := self.model.take(rng):
            done, printed = self.command("correct", taken[1], text)
            if done:
                self.model.forgot(taken[0])
                self.model.added(text, world.json.loads(printed)["id"])
            else:
                self.model.doubt(taken[0])
                self.model.doubt(text)

    def bear_down(self, seed, what, name):
        rng = random.Random(seed)
        count = 0
        while not self.stop.is_set():
            count += 1
            try:
                what(rng, f"{name} {seed} says {count}.")
            except Exception as problem:  # a thread of the test: told at the end
                self.failures.append(repr(problem))
                return

    def check(self):
        self.assertEqual(self.failures, [])
        self.world.run("status", "--wait")
        held = self.world.texts()
        times = {text: held.count(text) for text in set(held)}
        for text, count in times.items():
            self.assertEqual(count, 1, text)
            self.assertNotIn(text, self.model.gone)
        missing = (set(self.model.ids) | set(self.notes.values())) - set(times)
        self.assertEqual(missing, set())
        unknown = set(times) - set(self.model.ids) - set(self.notes.values()) - self.model.unsure
        self.assertEqual(unknown, set())
        for file in (self.world.vault / "archive").rglob("*.md"):
            data = file.read_bytes()
            self.assertTrue(data.startswith(self.archive.get(file, b"")), "the archive only grows")
            self.archive[file] = data

    def test_kill_at_random_moments_under_load(self):
        rng = random.Random(world.SCALE)
        kinds = {"Command": self.add_by_command, "Socket": self.add_over_the_socket, "Another": self.add_over_the_socket,
                 "Note": self.save_by_hand, "Forgetter": self.forget, "Corrector": self.correct}
        for round_number in range(KILLS):
            self.running = self.daemon()
            self.stop = threading.Event()
            threads = [threading.Thread(target=self.bear_down, args=(round_number, what, name)) for name, what in kinds.items()]
            for thread in threads:
                thread.start()
            time.sleep(rng.random() * 0.15)
            self.running.stop(signal.SIGKILL)
            self.stop.set()
            for thread in threads:
                thread.join()
            if round_number % 5 == 0:
                with self.daemon():
                    self.check()
        with self.daemon():
            self.check()
            self.assert_index_is_right()
            self.assert_no_leftovers()

    def assert_no_leftovers(self):
        tmp = [file.name for file in (self.world.vault / ".loci/tmp").iterdir()]
        self.assertEqual([name for name in tmp if name.startswith(("cookie-", "new-"))], [])
        state = next(iter((self.world.scratch / "state/loci").iterdir()))
        self.assertEqual([str(file) for file in state.rglob("*") if "tmp" in file.name], [])


@unittest.skipIf(FAULTS is None, "the library that makes system calls fail cannot be preloaded here")
class Faults(DaemonCase):
    def setUp(self):
        super().setUp()
        self.switch = self.world.scratch / "switch"
        self.switch.write_text("-")

    def faulty_daemon(self, **variables):
        settings = [f"{name}={value}" for name, value in variables.items()]
        return self.daemon(wrapper=["env", f"LD_PRELOAD={FAULTS}", f"FAULT_SWITCH={self.switch}", *settings])

    def turn(self, letter):
        with open(self.switch, "r+b") as file:
            file.write(letter.encode())

    def codes(self):
        return {problem["code"] for problem in self.world.json("status")["problems"]}

    # --- the disk ---

    def survives_a_disk_that(self, letter):
        daemon = self.faulty_daemon()
        self.world.write("a.md", "The heron stands.\n")
        kept = self.world.add("Said before.")
        self.assertTrue(self.is_found("heron"))
        self.assertEqual(daemon.ask("GET", "/memory/status")[0], 200)
        unsure = set()
        for i in range(world.SCALE):
            self.turn(letter)
            self.world.write(f"b{i}.md", f"Saved in bad times, zq{i}x.\n")
            status, answer = daemon.ask("POST", "/memory/entries", {"text": f"Posted in bad times {i}."})
            self.assertGreaterEqual(status, 400, answer)
            self.assertTrue(answer["error"]["message"])
            unsure.add(f"Posted in bad times {i}.")
            if letter == "R":  # a search has to read, and so has the index, if it is not in memory any more
                self.assertTrue(until(lambda: "unreadable" in self.codes() or daemon.ask("GET", "/healthz")[0] != 200))
            else:
                self.assertTrue(until(lambda: daemon.ask("GET", "/healthz")[0] != 200), "it does not say that something is wrong")
                self.assertTrue(until(lambda: "index-behind" in self.codes()))
                status, answer = daemon.ask("GET", "/memory/search?q=heron")
                self.assertEqual((status, [hit["text"] for hit in answer["hits"]]), (200, ["The heron stands."]))
            self.assertIsNone(daemon.process.poll(), daemon.logged()[-3000:])
            self.turn("-")
            self.assertTrue(until(lambda: daemon.ask("GET", "/healthz")[0] == 200))
            self.assert_index_is_right()
            self.assertTrue(self.is_found(f"zq{i}x"))
            status, answer = daemon.ask("POST", "/memory/entries", {"text": f"Posted in good times {i}."})
            self.assertLess(status, 300, answer)
        self.assertTrue(until(lambda: not self.codes()), self.codes())
        self.assert_index_is_right()
        texts = self.world.texts()
        self.assert_each_once(["The heron stands.", "Said before.", *(f"Posted in good times {i}." for i in range(world.SCALE))], texts)
        for text in unsure:
            self.assertLessEqual(texts.count(text), 1, text)
        self.assertEqual(self.world.json("show", kept)["entry"]["text"], "Said before.")

    def test_a_full_disk_is_told_and_survived(self):
        self.survives_a_disk_that("N")

    def test_a_broken_disk_is_told_and_survived(self):
        self.survives_a_disk_that("E")

    def test_a_disk_that_cannot_be_read_is_told_and_survived(self):
        self.survives_a_disk_that("R")

    # --- the clock ---

    def test_a_clock_that_goes_back_or_forth_by_a_day_changes_nothing(self):
        self.turn("F")
        daemon = self.faulty_daemon()
        expected = []
        for i, clock in enumerate("F-BF-" * (1 if world.SCALE == 1 else 4)):
            self.turn(clock)
            self.world.write(f"n{i}.md", f"Saved at {i}.\n")
            self.world.write("same.md", f"Changed at {i}.\n")
            status, answer = daemon.ask("POST", "/memory/entries", {"text": f"Posted at {i}."})
            self.assertEqual(status // 100, 2, answer)
            expected += [f"Saved at {i}.", f"Posted at {i}."]
            self.assert_index_is_right()
            self.assertEqual(self.world.texts(), sorted([*expected, f"Changed at {i}."]))
        self.assertEqual(daemon.stop(), 0)

    # --- the watcher ---

    def test_a_deaf_watcher_is_noticed_and_heard_again(self):
        daemon = self.faulty_daemon(WATCHDOG_USEC=4_000_000)
        self.world.write("a.md", "The heron stands.\n")
        self.assertTrue(self.is_found("heron"))
        self.turn("D")
        self.world.write("b.md", "The egret flies.\n")
        self.assertTrue(until(lambda: self.switch.read_text() == "-"))
        self.assertTrue(self.is_found("egret"))
        # Another rescan may have found it before: one that was due since the start, say.
        self.assertTrue(until(lambda: self.world.json("status")["watcher"]["reasons"].get("the watcher was deaf") == 1))
        self.world.write("c.md", "The bittern booms.\n")
        self.assertTrue(self.is_found("bittern"))
        daemon.forget_messages()
        self.assertTrue(daemon.hears("WATCHDOG=1"))


class Descriptors(DaemonCase):
    def test_without_descriptors_left_it_stays_and_goes_on_when_there_are_some(self):
        daemon = self.daemon()
        self.world.write("a.md", "The heron stands.\n")
        self.assertTrue(self.is_found("heron"))
        limits = resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE)
        for i in range(world.SCALE):
            resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, (8, limits[1]))
            self.world.write(f"new{i}/deep/b.md", f"Saved without descriptors, zq{i}x.\n")
            text = f"Said without descriptors {i}."
            adding = self.world.start("add", text, stdout=subprocess.DEVNULL)  # a command has descriptors of its own
            self.assertTrue(until(lambda: self.world.files_that_hold(text)))
            self.assertTrue(until(lambda: "cannot take a connection" in daemon.logged()), "it does not say what it lacks")
            self.assertIsNone(daemon.process.poll(), daemon.logged()[-3000:])
            resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, limits)
            self.assertEqual(adding.wait(20 * world.SLOWNESS), 0)
            self.assert_index_is_right()
            self.assertTrue(self.is_found(f"zq{i}x"))
            self.assertIn(text, self.world.found(text))
            self.assertTrue(until(lambda: daemon.ask("GET", "/healthz")[0] == 200))
        self.assertEqual(daemon.stop(), 0)


if __name__ == "__main__":
    unittest.main()
