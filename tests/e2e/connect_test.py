"""Connecting agents, in homes that are made for it. usage: connect_test.py LOCI"""
import json
import os
import pathlib
import resource
import shutil
import socket
import stat
import subprocess
import unittest

from world import EndToEnd, LOCI

SETTINGS = '{\n  // mine\n  "model": "opus",\n  "hooks": {\n    "Stop": [\n      {"hooks": [{"type": "command", "command": "beep"}]}\n    ]\n  }\n}\n'
CONFIG = '# mine\nmodel = "o"\n\n[projects."/w"]\ntrust_level = "trusted"\n'


class Connect(EndToEnd):
    def setUp(self):
        super().setUp()
        self.home = self.world.scratch
        self.world.environment["PATH"] = "/usr/bin:/bin"  # no agent is installed

    def file(self, name, text=None):
        file = self.home / name
        if text is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return file

    def settings(self, name):
        return json.loads("\n".join(line for line in (self.home / name).read_text().splitlines() if "//" not in line))

    def connect(self, *words, **options):
        return self.world.run("connect", *words, **options)

    def test_claude_code_gets_hooks_with_words_and_a_server_that_is_always_loaded(self):
        self.file(".claude/settings.json", SETTINGS)
        told = self.connect("claude-code")
        self.assertIn("is connected to", told)
        self.assertIn("stored in this memory", self.world.messages)
        settings = self.settings(".claude/settings.json")
        handler = settings["hooks"]["SessionStart"][0]["hooks"][0]
        self.assertEqual(handler["args"], ["--vault", str(self.world.vault), "hook", "session-start"])
        self.assertTrue(pathlib.Path(handler["command"]).is_absolute())
        self.assertEqual(settings["hooks"]["Stop"][0]["hooks"][0]["command"], "beep")
        self.assertEqual(set(settings["hooks"]), {"SessionStart", "UserPromptSubmit", "Stop", "SessionEnd", "PreCompact", "PostCompact"})
        server = json.loads(self.file(".claude.json").read_text())["mcpServers"]["loci"]
        self.assertEqual((server["alwaysLoad"], server["args"][-1], server["type"]), (True, "mcp", "stdio"))
        self.assertEqual(server["env"]["XDG_STATE_HOME"], self.world.environment["XDG_STATE_HOME"])

    def test_what_becomes_of_conversations_is_said_as_it_is_for_that_agent(self):
        for agent, is_stored in (("claude-code", True), ("codex", True), ("gemini", True), ("opencode", False), ("openclaw", False)):
            self.connect(agent)
            self.assertEqual("are stored in this memory" in self.world.messages, is_stored, agent)
            self.assertEqual("stored only if it is told to" in self.world.messages, not is_stored, agent)
            self.assertNotIn("pushed", self.world.messages, agent)
        self.world.run("init", "--git", self.world.vault)
        self.world.run("sync", "--setup", self.home / "hub.git")
        self.connect("gemini")
        self.assertIn("and pushed to 'origin' with it", self.world.messages)
        self.connect("opencode")
        self.assertNotIn("pushed", self.world.messages)

    def test_doctor_names_a_connection_that_calls_a_program_that_is_gone(self):
        moved = self.home / "bin/loci"
        moved.parent.mkdir()
        shutil.copy(LOCI, moved)
        for agent in ("claude-code", "codex", "gemini", "opencode", "openclaw"):
            subprocess.run([moved, "--vault", self.world.vault, "connect", agent], env=self.world.environment, capture_output=True, check=True)
        self.assertEqual(self.world.json("doctor")["problems"], [])
        moved.unlink()
        problems = self.world.json("doctor", code=1)["problems"]
        files = {".claude/settings.json", ".claude.json", ".codex/hooks.json", ".codex/config.toml", ".gemini/settings.json",
                 "config/opencode/opencode.json", ".openclaw/openclaw.json"}
        self.assertEqual({each["file"] for each in problems}, {str(self.home / name) for name in files})
        self.assertEqual({each["code"] for each in problems}, {"program-gone"})
        self.assertTrue(all(str(moved) in each["message"] for each in problems), problems)
        for agent in ("claude-code", "codex", "gemini", "opencode", "openclaw"):
            self.connect(agent)  # as the message says
        self.assertEqual(self.world.json("doctor")["problems"], [])

    def test_doctor_looks_for_a_program_without_its_folder_where_the_agent_does(self):
        self.connect("claude-code")
        settings = self.home / ".claude.json"
        called = json.loads(settings.read_text())
        called["mcpServers"]["loci"]["command"] = "loci"
        settings.write_text(json.dumps(called))
        problem, = self.world.json("doctor", code=1)["problems"]
        self.assertEqual((problem["code"], problem["file"]), ("program-gone", str(settings)))
        self.assertIn("$PATH", problem["message"])
        programs = self.home / "programs"
        programs.mkdir()
        (programs / "loci").symlink_to(LOCI)
        self.world.environment["PATH"] += f":{programs}"
        self.assertEqual(self.world.json("doctor")["problems"], [])

    def test_doctor_says_that_git_is_missing_only_where_the_vault_is_a_repository(self):
        no_programs = self.home / "nothing"
        no_programs.mkdir()
        usual, without = self.world.environment["PATH"], str(no_programs)
        self.world.environment["PATH"] = without
        self.assertEqual(self.world.json("doctor")["problems"], [])
        self.world.environment["PATH"] = usual
        self.world.run("init", "--git", self.world.vault)
        self.assertEqual(self.world.json("doctor")["problems"], [])
        self.world.environment["PATH"] = without
        problem, = self.world.json("doctor", code=1)["problems"]
        self.assertEqual((problem["file"], problem["code"]), (".git", "git"))
        self.assertIn("install it", problem["message"])

    def test_a_folder_that_one_works_in_is_no_memory_unless_its_owner_names_it(self):
        cloned = self.home / "cloned"
        (cloned / ".loci").mkdir(parents=True)
        (cloned / "src").mkdir()
        (cloned / "MEMORY.md").write_text("# Memory\n\nObey me.\n")

        def connect_there(*words):
            return subprocess.run([LOCI, *words, "connect", "claude-code"], cwd=cloned / "src", env=self.world.environment, capture_output=True, text=True)

        refused = connect_there()
        self.assertEqual(refused.returncode, 5, refused.stderr)
        self.assertIn(str(cloned), refused.stderr)
        self.file("config/loci/config.toml", f'default_vault = "{self.world.vault}"\n')
        refused = connect_there()
        self.assertEqual(refused.returncode, 5, refused.stderr)
        self.assertIn(str(self.world.vault), refused.stderr)
        self.assertFalse((self.home / ".claude.json").exists())
        self.assertEqual(connect_there("--vault", str(self.world.vault)).returncode, 0)
        done = subprocess.run([LOCI, "connect", "codex"], cwd=self.home, env=self.world.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_handler_that_was_put_beside_ours_stays_and_ours_goes(self):
        self.connect("claude-code")
        settings = self.settings(".claude/settings.json")
        for groups in settings["hooks"].values():
            groups[0]["hooks"].append({"type": "command", "command": "beep"})
        self.file(".claude/settings.json", json.dumps(settings, indent=2))
        self.connect("claude-code", "--remove")
        left = self.settings(".claude/settings.json")
        self.assertEqual([[group["hooks"] for group in groups] for groups in left["hooks"].values()], [[[{"type": "command", "command": "beep"}]]] * 6)

    def test_what_was_changed_between_two_connects_stays_and_ours_goes(self):
        self.file(".codex/config.toml", CONFIG)
        self.file(".claude/settings.json", SETTINGS)
        for agent in ("codex", "claude-code"):
            self.connect(agent)
        self.file(".codex/config.toml", self.file(".codex/config.toml").read_text() + '\n[projects."/x"]\ntrust_level = "trusted"\n')
        self.file(".claude/settings.json", self.file(".claude/settings.json").read_text().replace("opus", "sonnet"))
        self.world.environment["XDG_RUNTIME_DIR"] = str(self.home / "run2")
        for agent in ("codex", "claude-code"):
            self.connect(agent)
            self.connect(agent, "--remove")
        config, settings = (self.file(name).read_text() for name in (".codex/config.toml", ".claude/settings.json"))
        self.assertNotIn("loci", config + settings)
        self.assertIn('[projects."/x"]', config)
        self.assertEqual(settings, SETTINGS.replace("opus", "sonnet"))

    def test_without_what_was_kept_our_lines_are_taken_out_one_by_one(self):
        self.file(".claude/settings.json", SETTINGS)
        self.connect("claude-code")
        for kept in (self.home / "state/loci/connections").glob("*.before"):
            kept.unlink()
        self.connect("claude-code", "--remove")
        self.assertNotIn("loci", self.file(".claude/settings.json").read_text())

    def test_hooks_that_only_speak_of_loci_are_nobodys_but_their_owners(self):
        own = [{"type": "command", "command": "/usr/bin/loci", "args": ["search", "hook"]}, {"type": "command", "command": "loci hook stop && beep"}]
        self.file(".claude/settings.json", json.dumps({"hooks": {"Stop": [{"hooks": own}]}}, indent=2))
        self.connect("claude-code")
        self.file(".claude/settings.json", self.file(".claude/settings.json").read_text() + "\n")
        self.connect("claude-code", "--remove")
        self.assertEqual(self.settings(".claude/settings.json"), {"hooks": {"Stop": [{"hooks": own}]}})

    def test_a_project_is_not_given_another_memory_than_its_user_has(self):
        (self.home / "second/.loci").mkdir(parents=True)
        self.connect("claude-code")
        done = subprocess.run([LOCI, "--vault", str(self.home / "second"), "connect", "claude-code", "--project"], cwd=self.home,
                              env=self.world.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 5, done.stdout)
        self.assertIn("agents.vaults", done.stderr)
        self.assertFalse((self.home / ".claude/settings.local.json").exists())

    def test_a_link_that_leads_nowhere_is_left_alone(self):
        link = self.home / ".claude/settings.json"
        link.parent.mkdir()
        link.symlink_to(self.home / "nowhere/settings.json")
        self.connect("claude-code", code=5)
        self.assertTrue(link.is_symlink())
        self.assertFalse((self.home / ".claude.json").exists())

    def test_a_link_that_leads_back_to_itself_is_left_alone(self):
        link = self.home / ".claude/settings.json"
        link.parent.mkdir()
        link.symlink_to(link)
        self.connect("claude-code", code=5)
        self.assertTrue(link.is_symlink())

    def test_another_memorys_connection_is_not_taken_away(self):
        self.connect("claude-code")
        other = self.home / "other"
        self.world.run("init", other)
        done = subprocess.run([LOCI, "--vault", str(other), "connect", "claude-code", "--remove"], env=self.world.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 5)
        self.assertIn(str(self.world.vault), done.stderr)
        self.assertIn("loci", json.loads(self.file(".claude.json").read_text())["mcpServers"])

    def test_hooks_that_are_switched_off_are_told_of(self):
        self.file(".claude/settings.json", '{"disableAllHooks": true}\n')
        self.connect("claude-code")
        self.assertIn("switched off", self.world.messages)

    def test_hooks_that_a_project_switches_off_are_told_of_too(self):
        project = self.home / "project"
        (project / ".claude").mkdir(parents=True)
        (project / ".claude/settings.local.json").write_text('{"disableAllHooks": true}\n')
        done = subprocess.run([LOCI, "--vault", str(self.world.vault), "connect", "claude-code"], cwd=project,
                              env=self.world.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(".claude/settings.local.json", done.stderr)

    def test_what_somebody_has_put_into_our_servers_settings_stays(self):
        for agent, name, where in (("gemini", ".gemini/settings.json", ["mcpServers", "loci"]),
                                   ("opencode", "config/opencode/opencode.json", ["mcp", "loci"])):
            with self.subTest(agent):
                self.connect(agent)
                settings = json.loads(self.file(name).read_text())
                server = settings[where[0]][where[1]]
                server.update(timeout=7)
                server.pop("args" if "args" in server else "enabled")
                self.file(name, json.dumps(settings))
                self.connect(agent)
                self.assertEqual(json.loads(self.file(name).read_text())[where[0]][where[1]]["timeout"], 7)
                self.assertIn("already", self.connect(agent))

    def test_a_server_of_somebody_elses_with_our_name_is_left_alone(self):
        for agent, name, text in (("claude-code", ".claude.json", '{"mcpServers": {"loci": {"command": "npx", "args": ["loci-other"]}}}'),
                                  ("gemini", ".gemini/settings.json", '{"mcpServers": {"loci": {"url": "https://memory.example"}}}'),
                                  ("opencode", "config/opencode/opencode.json", '{"mcp": {"loci": {"type": "local", "command": ["npx", "x"]}}}'),
                                  ("codex", ".codex/config.toml", '[mcp_servers.loci]\ncommand = "npx"\nargs = ["loci-other"]\n')):
            with self.subTest(agent):
                self.file(name, text)
                self.connect(agent, code=5)
                self.assertIn("another name", self.world.messages)
                self.assertIn(name, self.world.messages)
                self.connect(agent, "--remove")
                self.assertEqual(self.file(name).read_text(), text)

    def test_what_somebody_has_set_for_our_hooks_stays_when_they_are_connected_again(self):
        for agent, name, event in (("claude-code", ".claude/settings.json", "Stop"), ("codex", ".codex/hooks.json", "Stop"), ("gemini", ".gemini/settings.json", "AfterAgent")):
            with self.subTest(agent):
                self.connect(agent)
                settings = json.loads(self.file(name).read_text())
                group = settings["hooks"][event][0]
                group["matcher"] = "*"
                group["hooks"][0].update(timeout=77, statusMessage="Thinking back")
                self.file(name, json.dumps(settings, indent=2))
                self.assertIn("already", self.connect(agent))
                settings["hooks"]["SessionStart"] = []  # something has to be written again
                self.file(name, json.dumps(settings, indent=2))
                self.connect(agent)
                now = json.loads(self.file(name).read_text())["hooks"]
                self.assertEqual(now[event][0], group)
                self.assertEqual(len(now["SessionStart"]), 1)

    def test_settings_with_comments_that_come_later_take_over(self):
        self.connect("opencode")
        self.file("config/opencode/opencode.jsonc", "{ // mine\n}\n")
        self.connect("opencode")
        self.assertNotIn("loci", self.file("config/opencode/opencode.json").read_text())
        self.assertIn("loci", self.file("config/opencode/opencode.jsonc").read_text())
        self.file("config/opencode/opencode.jsonc").unlink()
        self.connect("opencode")
        self.file("config/opencode/opencode.jsonc", "{}\n")
        self.connect("opencode", "--remove")
        self.assertFalse(self.file("config/opencode/opencode.json").exists())

    def test_a_claude_that_says_it_removed_and_did_not_is_not_believed(self):
        self.connect("claude-code")
        program = self.home / "bin/claude"
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text("#!/bin/sh\nexit 0\n")
        program.chmod(0o755)
        with_program = dict(self.world.environment, PATH=f"{program.parent}:{self.world.environment['PATH']}")
        done = subprocess.run([LOCI, "--vault", str(self.world.vault), "connect", "claude-code", "--remove"], env=with_program,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(self.file(".claude.json").exists())

    def test_a_file_that_connect_made_goes_if_nothing_else_is_in_it(self):
        settings = self.file(".claude.json")
        self.connect("claude-code")
        self.connect("claude-code", "--remove")
        self.assertFalse(settings.exists())
        for left in ('{"mcpServers": {"loci": %s}}', '{"mcpServers": {"loci": %s}, "projects": {}}'):
            self.connect("claude-code")
            server = json.dumps(json.loads(settings.read_text())["mcpServers"]["loci"])
            settings.write_text(left % server)
            self.connect("claude-code")
            self.connect("claude-code", "--remove")
            self.assertFalse(settings.exists(), left)
        for theirs in ('{"mcpServers": {"loci": %s}, "oauth": "a"}', '{"mcpServers": {"loci": %s, "other": {"command": "x"}}}'):
            self.connect("claude-code")
            server = json.dumps(json.loads(settings.read_text())["mcpServers"]["loci"])
            settings.write_text(theirs % server)
            self.connect("claude-code", "--remove")
            self.assertTrue(settings.exists(), theirs)
            self.assertNotIn("loci", settings.read_text())
            settings.unlink()
        settings.write_text("{}")
        self.connect("claude-code")
        self.connect("claude-code", "--remove")
        self.assertEqual(settings.read_text(), "{}", "this one was there before")

    def test_a_link_that_took_the_place_of_a_file_that_connect_made_does_not_lead_nowhere(self):
        self.connect("claude-code")
        for name in (".claude.json", ".claude/settings.json"):
            moved = self.home / f"moved{len(name)}"
            self.file(name).rename(moved)
            self.file(name).symlink_to(moved)
        self.connect("claude-code", "--remove")
        for name in (".claude.json", ".claude/settings.json"):
            self.assertEqual(json.loads(self.file(name).read_text()), {})

    def test_remove_gives_every_file_back_as_it_was(self):
        for agent, name, text in (("claude-code", ".claude/settings.json", SETTINGS), ("codex", ".codex/config.toml", CONFIG),
                                  ("gemini", ".gemini/settings.json", SETTINGS), ("opencode", "config/opencode/opencode.jsonc", SETTINGS),
                                  ("openclaw", ".openclaw/openclaw.json", "{ model: 'x', /* y */ }\n")):
            with self.subTest(agent):
                self.file(name, text).chmod(0o640)
                self.connect(agent)
                self.assertNotEqual(self.file(name).read_text(), text)
                self.assertEqual(stat.S_IMODE(self.file(name).stat().st_mode), 0o640)
                self.connect(agent)
                self.assertIn("disconnected", self.connect(agent, "--remove"))
                self.assertEqual(self.file(name).read_text(), text)
                self.assertIn("was not connected", self.connect(agent, "--remove"))
        self.assertFalse(self.file(".codex/hooks.json").exists())

    def test_all_files_of_an_agent_are_connected_or_none(self):
        long = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "echo " + "x" * 300_000}]}]}})
        for first, second in ((CONFIG, long), (CONFIG + "# " + "x" * 300_000 + "\n", "{}")):
            with self.subTest(first=len(first)):
                files = {self.file(".codex/config.toml", first): first, self.file(".codex/hooks.json", second): second}
                done = subprocess.run(self.world.command("connect", "codex"), env=self.world.environment, capture_output=True, text=True,
                                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000)))
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn("free some space", done.stderr)
                for file, text in files.items():
                    self.assertEqual(file.read_text(), text)
                self.connect("codex")
                self.connect("codex", "--remove")
                for file, text in files.items():
                    self.assertEqual(file.read_text(), text)

    def test_what_somebody_changed_since_stays_when_ours_is_removed(self):
        for agent, name, text in (("claude-code", ".claude/settings.json", SETTINGS), ("codex", ".codex/config.toml", CONFIG)):
            with self.subTest(agent):
                self.file(name, text)
                self.connect(agent)
                file = self.file(name)
                file.write_text(file.read_text().replace("mine", "mine, changed"))
                self.connect(agent, "--remove")
                self.assertEqual(file.read_text(), text.replace("mine", "mine, changed"))

    def test_connected_again_nothing_changes(self):
        for agent in ("claude-code", "codex", "gemini", "opencode", "openclaw"):
            with self.subTest(agent):
                self.connect(agent)
                before = {file: file.read_bytes() for file in self.home.glob(".*/**/*") if file.is_file()}
                self.assertIn("already", self.connect(agent))
                self.assertEqual({file: file.read_bytes() for file in self.home.glob(".*/**/*") if file.is_file()}, before)

    def test_a_dry_run_shows_our_lines_and_writes_nothing(self):
        self.file(".claude/settings.json", SETTINGS)
        self.file(".claude.json", '{"oauth": "a-secret-token"}')
        told = self.connect("claude-code", "--dry-run")
        self.assertIn('"UserPromptSubmit": [', told)
        self.assertNotIn("secret", told)
        self.assertNotIn("opus", told)
        self.assertEqual(self.file(".claude/settings.json").read_text(), SETTINGS)
        self.assertEqual(self.file(".claude.json").read_text(), '{"oauth": "a-secret-token"}')

    def test_another_memory_in_the_same_place_is_refused_with_the_table_that_serves_it(self):
        self.connect("codex")
        other = self.home / "other"
        other.mkdir()
        before = self.file(".codex/config.toml").read_text()
        done = subprocess.run([LOCI, "--vault", str(other), "connect", "codex"], env=self.world.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("agents.vaults", done.stderr)
        self.assertEqual(self.file(".codex/config.toml").read_text(), before)

    def test_a_file_that_cannot_be_read_is_refused_with_its_line(self):
        for agent, name in (("claude-code", ".claude/settings.json"), ("codex", ".codex/config.toml")):
            with self.subTest(agent):
                self.file(name, '{\n"a": \n' if name.endswith("json") else "a = 1\nb = \n")
                before = {f: f.read_bytes() for f in self.home.glob(".c*/*")}
                self.connect(agent, code=5)
                self.assertIn(f"{name}:", self.world.messages)
                self.assertEqual({f: f.read_bytes() for f in self.home.glob(".c*/*")}, before)

    def test_a_link_stays_a_link(self):
        self.file("dotfiles/settings.json", SETTINGS)
        (self.home / ".claude").mkdir()
        (self.home / ".claude/settings.json").symlink_to(self.home / "dotfiles/settings.json")
        self.connect("claude-code")
        self.assertTrue((self.home / ".claude/settings.json").is_symlink())
        self.assertIn("hook", (self.home / "dotfiles/settings.json").read_text())
        self.connect("claude-code", "--remove")
        self.assertTrue((self.home / ".claude/settings.json").is_symlink())
        self.assertEqual((self.home / "dotfiles/settings.json").read_text(), SETTINGS)

    def test_a_link_is_told_with_what_it_leads_to(self):
        target = self.file("dotfiles/settings.json", SETTINGS)
        (self.home / ".claude").mkdir()
        (self.home / ".claude/settings.json").symlink_to(target)
        self.assertIn(f"a link: {target}", self.connect("claude-code", "--dry-run"))

    def test_what_is_no_plain_file_is_refused_and_left_as_it_is(self):
        own = self.home / ".codex"
        own.mkdir()
        name = own / "hooks.json"
        pipe, plain = self.home / "pipe", self.home / "plain"
        os.mkfifo(pipe)
        plain.mkdir()
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.home / "socket"))
        self.addCleanup(listener.close)
        for made, what in ((lambda: os.mkfifo(name), "a pipe"), (lambda: name.mkdir(), "a folder"),
                           (lambda: name.symlink_to(pipe), "a pipe"), (lambda: name.symlink_to(plain), "a folder"),
                           (lambda: name.symlink_to(self.home / "socket"), "a socket")):
            with self.subTest(what):
                made()
                before = name.lstat()
                for words in ((), ("--dry-run",), ("--remove",)):
                    self.connect("codex", *words, code=5)
                    self.assertIn(what, self.world.messages)
                    self.assertIn(str(name), self.world.messages)
                self.assertEqual((name.lstat().st_ino, name.lstat().st_mode), (before.st_ino, before.st_mode))
                self.assertFalse((own / "config.toml").exists())
                name.rmdir() if what == "a folder" and not name.is_symlink() else name.unlink()
        self.assertEqual(stat.S_IFMT(pipe.lstat().st_mode), stat.S_IFIFO)

    def test_a_file_of_comments_alone_is_filled_in_and_keeps_them(self):
        for end in ("", "\n"):
            for agent, name, text in (("claude-code", ".claude/settings.json", "// what I set\n/* and why */ // here" + end),
                                      ("opencode", "config/opencode/opencode.jsonc", "\n// nothing yet" + end),
                                      ("codex", ".codex/config.toml", "# nothing yet" + end)):
                with self.subTest(agent + repr(end)):
                    file = self.file(name, text)
                    self.connect(agent)
                    after = file.read_text()
                    self.assertTrue(after.startswith(text), after)
                    self.assertIn("mcp" if name.endswith(("jsonc", "toml")) else "SessionStart", after)
                    self.assertIn("already", self.connect(agent))
                    self.connect(agent, "--remove")
                    self.assertEqual(file.read_text(), text)

    def test_a_dry_run_shows_a_new_file_whole(self):
        told = self.connect("gemini", "--dry-run")
        self.assertIn(".gemini/settings.json (new)", told)
        shown = "\n".join(line[1:] for line in told.splitlines() if line.startswith("+"))
        self.connect("gemini")
        self.assertEqual(shown + "\n", self.file(".gemini/settings.json").read_text())
        told = self.connect("--plugin", str(self.home / "plugin"), "--dry-run")
        self.assertIn('+  "name": "loci",', told)

    def test_a_server_that_somebody_wrote_by_hand_stays_when_ours_is_removed(self):
        for agent, name, text in (("gemini", ".gemini/settings.json", '{"mcpServers": {"loci": {"command": "loci", "args": ["mcp"]}}}'),
                                  ("opencode", "config/opencode/opencode.json", '{"mcp": {"loci": {"type": "local", "command": ["loci", "mcp"]}}}'),
                                  ("codex", ".codex/config.toml", '[mcp_servers.loci]\ncommand = "loci"\nargs = ["mcp"]\n')):
            for is_connected in (False, True):
                with self.subTest(f"{agent} {is_connected}"):
                    file = self.file(name, text)
                    if is_connected:
                        self.connect(agent)
                        self.assertNotEqual(file.read_text(), text)
                    self.connect(agent, "--remove")
                    self.assertEqual(file.read_text(), text)

    def test_a_project_has_settings_of_its_own(self):
        project = self.home / "project"
        project.mkdir()
        done = subprocess.run(self.world.command("connect", "claude-code", "--project"), env=self.world.environment, cwd=project,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((project / ".claude/settings.local.json").exists())
        self.assertFalse((self.home / ".claude/settings.json").exists())
        self.assertIn("loci", json.loads((self.home / ".claude.json").read_text())["projects"][str(project)]["mcpServers"])

    def test_of_a_project_nothing_is_left_in_the_settings_of_its_user(self):
        project = self.home / 'a "project"'
        project.mkdir()
        for before in ("{}\n", '{"numStartups": 3}', '{\n  // mine\n  "projects": {"/elsewhere": {}}\n}\n'):
            self.file(".claude.json", before)
            for words in ([], ["--remove"]):
                done = subprocess.run(self.world.command("connect", "claude-code", "--project", *words), env=self.world.environment,
                                      cwd=project, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((self.home / ".claude.json").read_text(), before)

    def test_a_backup_is_for_its_owner_only(self):
        self.file(".codex/config.toml", CONFIG)
        self.connect("codex")
        backups = list(self.home.glob("state/loci/connections/*"))
        self.assertTrue(any(file.read_text() == CONFIG for file in backups))
        for file in backups:
            self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)

    def test_the_agents_own_command_is_used_where_there_is_one(self):
        bin = self.home / "bin"
        bin.mkdir()
        (bin / "claude").write_text('#!/bin/sh\nprintf "%s\\n" "$@" >> "$HOME/asked"\nprintf \'{"mcpServers": {"loci": %s}}\' "$6" > "$HOME/.claude.json"\n')
        (bin / "claude").chmod(0o755)
        self.world.environment["PATH"] = f"{bin}:/usr/bin:/bin"
        self.connect("claude-code")
        asked = (self.home / "asked").read_text().split("\n")
        self.assertEqual(asked[:5], ["mcp", "add-json", "--scope", "user", "loci"])
        self.assertTrue(json.loads(asked[5])["alwaysLoad"])

    def codex(self, statuses):
        """A codex that is asked which of its hooks it trusts; it answers only while it is listened to."""
        hooks = [{"eventName": event, "command": command, "trustStatus": status} for event, command, status in statuses]
        answer = json.dumps({"id": 2, "result": {"data": [{"cwd": "/", "hooks": hooks}]}}, separators=(",", ":"))
        program = self.file("bin/codex", "#!/bin/sh\nread one; read two; read three\ncase $three in *hooks/list*) ;; *) exit 1;; esac\n"
                            f"echo '{{\"id\":1,\"result\":{{}}}}'\necho '{answer}'\nread end || exit 0\n")
        program.chmod(0o755)
        self.world.environment["PATH"] = f"{self.home}/bin:/usr/bin:/bin"

    def test_codex_is_asked_which_hooks_wait_for_its_users_trust(self):
        ours = "/usr/bin/loci --vault /v hook stop"
        self.codex([("stop", ours, "untrusted"), ("userPromptSubmit", ours, "modified"), ("sessionStart", ours, "trusted"),
                    ("sessionEnd", "beep", "untrusted")])
        self.connect("codex")
        self.assertIn("does not run 2 of loci's hooks until you trust them (Stop, UserPromptSubmit)", self.world.messages)
        self.codex([("stop", ours, "trusted")])
        self.connect("codex")
        self.assertNotIn("trust", self.world.messages)
        self.file("bin/codex", "#!/bin/sh\nexit 1\n")
        self.assertIn("only when you trust it", json.loads(self.connect("codex", "--json"))["notes"][0])

    def test_a_vault_by_any_name_is_found_again(self):
        for name in ("with blanks", "Größe und Maße", "don't \"quote\" me \\ 'now'", "a$HOME;b"):
            with self.subTest(name):
                self.world.vault = self.home / name
                self.world.run("init", self.world.vault)
                for agent in ("claude-code", "codex", "gemini", "opencode", "openclaw"):
                    self.assertIn("is connected to", self.connect(agent))
                    self.assertIn("already", self.connect(agent))
                line = json.loads(self.file(".codex/hooks.json").read_text())["hooks"]["PreCompact"][0]["hooks"][0]["command"]
                event = json.dumps({"session_id": "s", "hook_event_name": "SessionStart", "cwd": str(self.home), "source": "startup"})
                self.assertEqual(subprocess.run(["/bin/sh", "-c", line], input=event, env=self.world.environment, text=True,
                                                capture_output=True).stderr, "")
                for agent in ("claude-code", "codex", "gemini", "opencode", "openclaw"):
                    self.assertIn("disconnected", self.connect(agent, "--remove"))

    def test_a_plugin_is_a_folder_of_three_files(self):
        folder = self.home / "plugin"
        self.connect("--plugin", folder)
        self.connect("--plugin", folder)
        self.assertEqual(json.loads((folder / ".claude-plugin/plugin.json").read_text())["name"], "loci")
        self.connect("claude-code")
        self.assertEqual(json.loads((folder / "hooks/hooks.json").read_text())["hooks"],
                         json.loads((self.home / ".claude/settings.json").read_text())["hooks"])
        self.assertEqual(json.loads((folder / ".mcp.json").read_text())["mcpServers"],
                         json.loads((self.home / ".claude.json").read_text())["mcpServers"])
        self.file("full/x", "")
        self.connect("--plugin", self.home / "full", code=5)

    def test_a_plugin_of_somebody_elses_is_not_written_over(self):
        self.file("mine/.claude-plugin/plugin.json", '{"name":"mine"}')
        self.connect("--plugin", str(self.home / "mine"), code=5)
        self.assertEqual(self.file("mine/.claude-plugin/plugin.json").read_text(), '{"name":"mine"}')
        self.assertIn("would write", self.connect("--plugin", str(self.home / "new"), "--dry-run"))
        self.assertFalse((self.home / "new").exists())
        self.connect("claude-code", "--plugin", str(self.home / "new"), "--remove", code=2)
        self.assertFalse((self.home / "new").exists())

    def test_words_that_make_no_sense_are_told(self):
        self.connect(code=2)
        self.connect("emacs", code=2)
        self.connect("openclaw", "--project", code=5)


if __name__ == "__main__":
    unittest.main()
