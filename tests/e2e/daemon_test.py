"""The daemon from outside: what is saved is found a moment later, whatever happens in between."""
import contextlib
import itertools
import json
import pathlib
import signal
import sqlite3
import subprocess
import threading
import time
import unittest

import world
from running_daemon import RunningDaemon, until


class DaemonTest(world.EndToEnd):
    def daemon(self, *options, **more):
        running = RunningDaemon(self.world, *options, **more)
        self.addCleanup(running.close)
        return running

    def is_found(self, word):
        return until(lambda: any(word in text for text in self.world.found(word)))

    # --- saves ---

    def test_a_file_saved_in_place_by_rename_or_in_a_new_folder_is_found(self):
        self.daemon()
        self.world.write("a.md", "The heron stands.\n")
        self.assertTrue(self.is_found("heron"))
        other = self.world.scratch / "other"
        other.write_text("The egret flies.\n")
        other.rename(self.world.vault / "a.md")
        self.assertTrue(self.is_found("egret"))
        self.assertEqual(self.world.found("heron"), [])
        self.world.write("x/y/z/deep.md", "The bittern booms.\n")
        self.assertTrue(self.is_found("bittern"))

    def test_a_removed_folder_takes_its_entries_along(self):
        self.world.write("sub/one.md", "The heron stands.\n")
        self.daemon()
        self.assertTrue(self.is_found("heron"))
        (self.world.vault / "sub/one.md").unlink()
        (self.world.vault / "sub").rmdir()
        self.assertTrue(until(lambda: self.world.found("heron") == []))

    def test_what_was_saved_before_status_wait_is_searchable_after_it(self):
        self.daemon()
        for i in range(20 * world.SCALE):
            self.world.write(f"n{i % 7}/note.md", f"Number zq{i}x was saved.\n")
            self.world.run("status", "--wait")
            self.assertEqual(self.world.found(f"zq{i}x"), [f"Number zq{i}x was saved."])

    def test_what_is_ignored_is_decided_anew_when_the_rules_change(self):
        self.world.write("drafts/a.md", "The heron stands.\n")
        self.daemon()
        self.assertTrue(self.is_found("heron"))
        self.world.write(".lociignore", "drafts/\n")
        self.assertTrue(until(lambda: self.world.found("heron") == []))
        (self.world.vault / ".lociignore").unlink()
        self.assertTrue(self.is_found("heron"))

    def test_new_settings_are_taken_over_and_broken_ones_are_not(self):
        daemon = self.daemon()
        daemon.forget_messages()
        self.world.write(".loci/config.toml", "[vault]\nignore = ['drafts/']\n")
        self.assertTrue(daemon.hears("RELOADING=1"))
        self.assertTrue(daemon.hears("READY=1"))
        self.world.write("drafts/a.md", "The heron stands.\n")
        self.world.write("b.md", "The egret flies.\n")
        self.assertTrue(self.is_found("egret"))
        self.assertEqual(self.world.found("heron"), [])

    def test_a_rule_that_can_name_nothing_hides_everything_from_agents_until_it_is_mended(self):
        daemon = self.daemon()
        self.world.add("The heron stands.")

        def of_agents():
            return [hit["text"] for hit in daemon.ask("GET", "/memory/search?q=heron")[1].get("hits", [])]

        self.assertEqual(of_agents(), ["The heron stands."])
        for rule, seen in (("./x/**", []), ("x/**", ["The heron stands."])):
            daemon.forget_messages()
            self.world.write(".loci/config.toml", f"[privacy]\nnever_send = ['{rule}']\n")
            self.assertTrue(daemon.hears("RELOADING=1"))
            self.assertTrue(daemon.hears("READY=1"))
            self.assertEqual(of_agents(), seen)
            self.assertEqual("write x/**" in self.world.run("status"), not seen)
        self.assertEqual(self.world.found("heron"), ["The heron stands."])

    def test_a_rule_that_can_name_nothing_in_a_persons_own_settings_leaves_the_rules_that_were_in_force(self):
        own = self.world.scratch / "config/loci/config.toml"
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text("[privacy]\nnever_send = ['#birds']\n")
        daemon = self.daemon()
        self.world.write("a.md", "The heron stands. #birds\n")
        self.world.write("b.md", "The heron sleeps.\n")
        self.assertTrue(self.is_found("sleeps"))

        def of_agents():
            return [hit["text"] for hit in daemon.ask("GET", "/memory/search?q=heron")[1]["hits"]]

        self.assertEqual(of_agents(), ["The heron sleeps."])
        own.write_text("[privacy]\nnever_send = ['./x/**']\n")
        daemon.process.send_signal(signal.SIGHUP)
        self.assertTrue(until(lambda: "./x/**" in str(daemon.ask("GET", "/memory/status"))))
        self.assertEqual(of_agents(), ["The heron sleeps."])

    def test_a_rule_that_a_person_adds_to_their_own_settings_counts_for_the_very_next_answer(self):
        daemon = self.daemon()
        self.world.add("The heron stands.", "--tag", "birds")
        self.world.add("The heron sleeps.")
        daemon.forget_messages()
        self.world.run("config", "--user", "privacy.never_send", '["#birds"]')
        self.assertNotIn("stands", str(daemon.ask("GET", "/memory/search?q=heron")))
        self.assertTrue(daemon.hears("RELOADING=1"))
        self.assertTrue(daemon.hears("READY=1"))
        self.assertEqual([hit["text"] for hit in daemon.ask("GET", "/memory/search?q=heron")[1]["hits"]], ["The heron sleeps."])

    def test_what_an_old_buffer_cuts_off_the_archive_comes_back_once(self):
        self.daemon()
        self.world.add("Said first.")
        file = next(iter((self.world.vault / "archive").glob("*.md")))
        buffer = file.read_text()
        self.world.add("Said behind the editor's back.")
        forgotten = self.world.add("Said and forgotten.")
        self.world.run("forget", forgotten)
        file.write_text(buffer)
        self.assertTrue(until(lambda: "Said behind" in file.read_text()))
        self.world.run("status", "--wait")
        self.assertEqual(self.world.texts("--file", file.relative_to(self.world.vault)), ["Said behind the editor's back.", "Said first."])
        self.assertEqual(file.read_text().count("Said behind"), 1)

    # --- commands beside it ---

    def test_commands_write_through_it(self):
        self.daemon()
        entry = self.world.add("Deploys happen on Fridays.")
        self.assertEqual(self.world.found("deploys"), ["Deploys happen on Fridays."])
        corrected = self.world.json("correct", entry, "Deploys happen on Mondays.")
        self.assertEqual(self.world.found("deploys"), ["Deploys happen on Mondays."])
        self.world.run("forget", corrected["id"])
        self.assertEqual(self.world.found("deploys"), [])
        self.world.run("restore", corrected["id"])
        self.assertEqual(self.world.found("deploys"), ["Deploys happen on Mondays."])
        self.world.run("reindex", "--clear")
        self.assertEqual(self.world.found("deploys"), ["Deploys happen on Mondays."])

    def test_doctor_raises_no_false_alarm_while_others_write(self):
        self.daemon()
        stop = threading.Event()

        def keep_writing():
            for i in itertools.count():
                if stop.is_set():
                    return
                self.world.write(f"n{i % 5}.md", f"Number zq{i}x was saved.\n")
                time.sleep(0.002)

        writer = threading.Thread(target=keep_writing)
        writer.start()
        self.addCleanup(writer.join)
        self.addCleanup(stop.set)
        for _ in range(5):
            self.assertEqual(self.world.json("doctor")["differences"], [])

    def test_a_second_one_is_told_who_keeps_the_vault(self):
        first = self.daemon()
        self.world.run("daemon", code=4)
        self.assertIn(f"process {first.process.pid}", self.world.messages)

    def test_commands_with_other_variables_find_it(self):
        """cron has no XDG_RUNTIME_DIR, and a daemon in a terminal has one of its own."""
        runtime = self.world.scratch / "runtime"
        runtime.mkdir(mode=0o700)
        self.world.environment["XDG_RUNTIME_DIR"] = str(runtime)
        daemon = self.daemon()
        self.assertIn(runtime, daemon.socket_file().resolve().parents)  # wherever it is, what is kept for the vault leads there
        for variables in ({}, {"XDG_RUNTIME_DIR": str(self.world.scratch / "other")}):
            self.world.environment.pop("XDG_RUNTIME_DIR", None)
            self.world.environment |= variables
            self.assertEqual(self.world.json("status", "--wait")["daemon"]["pid"], daemon.process.pid)
            self.world.add(f"Said with {len(variables)} variables.")
            self.assertEqual(self.world.messages, "")
            self.world.run("daemon", code=4)
            self.assertIn(f"process {daemon.process.pid}", self.world.messages)

    def test_one_starts_in_the_state_folder_after_one_that_listened_elsewhere(self):
        runtime = self.world.scratch / "runtime"
        runtime.mkdir(mode=0o700)
        self.world.environment["XDG_RUNTIME_DIR"] = str(runtime)
        self.daemon().stop(signal.SIGKILL)
        del self.world.environment["XDG_RUNTIME_DIR"]
        daemon = self.daemon()
        self.assertEqual(self.world.json("status", "--wait")["daemon"]["pid"], daemon.process.pid)

    def test_an_older_one_that_keeps_another_index_is_named(self):
        daemon = self.daemon()
        self.world.add("The heron stands.")
        index = max((self.world.scratch / "state").rglob("index.*.db"))
        with contextlib.closing(sqlite3.connect(index)) as database, database:
            database.execute("UPDATE about SET value = value - 1 WHERE name = 'schema'")
        self.world.run("search", "heron", code=4)
        self.assertIn(f"process {daemon.process.pid}", self.world.messages)
        self.assertIn("restart", self.world.messages)
        self.world.add("Stored all the same.")

    def test_when_it_is_killed_commands_work_and_the_next_one_starts(self):
        self.daemon().stop(signal.SIGKILL)
        self.world.add("Said in between.")
        self.assertEqual(self.world.found("between"), ["Said in between."])
        self.daemon()
        self.world.write("a.md", "The heron stands.\n")
        self.assertTrue(self.is_found("heron"))

    def test_status_says_that_it_runs_and_how_it_watches(self):
        daemon = self.daemon()
        status = self.world.json("status", "--wait")
        self.assertEqual(status["watcher"]["mode"], "inotify")
        self.assertEqual(status["daemon"]["pid"], daemon.process.pid)
        self.assertIn(f"process {daemon.process.pid}, inotify", self.world.run("status"))

    # --- starting and stopping ---

    def test_it_stops_quickly_and_cleanly(self):
        daemon = self.daemon()
        listening = daemon.socket_file()
        self.assertEqual(oct(listening.stat().st_mode & 0o777), "0o600")
        self.assertEqual(oct(listening.parent.stat().st_mode & 0o777), "0o700")
        began = time.monotonic()
        daemon.process.send_signal(signal.SIGTERM)
        self.assertTrue(daemon.hears("STOPPING=1"))
        self.assertEqual(daemon.stop(), 0)
        self.assertLess(time.monotonic() - began, 30 * world.SLOWNESS)  # a service manager waits for 90
        self.assertFalse(listening.exists())

    def test_indexing_writes_nothing_to_the_vault(self):
        self.world.write("a.md", "The heron stands.\n")
        before = self.world.tree()
        self.daemon()
        self.world.run("status", "--wait")
        self.assertTrue(self.is_found("heron"))
        self.assertEqual(self.world.tree(), before)

    # --- what goes wrong ---

    def test_a_vault_that_is_moved_away_and_back_loses_nothing(self):
        self.world.write("a.md", "The heron stands.\n")
        daemon = self.daemon()
        self.assertTrue(self.is_found("heron"))
        away = self.world.scratch / "away"
        self.world.vault.rename(away)
        self.assertTrue(until(lambda: daemon.ask("GET", "/healthz")[0] != 200))
        (away / "b.md").write_text("Written while it was away.\n")
        away.rename(self.world.vault)
        self.assertTrue(until(lambda: daemon.ask("GET", "/healthz")[0] == 200))
        self.assertTrue(self.is_found("away"))
        self.assertTrue(self.is_found("heron"))

    def test_a_vault_that_was_moved_away_is_used_at_its_new_place_and_not_made_anew_at_the_old_one(self):
        self.world.write("a.md", "The heron stands.\n")
        daemon = self.daemon()
        self.assertTrue(self.is_found("heron"))
        away = self.world.scratch / "away"
        self.world.vault.rename(away)
        for route, body in (("/memory/entries", {"text": "Stored nowhere."}),
                            ("/memory/turns", {"session": "s", "user": "u", "assistant": "a"})):
            self.assertEqual(daemon.ask("POST", route, body)[0], 503)
        self.assertFalse(self.world.vault.exists())
        self.assertTrue(until(lambda: daemon.ask("GET", "/healthz")[0] != 200))
        self.world.vault = away
        self.world.add("The egret flies.")
        self.assertEqual(self.world.found("egret"), ["The egret flies."])
        self.assertEqual(self.world.found("heron"), ["The heron stands."])

    def test_another_folder_in_the_vaults_place_is_taken_for_the_vault(self):
        self.daemon()
        self.world.write("a.md", "The heron stands.\n")
        self.assertTrue(self.is_found("heron"))
        self.world.vault.rename(self.world.scratch / "old")
        self.world.vault.mkdir()
        self.world.write("new.md", "The egret flies.\n")
        self.assertTrue(self.is_found("egret"))
        self.world.write("later.md", "The bittern booms.\n")
        self.assertTrue(self.is_found("bittern"))
        self.assertTrue(until(lambda: self.world.found("heron") == []))

    def test_a_flood_of_events_while_it_is_stopped_is_survived(self):
        count = 6_000 if world.SCALE == 1 else 20_000
        folder = self.world.vault / "flood"
        folder.mkdir()
        daemon = self.daemon()
        self.world.run("status", "--wait")  # its watches are set
        daemon.process.send_signal(signal.SIGSTOP)
        tasks = pathlib.Path(f"/proc/{daemon.process.pid}/task")
        self.assertTrue(until(lambda: all(task.read_text().rpartition(")")[2].split()[0] == "T" for task in tasks.glob("*/stat"))))
        for i in range(count):
            (folder / f"{i}.md").write_text(f"Flood number zq{i}x.\n")
        daemon.process.send_signal(signal.SIGCONT)
        self.world.run("status", "--wait")
        status = self.world.json("status")
        self.assertGreater(status["watcher"]["overflows"], 0)
        self.assertEqual(len([each for each in self.world.entries() if each["file"].startswith("flood/")]), count)

    def test_doctor_says_what_a_daemon_would_lack_before_one_is_started(self):
        if subprocess.run(["unshare", "-Ur", "true"], capture_output=True).returncode != 0:
            self.skipTest("no user namespaces here")
        for limit in ("max_inotify_watches", "max_inotify_instances"):
            script = f'echo 0 > /proc/sys/user/{limit}; exec "$0" "$@"'
            asked = subprocess.run(["unshare", "-Ur", "sh", "-c", script, world.LOCI, "--vault", self.world.vault, "--json", "doctor"],
                                   env=self.world.environment, capture_output=True, text=True)
            self.assertEqual(asked.returncode, 1, asked.stderr)
            problem, = json.loads(asked.stdout)["problems"]
            self.assertEqual(problem["code"], "polling")
            self.assertIn(limit.replace("inotify", "user"), problem["message"])
        self.assertEqual(self.world.json("doctor")["problems"], [])

    def test_without_watches_left_it_says_so_and_polls(self):
        if subprocess.run(["unshare", "-Ur", "true"], capture_output=True).returncode != 0:
            self.skipTest("no user namespaces here")
        for i in range(12):
            self.world.write(f"folder{i}/a.md", f"Note zq{i}x.\n")
        self.world.write(".loci/config.toml", "[watch]\npoll_seconds = 1\n")
        script = 'echo 8 > /proc/sys/user/max_inotify_watches; exec "$0" "$@"'
        self.daemon(wrapper=["unshare", "-Ur", "sh", "-c", script])
        # It knows when it has tried to watch them all.
        self.assertTrue(until(lambda: self.world.json("status")["watcher"]["mode"] == "polling"))
        status = self.world.json("status")
        self.assertIn("max_user_watches", status["watcher"]["reason"])
        problem, = self.world.json("doctor", code=1)["problems"]
        self.assertEqual(problem["code"], "polling")
        self.assertIn("max_user_watches", problem["message"])
        self.world.write("folder11/b.md", "The heron stands.\n")
        self.assertTrue(self.is_found("heron"))


if __name__ == "__main__":
    unittest.main()
