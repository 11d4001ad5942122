"""Claude Code and Codex as they are installed from npm, offline, against a model server of our own, with loci connected to them.

usage: real_agents.py LOCI FOLDER_OF_NODE_MODULES [unittest's words]
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from fake_model import Call, FakeModel, Say

LOCI = os.path.abspath(sys.argv.pop(1))
MODULES = pathlib.Path(sys.argv.pop(1)).resolve()
DEADLINE = 30


class Agent(unittest.TestCase):
    """A home with an agent in it that is connected to a vault, and no daemon until a test starts one."""

    name = None

    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="loci-agent-"))
        self.addCleanup(self.throw_away)
        (self.home / "bin").mkdir()
        (self.home / "bin/loci").symlink_to(LOCI)
        self.project = self.home / "loom"
        self.project.mkdir()
        subprocess.run(["git", "init", "-q", self.project], check=True)
        self.model = FakeModel()
        self.addCleanup(self.model.close)
        self.vault = self.home / "vault"
        node = os.path.dirname(shutil.which("node"))
        self.environment = {
            "HOME": str(self.home), "PATH": f"{self.home}/bin:{MODULES}/.bin:{node}:/usr/bin:/bin", "LANG": "C.UTF-8",
            "DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "ENABLE_TOOL_SEARCH": "false",
            "ANTHROPIC_BASE_URL": self.model.address, "ANTHROPIC_API_KEY": "sk-ant-fake", "FAKE_KEY": "fake",
        }
        self.loci("init", self.vault)
        self.prepare()
        self.before = self.settings()
        self.connected = self.loci("connect", self.name)

    def throw_away(self):
        for _ in range(5):  # what a hook left behind may still write
            shutil.rmtree(self.home, ignore_errors=True)
            if not self.home.exists():
                return
            time.sleep(0.2)

    def prepare(self):
        pass

    def loci(self, *words, stdin=""):
        done = subprocess.run([LOCI, "--vault", str(self.vault), *map(str, words)], env=self.environment, cwd=self.project, input=stdin,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def run_agent(self, words):
        done = subprocess.run(words, env=self.environment, cwd=self.project, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
        return done.stdout

    def say(self, text, *steps, more=()):
        """One message to the agent, in a new session; what the model was sent."""
        self.model.will(*(steps or [Say("Understood.")]))
        self.run_agent(self.words(text, more))
        return self.model.told()

    def remember_much(self):
        """In a memory of one fact every word is as rare as the next one."""
        things = ("lamp", "ladder", "kettle", "bicycle", "violin", "atlas", "tent", "camera", "barometer", "sledge")
        places = ("cellar", "garden shed", "hallway", "office", "kitchen")
        lines = (json.dumps({"text": f"The {thing} of aunt {name} stands in the {place}."})
                 for thing in things for name, place in zip(("Berta", "Clara", "Dora", "Elsa", "Frieda"), places))
        self.loci("add", "--jsonl", "-", stdin="\n".join(lines) + "\n")

    def ask(self, question, text):
        """Asks until the model is sent this text, in a new session each time: on a busy machine a hook gives up, and the agent goes on."""
        for _ in range(4):
            told = self.say(question)
            if text in told:
                break
        self.assert_told(text, told)
        return told

    def assert_told(self, text, told):
        """The model was sent this. Of the requests, which are long, only what loci put there is shown."""
        given = [part.split('"}')[0] for part in told.split("hook additional context")[1:]]
        self.assertTrue(text in told, f"{text!r} is not in what the model was sent; loci's part: {given}")

    def archive(self):
        return "\n".join(file.read_text() for file in sorted(self.vault.glob("archive/**/*.md")))

    def wait_for(self, text):
        end = time.monotonic() + DEADLINE
        while text not in self.archive():
            self.assertLess(time.monotonic(), end, f"{text!r} is not in the archive:\n{self.archive()}")
            time.sleep(0.05)
        self.loci("status", "--wait")

    def daemon(self):
        process = subprocess.Popen([LOCI, "--vault", str(self.vault), "daemon"], env=self.environment, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.loci("status", "--wait")
        return process

    def settings(self):
        return {name: (self.home / name).read_bytes() if (self.home / name).exists() else None for name in self.files}

    # --- what has to hold for each of them ---

    def test_what_was_remembered_is_in_the_next_conversation(self):
        self.loci("add", "--tag", "travel", "The ferry to Norderney leaves at half past seven from pier four.")
        self.ask("When does the ferry to Norderney leave?", "half past seven from pier four")

    def test_what_was_said_in_one_conversation_is_found_in_the_next(self):
        self.say("My sister Ottilie breeds Norwegian forest cats in Husum.", Say("Ottilie and her cats, noted."))
        self.wait_for("Norwegian forest cats in Husum")
        self.wait_for("Ottilie and her cats, noted.")
        self.ask("What does my sister Ottilie breed?", "Norwegian forest cats in Husum")

    def test_it_is_the_same_with_a_daemon(self):
        self.daemon()
        self.say("My sister Ottilie breeds Norwegian forest cats in Husum.", Say("Ottilie and her cats, noted."))
        self.wait_for("Ottilie and her cats, noted.")
        self.ask("What does my sister Ottilie breed?", "Norwegian forest cats in Husum")

    def test_a_tool_call_writes_into_the_vault(self):
        told = self.say("Please remember how I like my tea.",
                        Call("memory_write", action="add", layer="L1", content="Drinks rooibos tea with oat milk, never sugar."), Say("I will."))
        self.assert_told("memory_write", told)
        self.wait_for("rooibos tea with oat milk")

    def test_a_correction_takes_the_place_of_the_old_fact(self):
        self.remember_much()
        entry = self.loci("add", "The workshop key hangs behind the green door.").strip()
        self.ask("Where does the workshop key hang?", "behind the green door")
        self.say("That is wrong, the workshop key hangs in the attic.",
                 Call("memory_write", action="update", layer="L1", target_id=entry, content="The workshop key hangs in the attic."), Say("Corrected."))
        self.wait_for("hangs in the attic")
        entries = [e["text"] for e in json.loads(self.loci("--json", "list", "--layer", "L1"))["entries"]]
        self.assertIn("The workshop key hangs in the attic.", entries)
        self.assertNotIn("The workshop key hangs behind the green door.", entries)
        told = self.ask("Where does the workshop key hang now?", "in the attic.")
        facts = told.split("Facts:")[-1].split("</memory-context>")[0]
        self.assertIn("in the attic", facts)
        self.assertNotIn("green door", facts)

    def test_a_message_with_no_memory_stays_out(self):
        self.say("The door code is 4711 for today. #nomemory", Say("The code 4711, kept to myself."))
        self.say("Good morning, an open word.", Say("Heard."))
        self.wait_for("Heard.")
        self.assertNotIn("4711", self.archive())

    def test_it_works_on_whatever_is_wrong_with_the_memory(self):
        self.vault.rename(self.home / "moved")
        self.assertFalse("memory-context" in self.say("Hello there, is everything fine?"), "it was given memory of a vault that is gone")
        (self.home / "moved").rename(self.vault)
        (self.home / ".config/loci").mkdir(parents=True)
        (self.home / ".config/loci/config.toml").write_text("broken [")
        self.say("And with broken settings?")
        (self.home / ".config/loci/config.toml").unlink()
        daemon = self.daemon()
        daemon.kill()
        daemon.wait()
        self.say("And with a daemon that was killed?", Say("All the same."))
        self.wait_for("All the same.")

    def test_remove_gives_back_what_there_was(self):
        self.assertNotEqual(self.settings(), self.before)
        self.loci("connect", self.name, "--remove")
        self.assertEqual(self.settings(), self.before)


class ClaudeCode(Agent):
    name = "claude-code"
    files = (".claude/settings.json",)

    def prepare(self):
        (self.home / ".claude").mkdir()
        (self.home / ".claude/settings.json").write_text('{\n  "cleanupPeriodDays": 30\n}\n')

    def words(self, text, more):
        return ["claude", "-p", text, "--output-format", "json", "--allowedTools", "mcp__loci__memory_write,mcp__loci__memory_search", *more]

    def test_a_compaction_keeps_the_memory(self):
        (self.vault / "user.md").write_text("# User\n\nName: Ferdinand of the lighthouse\n")
        self.ask("Hello, who am I?", "Ferdinand of the lighthouse")
        self.model.will(Say("Summary: they said hello."), Say("Fine."), Say("Fine."))
        self.run_agent(["claude", "-p", "/compact", "--continue", "--output-format", "json"])
        told = self.say("Are you still there?", more=["--continue"])
        self.assert_told("Ferdinand of the lighthouse", told)

    def test_the_servers_tools_are_in_the_prompt_and_it_is_in_the_list(self):
        del self.environment["ENABLE_TOOL_SEARCH"]
        told = self.say("Hello there, which tools are there?")
        self.assertIn("mcp__loci__memory_write", json.dumps([t["name"] for r in self.model.requests for t in r.get("tools", [])]))
        self.assertIn("loci", self.run_agent(["claude", "mcp", "list"]))

    def test_the_plugin_is_valid(self):
        self.loci("connect", "--plugin", self.home / "plugin")
        self.run_agent(["claude", "plugin", "validate", str(self.home / "plugin")])


class Codex(Agent):
    name = "codex"
    files = (".codex/config.toml", ".codex/hooks.json")

    def prepare(self):
        (self.home / ".codex").mkdir()
        (self.home / ".codex/config.toml").write_text(
            'model_provider = "fake"\nmodel = "gpt-5"  # a comment\napproval_policy = "never"\n\n[model_providers.fake]\nname = "fake"\n'
            f'base_url = "{self.model.address}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n\n'
            f'[projects."{self.project}"]\ntrust_level = "trusted"\n')

    def words(self, text, more):
        return ["codex", "exec", "--json", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox", *more, text]

    def test_a_hook_that_is_not_trusted_is_told_about(self):
        self.assertIn("/hooks", subprocess.run([LOCI, "--vault", str(self.vault), "connect", "codex"], env=self.environment, cwd=self.project,
                                               capture_output=True, text=True).stderr)

    def test_remove_gives_back_what_there_was(self):
        super().test_remove_gives_back_what_there_was()
        self.assertFalse((self.home / ".codex/hooks.json").exists())


del Agent  # its tests are those of both

if __name__ == "__main__":
    unittest.main()
