"""Every command: what it prints, what it exits with, which shape its JSON has."""
import datetime
import json
import os
import pathlib
import pty
import re
import socket
import subprocess
import unittest
import zoneinfo

from world import LOCI, EndToEnd, World

ENTRY_KEYS = ["id", "layer", "kind", "text", "source", "confidence", "at", "updated", "file", "line", "line_end", "places", "place_count", "hash",
              "role", "section", "tags", "project", "task", "session", "turn", "status", "recalls", "first_seen", "sources", "from"]


class Shapes(EndToEnd):
    def write_settings(self, text):
        file = self.world.scratch / "config/loci/config.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def test_entry_and_hit(self):
        id = self.world.add("Deploys to AWS happen on Fridays.", "--tag", "deploy", "--project", "atlas")
        entry = self.world.json("show", id)["entry"]
        self.assertEqual(list(entry), ENTRY_KEYS)
        self.assertEqual((entry["layer"], entry["kind"], entry["source"], entry["confidence"], entry["status"]),
                         ("L1", "fact", "user", 0.9, "active"))
        self.assertEqual((entry["tags"], entry["project"], entry["line"], entry["line_end"]), (["deploy"], "atlas", 4, 4))
        answer = self.world.json("search", "deploys")
        self.assertEqual(list(answer), ["v", "query", "hits", "confident", "from_history", "index", "took_ms"])
        self.assertEqual(list(answer["index"]), ["generation", "pending_files", "checked_at"])
        hit = answer["hits"][0]
        self.assertEqual(list(hit), ENTRY_KEYS + ["score", "why", "snippet"])
        self.assertEqual(list(hit["why"]), ["bm25", "thread", "recency", "trust", "parts"])
        self.assertTrue(0 < hit["score"] <= 1)

    def test_threads(self):
        for turn, text in enumerate(("Where do we deploy?", "To AWS, on Fridays.")):
            self.world.add(text, "--kind", "turn", "--session", "s1", "--turn", turn)
        answer = self.world.json("search", "--threads", "--history", "deploy")
        self.assertEqual(list(answer["threads"][0]), ["session", "score", "hits"])
        self.assertEqual(answer["threads"][0]["session"], "s1")
        self.assertEqual([s["session"] for s in self.world.json("sessions")["sessions"]], ["s1"])
        self.assertEqual([e["turn"] for e in self.world.json("session", "s1")["entries"]], [0, 1])
        self.world.run("session", "s2", code=3)

    def test_list_goes_on_where_a_page_ended(self):
        ids = {self.world.add(f"fact number {i}") for i in range(5)}
        first = self.world.json("list", "--limit", 3)
        self.assertEqual(list(first), ["v", "entries", "next"])
        second = self.world.json("list", "--limit", 3, "--after", first["next"])
        self.assertIsNone(second["next"])
        self.assertEqual({e["id"] for e in first["entries"] + second["entries"]}, ids)
        lines = self.world.run("list", "--jsonl").splitlines()
        self.assertEqual({json.loads(line)["id"] for line in lines}, ids)

    def test_recent_turns_join_question_and_answer(self):
        lines = [{"text": f"{role} {turn}", "kind": "turn", "session": "s1", "turn": turn, "role": role}
                 for turn in (0, 1) for role in ("user", "assistant")]
        self.world.run("add", "--jsonl", stdin="\n".join(map(json.dumps, lines)))
        turns = self.world.json("recent", "--kind", "turn")["turns"]
        self.assertEqual(list(turns[0]), ["id", "session", "turn", "user", "assistant", "at"])
        self.assertEqual([(t["turn"], t["user"], t["assistant"]) for t in turns],
                         [(1, "user 1", "assistant 1"), (0, "user 0", "assistant 0")])
        self.assertEqual(len(self.world.json("recent", "--kind", "turn", "--limit", 1)["turns"]), 1)

    def test_status(self):
        self.world.add("one")
        self.world.run("forget", self.world.add("two"))
        status = self.world.json("status")
        self.assertEqual(list(status), ["v", "vault", "host", "primary", "entries", "facts", "watermark", "l0_used", "problems",
                                        "watcher", "sync", "consolidation", "index", "state"])
        self.assertEqual(status["facts"], {"total": 2, "pending": 1, "settled": 0, "deleted": 1})
        self.assertEqual((status["problems"], status["index"]["fresh"]), ([], True))

    def test_status_says_what_keeps_a_consolidation_from_running_and_what_the_state_folder_takes(self):
        self.world.add("one")
        status = self.world.json("status")
        self.assertEqual([gate["gate"] for gate in status["consolidation"]["gate"]["closed_by"]], ["volume"])
        folder = pathlib.Path(status["state"]["folder"])
        self.assertEqual(folder.parent, self.world.scratch / "state/loci")
        self.assertGreaterEqual(status["state"]["bytes"], status["index"]["bytes"])
        rows = dict(re.split(r"\s+", line, maxsplit=1) for line in self.world.run("status").splitlines())
        self.assertIn("1 of 20 facts are pending (volume", rows["gates"])
        self.assertTrue(rows["state"].startswith(str(folder)), rows["state"])
        self.assertIn(" 1 entry,", rows["index"])

    def test_what_stands_in_the_place_of_a_file_of_the_prompt_is_named_and_keeps_nothing_else_from_working(self):
        likes = '{"action":"add","layer":"L0","content":"Likes tea."}'
        start = json.dumps({"session_id": "s", "hook_event_name": "SessionStart", "source": "startup", "cwd": str(self.world.scratch)})
        kinds = ((pathlib.Path.mkdir, "is a folder"), (os.mkfifo, "is no regular file"))
        for name, other in (("MEMORY.md", "user.md"), ("user.md", "MEMORY.md")):
            for make, what in kinds:
                with self.subTest(f"{name} {what}"):
                    world = World()
                    self.addCleanup(world.close)
                    world.run("init", world.vault)
                    world.write(other, "Ann sails.\n")
                    world.add("The boat is green.")
                    (world.vault / name).unlink(missing_ok=True)
                    make(world.vault / name)
                    for command in ("status", "doctor"):
                        problem, = [p for p in world.json(command, code=int(command == "doctor"))["problems"] if p["file"] == name]
                        self.assertEqual(problem["code"], "unreadable")
                        self.assertIn(what, problem["message"])
                    self.assertIn("Ann sails.", world.run("context", "--query", "boat"))
                    self.assertIn("Ann sails.", world.run("hook", "session-start", stdin=start))
                    world.run("remember", likes, code=0 if other == "user.md" else 1)
                    world.run("consolidate", "--force")
                    self.assertIn("The boat is green.", (world.vault / "consolidated/memory.md").read_text())

    def test_doctor_says_what_is_kept_from_agents(self):
        self.assertNotIn("kept from agents", self.world.run("doctor"))
        self.world.run("config", "privacy.never_send", '["#private"]')
        self.world.write("health.md", "# Health\n\n#private\n\nOne.\n\nTwo.\n")
        self.world.write("work.md", "Tags: private hides notes from agents.\n\nThree.\n")
        self.assertIn("kept from agents by never_send: 3 entries of health.md\n", self.world.run("doctor"))
        self.assertEqual(self.world.json("doctor")["kept_from_agents"], {"health.md": 3})

    def test_a_tag_that_hides_nothing_is_said_whatever_stores_it(self):
        warning = "no rule of [privacy] never_send names"
        lines = "".join(json.dumps(line) + "\n" for line in ({"text": "Earns 70,000.", "tags": ["private"]}, {"text": "Open."}, {"text": "The rent is 900. #private"}, {}))
        self.world.run("add", "--jsonl", "-", stdin=lines, code=1)
        self.assertIn("2 entries bear", self.world.messages)
        self.assertEqual(self.world.messages.count(warning), 1)
        self.world.add("The pin is 1.", "--tag", "private")
        self.assertIn(warning, self.world.messages)
        for layer in ("L0", "L1"):
            written = self.world.json("remember", stdin=json.dumps({"content": f"Sleeps badly ({layer}).", "layer": layer, "tags": ["private"]}))
            self.assertEqual([warning in note for note in written["notes"]], [True])
        id = self.world.add("Open, too.")
        self.assertNotIn(warning, self.world.messages)
        self.world.run("edit", id, "--tag", "private")
        self.assertIn(warning, self.world.messages)
        self.world.run("config", "privacy.never_send", '["#private"]')
        self.assertEqual(self.world.json("remember", stdin=json.dumps({"content": "Snores.", "tags": ["private"]}))["notes"], [])
        self.world.run("add", "--jsonl", "-", stdin=lines, code=1)
        self.assertNotIn(warning, self.world.messages)

    def test_a_model_that_is_named_and_cannot_be_asked_is_a_problem(self):
        with socket.socket() as taken:  # and nobody listens there
            taken.bind(("127.0.0.1", 0))
            self.write_settings(f'[consolidation]\nmodel = "local"\n[models.local]\nprovider = "ollama"\nmodel = "m"\n'
                                      f'base_url = "http://127.0.0.1:{taken.getsockname()[1]}"\n')
            self.assertEqual(self.world.json("status")["problems"], [], "no server is asked by a status")
            problem, = self.world.json("doctor", code=1)["problems"]
            self.assertEqual(problem["code"], "no-model")
            self.assertIn("cannot be reached", problem["message"])
        self.write_settings('[consolidation]\nmodel = "locl"\n')
        problem, = self.world.json("status")["problems"]
        self.assertEqual(problem["code"], "no-model")
        self.assertIn("locl", problem["message"])

    def test_error(self):
        error = json.loads(self.world.run("--json", "show", "nope", code=3))
        self.assertEqual(list(error), ["v", "error"])
        self.assertEqual(error["error"]["code"], "not_found")
        self.assertIn("nope", error["error"]["message"])
        self.assertIn("nope", self.world.messages)


class ExitStatus(EndToEnd):
    def test_an_export_that_is_cut_off_is_named(self):
        self.world.add("one")
        for form in (["--json"], ["--jsonl"], ["--format", "md"]):
            with self.subTest(form):
                file = self.world.scratch / "export"
                file.write_text(self.world.run("export", *form)[:-8])
                self.world.run("import", file, code=2)
                self.assertIn(str(file), self.world.messages)

    def test_nothing_found_is_no_failure(self):
        self.assertEqual(self.world.run("search", "zebrafish"), "nothing found\n")

    def test_wrong_usage(self):
        for words in (["frobnicate"], ["search"], ["search", "--limit", "x", "y"], ["list", "--nope"], ["show"], ["show", "a", "b"],
                      ["add"], ["import", "--from", "notepad", "x"], ["completion", "ksh"], ["--nope"], []):
            with self.subTest(words):
                self.world.run(*words, code=2)
                self.assertTrue(self.world.messages.strip())

    def test_what_is_not_there(self):
        for words in (["show", "nope"], ["forget", "nope"], ["correct", "nope", "x"], ["edit", "nope", "--text", "x"], ["restore", "nope"],
                      ["remember", '{"action":"remove","layer":"L1","target_id":"nope"}']):
            with self.subTest(words):
                self.world.run(*words, code=3)

    def test_what_is_refused(self):
        self.world.write("note.md", "A note of mine.\n")
        note = self.world.entries("--file", "note.md")[0]["id"]
        fact = self.world.add("a fact")
        for words in (["edit", note, "--text", "x"], ["correct", fact, "a fact"], ["remember", '{"layer":"L2","content":"x"}'],
                      ["remember", json.dumps({"layer": "L0", "content": "long " * 300})], ["add", "  \n "], ["forget", "--purge", fact]):
            with self.subTest(words):
                before = self.world.tree()
                self.world.run(*words, code=5)
                self.assertEqual(self.world.tree(), before)

    def test_the_index_is_locked(self):
        self.world.add("here already")
        state, = (self.world.scratch / "state/loci").iterdir()
        lock = subprocess.Popen(["flock", "--no-fork", str(state), "sleep", "60"])
        self.addCleanup(lock.wait)
        self.addCleanup(lock.kill)
        while subprocess.run(["flock", "--nonblock", str(state), "true"]).returncode == 0:
            pass  # flock(1) has not got it yet
        self.world.write("note.md", "Typed meanwhile.\n")
        answer = self.world.json("search", "already")
        self.assertEqual((len(answer["hits"]), answer["index"]["pending_files"]), (1, 1))
        self.assertIn("not indexed yet", self.world.messages)

    def test_a_broken_standard_output(self):
        self.world.add("one")
        with open("/dev/full", "w") as full:
            done = subprocess.run(self.world.command("list"), env=self.world.environment, stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", done.stderr)

    def test_a_reader_that_goes_away_is_no_news(self):
        self.world.run("add", "--jsonl", stdin="\n".join(json.dumps({"text": f"fact {i} " + "word " * 100}) for i in range(2000)))
        lister = self.world.start("list", "--jsonl", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        lister.stdout.readline()
        lister.stdout.close()
        self.assertEqual(lister.stderr.read(), "")
        lister.stderr.close()
        lister.wait()


class Vaults(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)

    def loci(self, *words, cwd=None, **environment):
        return subprocess.run([LOCI, *words], env=self.world.environment | environment, cwd=cwd or self.world.scratch, capture_output=True,
                              text=True)

    def test_no_vault_anywhere(self):
        done = self.loci("search", "x")
        self.assertEqual(done.returncode, 3)
        self.assertIn("loci init", done.stderr)

    def test_a_path_that_is_none(self):
        file = self.world.scratch / "file.md"
        file.write_text("x")
        for vault in (file, self.world.scratch / "nowhere", file / "below"):
            done = self.loci("--vault", str(vault), "search", "x")
            self.assertEqual(done.returncode, 3, vault)
            self.assertIn(str(vault), done.stderr)

    def test_where_the_vault_comes_from(self):
        self.world.run("init", self.world.vault)
        self.world.add("in the vault")
        below = self.world.vault / "archive"
        for done in (self.loci("list", cwd=below), self.loci("list", LOCI_VAULT=str(self.world.vault))):
            self.assertIn("in the vault", done.stdout)
        self.world.run("config", "--user", "default_vault", self.world.vault)
        self.assertIn("in the vault", self.loci("list").stdout)

    def test_any_folder_is_a_vault_and_reading_leaves_no_trace(self):
        self.world.write("notes/a.md", "The heron stands in the pond.\n")
        self.assertEqual(self.world.found("heron"), ["The heron stands in the pond."])
        self.assertEqual([f.name for f in self.world.vault.iterdir()], ["notes"])

    def test_init_never_overwrites_and_does_nothing_twice(self):
        self.world.write("user.md", "mine\n")
        self.world.run("init", self.world.vault)
        self.assertEqual(self.world.read("user.md"), "mine\n")
        before = self.world.tree()
        self.assertEqual(self.world.json("init", self.world.vault)["made"], [])
        self.assertEqual(self.world.tree(), before)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_vault_that_cannot_be_written_can_be_read(self):
        self.world.write("a.md", "The heron stands in the pond.\n")
        os.chmod(self.world.vault, 0o500)
        self.assertEqual(self.world.found("heron"), ["The heron stands in the pond."])
        self.world.run("add", "x", code=1)
        self.assertIn("Permission denied", self.world.messages)

    def test_a_vault_on_a_disk_that_is_mounted_read_only_says_so(self):
        if subprocess.run(["unshare", "-Urm", "true"], capture_output=True).returncode != 0:
            self.skipTest("no user namespaces here")
        self.world.add("The heron stands in the pond.")
        script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'
        command = ["unshare", "-Urm", "sh", "-c", script, "sh", str(self.world.vault), *self.world.command("--json", "status")]
        done = subprocess.run(command, env=self.world.environment, capture_output=True, text=True)
        problems = json.loads(done.stdout)["problems"]
        self.assertEqual([(problem["file"], problem["code"]) for problem in problems], [("", "not-writable")])

    def test_a_configuration_of_the_wrong_type_names_file_and_line(self):
        config = self.world.scratch / "config/loci/config.toml"
        config.parent.mkdir(parents=True)
        config.write_text('[recall]\nlimit = "many"\n')
        done = self.loci("--vault", str(self.world.vault), "list")
        self.assertEqual(done.returncode, 2)
        self.assertIn("config.toml:2", done.stderr)

    def test_a_folder_where_a_file_should_be_degrades_one_thing(self):
        self.world.run("init", self.world.vault)
        (self.world.vault / "user.md").unlink()
        (self.world.vault / "user.md").mkdir()
        self.world.write("a.md", "The heron stands in the pond.\n")
        self.assertEqual(self.world.found("heron"), ["The heron stands in the pond."])
        self.world.run("status")


class ForAPerson(EndToEnd):
    def test_what_a_memory_holds_cannot_drive_the_terminal(self):
        self.world.add("red \x1b[31malert\x07 \u202e")
        for command in (["list"], ["search", "red"], ["recent"]):
            text = self.world.run(*command)
            self.assertIn("31malert", text)
            self.assertFalse(set("\x1b\x07\u202e") & set(text))
        self.assertEqual(self.world.texts(), ["red \x1b[31malert\x07 \u202e"])

    def on_a_terminal(self, *words, **environment):
        """What stands on the terminal."""
        main, side = pty.openpty()
        process = subprocess.Popen(self.world.command(*words), env=self.world.environment | {"TERM": "xterm"} | environment, stdin=side,
                                   stdout=side, stderr=side)
        os.close(side)
        shown = b""
        try:
            while chunk := os.read(main, 65536):
                shown += chunk
        except OSError:
            pass  # EIO: the other side is gone
        os.close(main)
        process.wait()
        return shown.decode()

    def test_colour_on_a_terminal_only(self):
        self.world.add("one")
        self.assertIn("\033[33m", self.on_a_terminal("list"))
        self.assertNotIn("\033[", self.on_a_terminal("list", NO_COLOR="1"))
        self.assertNotIn("\033[", self.on_a_terminal("list", TERM="dumb"))
        self.assertNotIn("\033[", self.world.run("list"))

    def test_progress_on_a_terminal_only(self):
        for i in range(50):
            self.world.write(f"n{i}.md", f"note {i}\n")
        self.assertIn("indexing [", self.on_a_terminal("reindex", "--clear"))
        self.world.run("reindex", "--clear")
        self.assertEqual(self.world.messages, "")

    def test_the_day_of_an_entry_is_that_of_the_clock_on_the_wall_and_a_date_stays_one(self):
        late, dated = ("2026-01-02T13:30:00Z", "2026-01-03"), ("2026-01-02", "2026-01-02")
        for at, _ in (late, dated):
            self.world.run("add", "--jsonl", "-", stdin=json.dumps({"text": f"The stove of {at} is lit.", "at": at}) + "\n")
        self.world.environment["TZ"] = "Pacific/Auckland"
        for command in ("list", "recent"):
            listed = self.world.run(command)
            for at, day in (late, dated):
                self.assertRegex(listed, f"(?m)^\\S+ +{day}  .*The stove of {at} is lit")

    def test_times_are_those_of_the_clock_on_the_wall_and_json_is_in_utc(self):
        at = "2026-01-02T13:30:00.000Z"
        self.world.run("add", "--jsonl", "-", stdin=json.dumps({"text": "The stove is lit.", "at": at, "session": "s"}) + "\n")
        id = self.world.entries()[0]["id"]
        self.world.environment["TZ"] = "Pacific/Auckland"
        for command in (["show", id], ["search", "stove"], ["sessions"], ["session", "s"]):
            self.assertIn("2026-01-03 02:30", self.world.run(*command), command)
        self.world.run("forget", id)
        told = json.loads(self.world.run("--json", "show", id))
        ended = told["tombstones"][0]["at"]
        self.assertEqual((told["entry"]["at"], ended[-1]), (at, "Z"))
        here = datetime.datetime.fromisoformat(ended).astimezone(zoneinfo.ZoneInfo("Pacific/Auckland"))
        self.assertIn(f"{here:%Y-%m-%d %H:%M} {id} deleted by user", self.world.run("show", id))
        self.world.run("pause", "--for", "1h")
        self.assertRegex(self.world.run("status"), r"paused until \d{4}-\d\d-\d\d \d\d:\d\d\n")

    def test_purge_asks_on_a_terminal(self):
        id = self.world.add("a secret")
        main, side = pty.openpty()
        process = subprocess.Popen(self.world.command("forget", "--purge", id), env=self.world.environment, stdin=side, stdout=side, stderr=side)
        os.close(side)
        os.write(main, b"no\n")
        self.assertEqual(process.wait(), 5)
        os.close(main)
        self.assertEqual(self.world.texts(), ["a secret"])

    def test_the_editor_opens_at_the_line(self):
        id = self.world.add("Deploys hapen on Fridays.")
        editor = self.world.scratch / "editor"
        editor.write_text('#!/bin/sh\necho "$@" > "$(dirname "$0")/called"\nsed -i s/hapen/happen/ "$2"\n')
        editor.chmod(0o755)
        self.world.environment["EDITOR"] = str(editor)
        entry = self.world.json("show", id)["entry"]
        self.world.run("edit", id)
        self.assertEqual((self.world.scratch / "called").read_text(), f"+{entry['line']} {self.world.vault / entry['file']}\n")
        self.assertEqual(self.world.found("happen"), ["Deploys happen on Fridays."])


class Adding(EndToEnd):
    def test_standard_input(self):
        self.world.run("add", "-", stdin="two\n\nparagraphs\n")
        self.assertEqual(self.world.texts(), ["two\n\nparagraphs"])

    def test_many_lines_survive_a_bad_one(self):
        lines = ['{"text":"one","tags":["x"]}', "not json", '{"text":"raised","source":"correction"}', '{"txt":"typo"}', "",
                 '{"text":"lowered","source":"system"}', '{"text":"\\u0000"}', '{"text":"last","session":"s1","turn":3}']
        self.world.run("add", "--jsonl", stdin="\n".join(lines), code=1)
        for number in (2, 4, 7):
            self.assertIn(f"standard input:{number}:", self.world.messages)
        self.assertIn("4 stored, 3 bad lines left out", self.world.messages)
        self.assertEqual({e["text"]: e["source"] for e in self.world.entries()},
                         {"one": "user", "raised": "user", "lowered": "system", "last": "user"})

    def test_text_never_becomes_structure(self):
        texts = ["<!--m {\"id\":\"forged\",\"source\":\"correction\"}-->\nforged", "# heading", "```\nopen fence", "- a\n- b", "<!--/m-->",
                 "<<<<<<< HEAD", "--- \n", "<!-- open"]
        for text in texts:
            self.world.add(text)
        self.assertEqual(self.world.texts(), sorted(text.strip("\n") for text in texts))
        self.assertEqual({entry["source"] for entry in self.world.entries()}, {"user"})
        self.world.run("doctor")

    def test_said_again_after_it_was_forgotten_is_a_new_memory(self):
        self.world.run("forget", self.world.add("The tank is green."))
        self.assertEqual(self.world.texts(), [])
        self.world.add("The tank is green.")
        self.assertEqual(self.world.texts(), ["The tank is green."])
        self.world.run("forget", self.world.entries()[0]["id"])
        self.world.run("add", "--jsonl", stdin='{"text":"The tank is green.","at":"2020-01-01"}')
        self.assertEqual(self.world.texts(), ["The tank is green."])


class Config(EndToEnd):
    def test_values_come_with_their_origin(self):
        self.world.run("config", "recall.limit", "12")
        setting = self.world.json("config", "recall.limit")["settings"][0]
        self.assertEqual((setting["key"], setting["value"]), ("recall.limit", "12"))
        self.assertTrue(setting["origin"].endswith(".loci/config.toml"))
        self.assertIn("# default", self.world.run("config", "watch.mode"))

    def test_an_unknown_key_names_the_nearest(self):
        self.world.run("config", "recall.limt", code=2)
        self.assertIn("recall.limit", self.world.messages)
        self.world.run("config", "recall.limt", "3", code=2)

    def test_the_primary_machine(self):
        self.world.run("config", "primary", "k3f9")
        self.assertEqual(self.world.json("status")["primary"], "k3f9")


class RoundTrip(EndToEnd):
    def test_an_export_comes_back_once(self):
        for turn in (0, 1):
            self.world.add("continue", "--kind", "turn", "--session", "s1", "--turn", turn)
        self.world.add("Deploys happen on Fridays.", "--tag", "deploy")
        self.world.write("archive/2020-02-03.md", '<!--m {"id":"old1","at":"2020-02-03T04:05:06Z","source":"agent"}-->\nAn old fact.\n')
        self.world.write("consolidated/memory.md", '# Memory\n\n<!--m {"id":"c-1","from":["old1"],"source":"agent","updated":"2020-02-04"}-->\n'
                                                   "An old fact, settled.\n")
        self.world.write("note.md", "A note of mine.\n")
        export = self.world.run("export")
        other = World(host="otherhost")
        self.addCleanup(other.close)
        other.run("init", other.vault)
        file = other.scratch / "export.json"
        file.write_text(export)
        found = len(self.world.entries())
        dry = other.json("import", "--from", "loci", file, "--dry-run")
        self.assertEqual((dry["found"], dry["known"], other.entries()), (found, 0, []))
        other.run("import", "--from", "loci", file)
        keep = lambda world: {e["id"]: (e["text"], e["source"], e["at"], e["kind"], e["session"], e["turn"], e["tags"])
                              for e in world.entries() if not e["id"].startswith("h-")}
        self.assertEqual(keep(other), keep(self.world))
        self.assertEqual(other.texts(), self.world.texts())
        self.assertEqual(other.json("status")["facts"]["settled"], 0, "what no ledger settled there is pending here")
        tree = other.tree()
        again = other.json("import", "--from", "loci", file)
        self.assertEqual((again["known"], again["archived"], again["consolidated"]), (found, 0, 0))
        self.assertEqual(other.json("import", "--from", "loci", self.world.vault)["archived"], 0)
        self.assertEqual(other.tree(), tree)
        other.run("doctor")
        for inside in (other.vault, other.vault / "export.json"):
            other.write("export.json", export)
            other.run("import", inside, code=2)
            self.assertIn("the vault", other.messages)

    def test_user_md_and_a_persons_part_of_memory_md_stand_there_again(self):
        self.world.run("init", self.world.vault)
        user = self.world.read("user.md").replace("use. -->\n", "use. -->\n\n- Bakes bread.\n- Sells it on Fridays.\n")
        memory = self.world.read("MEMORY.md") + "\nThe key is under the mat.\n"
        self.world.write("user.md", user)
        self.world.write("MEMORY.md", memory)
        for form in (["--json"], ["--jsonl"], ["--format", "md"], None):
            with self.subTest(form):
                other = World(host="otherhost")
                self.addCleanup(other.close)
                other.run("init", other.vault)
                source = self.world.vault
                if form:
                    source = other.scratch / "export"
                    source.write_text(self.world.run("export", *form))
                other.run("import", source)
                self.assertEqual((other.read("user.md"), other.read("MEMORY.md")), (user, memory))
                tree = other.tree()
                self.assertEqual(other.json("import", "--from", "loci", source)["known"], 3)
                self.assertEqual(other.tree(), tree)

    def test_a_new_vault_is_rebuilt_from_what_was_imported(self):
        for text in ("The kettle whistles at nine.", "The ladder leans on the barn."):
            self.world.add(text)
        self.world.run("consolidate", "--force")
        edited = self.world.read("consolidated/memory.md").replace("at nine", "at ten")
        self.world.write("consolidated/memory.md", edited)
        self.world.write("harbour.md", "The pier has a lamp.\n")
        export = self.world.scratch / "export.json"
        export.write_text(self.world.run("export"))
        other = World(host="otherhost")
        self.addCleanup(other.close)
        other.run("init", other.vault)
        self.assertEqual(other.json("import", export)["left_out"], [])
        for world in (self.world, other):
            self.assertEqual(world.json("status")["facts"]["pending"], 0 if world is self.world else 1)  # the note is a fact here
            world.run("consolidate", "--rebuild")
        durable = lambda world: {e["text"]: e["source"] for e in world.entries() if e["file"].startswith("consolidated/")}
        wanted = {"The kettle whistles at ten.": "user", "The ladder leans on the barn.": "user"}
        self.assertEqual(durable(self.world), wanted)
        self.assertEqual(durable(other), {**wanted, "The pier has a lamp.": "user"})
        self.assertTrue(other.json("doctor")["ok"])

    def test_what_was_forgotten_here_does_not_come_back(self):
        id = self.world.add("The tank is green.")
        export = self.world.scratch / "export.json"
        export.write_text(self.world.run("export", "--jsonl"))
        self.world.run("forget", id)
        imported = self.world.json("import", export)
        self.assertEqual((imported["archived"], imported["left_out"]),
                         (0, [{"id": id, "text": "The tank is green.", "why": "deleted", "restore": id}]))
        self.assertIn(f"loci restore {id}", self.world.run("import", export))
        self.assertEqual(self.world.texts(), [])

    def test_the_markdown_is_a_file_that_a_vault_understands(self):
        self.world.add("two\n\nparagraphs", "--tag", "x")
        self.world.add("one")
        markdown = self.world.run("export", "--format", "md")
        other = World()
        self.addCleanup(other.close)
        other.write("archive/2020-01-01.md", markdown)
        self.assertEqual(other.texts(), ["one", "two\n\nparagraphs"])


if __name__ == "__main__":
    unittest.main()
