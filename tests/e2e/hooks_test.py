"""What an agent's hooks do: from outside, with an agent that is only its JSON. usage: hooks_test.py LOCI"""
import contextlib
import datetime
import itertools
import json
import os
import pathlib
import resource
import socket
import subprocess
import threading
import time
import unittest

from daemon_case import DaemonCase
from mcp_client import OverStdio
from running_daemon import until
from world import SLOWNESS, EndToEnd

DEADLINE = 60 * SLOWNESS
# Whom a hook waits for says nothing at all: it returns because it gave up. How soon is measured in bench/.
LONG_BEFORE_AN_AGENT_GIVES_UP = 10 * SLOWNESS


class Hooks:
    """What both kinds of tests do: call a hook as an agent does, and wait for what becomes of it."""

    def setUp(self):
        super().setUp()
        self.addCleanup(self.wait_for_what_hooks_left_behind)

    def wait_for_what_hooks_left_behind(self):
        """A hook goes on in the background, under the same words."""
        def goes_on(process):
            try:
                words = (process / "cmdline").read_bytes()
                return b"\0hook\0" in words and str(self.world.scratch).encode() in words + (process / "environ").read_bytes()
            except OSError:
                return False
        end = time.monotonic() + DEADLINE
        while any(goes_on(process) for process in pathlib.Path("/proc").glob("[0-9]*")) and time.monotonic() < end:
            time.sleep(0.02)

    def hook(self, event, session="s1", code=0, words=None, stdin=None, file_limit=None, **fields):
        """What the hook prints. It has to exit 0, and say nothing if it says anything else than JSON."""
        given = {"session_id": session, "cwd": str(self.world.scratch), **fields}
        command = words or self.world.command("hook", event)
        limit = None if file_limit is None else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))
        began = time.monotonic()
        done = subprocess.run(command, env=self.world.environment, capture_output=True, text=True, preexec_fn=limit,
                              input=json.dumps(given) if stdin is None else stdin, timeout=60 * SLOWNESS)
        self.took = time.monotonic() - began
        self.assertEqual(done.returncode, code, done.stderr)
        self.errors = done.stderr
        return json.loads(done.stdout) if done.stdout else None

    def asked(self, event, text, **fields):
        """Until the answer says this: on a busy machine a hook gives up, and says nothing."""
        end = time.monotonic() + DEADLINE
        for count in itertools.count():
            answer = self.hook(event, prompt_id=f"p{count}", **dict(fields, session=f"{fields.get('session', 's')}-{count}"))
            if answer and text in answer["hookSpecificOutput"]["additionalContext"]:
                return answer["hookSpecificOutput"]
            if time.monotonic() > end:
                break
        self.fail(f"{event} never said {text!r}, but {answer}")

    def turn(self, prompt, answer, session="s1", prompt_id="p1"):
        self.hook("user-prompt-submit", session, prompt=prompt, prompt_id=prompt_id)
        self.hook("stop", session, last_assistant_message=answer, prompt_id=prompt_id)

    def archived(self):
        return "\n".join(file.read_text() for file in sorted(self.world.vault.glob("archive/**/*.md")) if file.is_file())

    def sessions_that_wait(self):
        sessions = []
        for file in self.world.scratch.glob("state/loci/*/spool/*.json"):
            with contextlib.suppress(FileNotFoundError):  # stored at this moment
                sessions.append(json.loads(file.read_text())["session"])
        return "waiting: " + ", ".join(sorted(sessions))

    def wait_until_stored(self):
        """Nothing waits any more, and whoever stored it is done with the index too."""
        end = time.monotonic() + DEADLINE
        while any(self.world.scratch.glob("state/loci/*/spool/*.json")):
            self.assertLess(time.monotonic(), end, "hooks have enqueued something that nobody stores")
            time.sleep(0.02)
        self.world.run("status", "--wait")

    def wait_for(self, text, read=None):
        end = time.monotonic() + DEADLINE
        while text not in (read or self.archived)():
            self.assertLess(time.monotonic(), end, f"{text!r} is not there:\n{(read or self.archived)()}")
            time.sleep(0.02)


class GivesContext(Hooks):
    """What has to hold with a daemon and without."""

    def test_a_conversation_begins_with_who_the_user_is(self):
        self.world.write("user.md", "# User\n\nName: Ferdinand\n")
        self.world.run("reindex")
        answer = self.asked("session-start", "Name: Ferdinand", source="startup", hook_event_name="SessionStart")
        self.assertEqual(set(answer), {"hookEventName", "additionalContext"})
        self.assertEqual(answer["hookEventName"], "SessionStart")
        self.asked("session-start", "Name: Ferdinand", source="compact", hook_event_name="SessionStart")

    def test_a_message_is_given_what_concerns_it_and_another_one_nothing(self):
        self.world.add("The ferry to Norderney leaves at half past seven.")
        answer = self.asked("user-prompt-submit", "half past seven", prompt="When does the ferry to Norderney leave?", hook_event_name="BeforeAgent")
        self.assertEqual(answer["hookEventName"], "BeforeAgent")
        self.assertIsNone(self.hook("user-prompt-submit", prompt="Please translate zebra into French.", prompt_id="q"))

    def test_no_answer_is_longer_than_agents_take(self):
        self.world.write("MEMORY.md", "# Memory\n\n" + "".join(f"- Line {i}: ä {'x' * 60}\n" for i in range(400)))
        self.world.run("reindex")
        answer = self.asked("session-start", "Line 1:", source="startup")
        self.assertLessEqual(len(answer["additionalContext"].encode()), 9500)

    def test_in_a_pause_and_for_no_memory_nothing_is_given(self):
        self.world.add("The ferry to Norderney leaves at half past seven.")
        self.asked("user-prompt-submit", "half past seven", prompt="When does the ferry to Norderney leave?")
        self.assertIsNone(self.hook("user-prompt-submit", prompt="When does the ferry to Norderney leave? #nomemory", prompt_id="q"))
        self.world.run("pause")
        self.assertIsNone(self.hook("user-prompt-submit", prompt="When does the ferry to Norderney leave?", prompt_id="r"))
        self.assertIsNone(self.hook("session-start", source="startup"))


class ContextWithoutDaemon(GivesContext, EndToEnd):
    pass


class ContextWithDaemon(GivesContext, DaemonCase):
    def setUp(self):
        super().setUp()
        self.daemon()


class WithoutDaemon(Hooks, EndToEnd):
    def test_what_was_said_is_in_the_archive_without_any_further_command(self):
        self.turn("My bike is green.", "A fine colour.")
        self.wait_for("My bike is green.")
        self.wait_for("A fine colour.")
        self.wait_until_stored()
        shown = self.world.json("session", "s1")
        self.assertEqual([(e["role"], e["source"]) for e in shown["entries"]], [("user", "user"), ("assistant", "agent")])

    def test_a_command_takes_in_what_still_waits(self):
        self.hook("user-prompt-submit", prompt="first", prompt_id="p0")
        self.wait_until_stored()
        spool = next(self.world.scratch.glob("state/loci/*/spool"))
        (spool / "01.json").write_text(json.dumps({"what": "turn", "session": "s1", "message": "p1", "user": "waits", "told_by": "user"}))
        self.assertIn("waits", self.world.texts("--layer", "L2"))
        self.assertEqual(list(spool.iterdir()), [])

    def test_the_end_of_a_session_is_summed_up(self):
        self.turn("My bike is green.", "A fine colour.")
        self.hook("session-end", reason="other")
        self.wait_for("session-summary")

    def test_status_says_that_memory_is_paused(self):
        self.assertNotIn("paused", self.world.run("status"))
        self.world.run("pause", "--for", "2h")
        self.assertIn("paused until 2", self.world.run("status"))
        self.world.run("resume")
        self.assertNotIn("paused", self.world.run("status"))

    def test_a_text_that_was_cut_within_a_character_is_stored_without_its_half(self):
        for event, field in (("user-prompt-submit", "prompt"), ("stop", "last_assistant_message")):
            self.hook(event, stdin='{"session_id":"s1","cwd":"/tmp","prompt_id":"p1","%s":"Cut within %s \\ud83d"}' % (field, event))
        self.wait_until_stored()
        self.assertIn("Cut within user-prompt-submit \ufffd", self.archived())
        self.assertIn("Cut within stop \ufffd", self.archived())

    def test_pause_and_no_memory_keep_words_out(self):
        self.turn("The gift is a telescope. #nomemory", "I say nothing of the telescope.")
        self.world.run("pause", "--for", "2h")
        self.turn("A secret recipe.", "Noted, the recipe.", prompt_id="p2")
        self.world.run("resume")
        self.turn("An open word.", "Heard.", prompt_id="p3")
        self.wait_for("Heard.")
        for word in ("telescope", "recipe"):
            self.assertEqual(self.world.files_that_hold(word), [])

    def test_what_is_asked_for_context_in_a_pause_is_noted_nowhere(self):
        self.world.add("The ferry leaves at half past seven.")
        server = OverStdio(self.world)
        self.addCleanup(server.end)
        server.call("memory_context", query="When does the ferry leave from the jetty?")
        self.assertNotEqual(self.world.files_that_hold("jetty"), [], "else this proves nothing")
        self.world.run("pause")
        server.call("memory_context", query="When does the ferry reach the lighthouse?")
        self.world.run("context", "--query", "When does the ferry reach the lighthouse?")
        self.world.run("resume")
        server.call("memory_context", query="When does the ferry reach the lighthouse? #nomemory")
        self.assertEqual(self.world.files_that_hold("lighthouse"), [])

    def test_the_same_words_of_an_agent_without_ids_are_one_turn_until_they_are_answered(self):
        for asked in ("Go on.", "And the tests?", "And the tests?"):
            for _ in range(2):  # the hooks of its user and those of its project
                self.hook("user-prompt-submit", prompt=asked)
            for _ in range(2):
                self.hook("stop", last_assistant_message="Done.")
        for _ in range(2):
            self.hook("user-prompt-submit", prompt="Go on. #nomemory")
        for _ in range(2):
            self.hook("stop", last_assistant_message="Done.")
        self.hook("user-prompt-submit", prompt="Go on. #nomemory")
        self.world.run("remember", '{"content":"It went on.","session":"s1"}', code=5)
        self.hook("stop", last_assistant_message="Done.")
        self.world.run("remember", '{"content":"It went on.","session":"s1"}')
        self.wait_until_stored()
        said = [(entry["turn"], entry["text"]) for entry in self.world.json("session", "s1")["entries"] if entry["kind"] == "turn"]
        self.assertEqual(sorted(said), [(0, "Done."), (0, "Go on."), (1, "And the tests?"), (1, "Done."), (2, "And the tests?"), (2, "Done.")])

    def test_a_turn_with_no_memory_goes_on_where_another_hook_may_have_the_agent_go_on(self):
        settings = self.world.scratch / ".claude/settings.json"
        settings.parent.mkdir()
        settings.write_text('{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "run-the-tests"}]}]}}')
        self.turn("The gift is a telescope. #nomemory", "First the tests.")
        self.world.run("remember", '{"content":"The gift is a telescope.","session":"s1"}', code=5)
        self.turn("And now?", "Nothing.", prompt_id="p2")
        self.world.run("remember", '{"content":"It is raining.","session":"s1"}')

    def test_while_it_is_paused_an_agent_does_not_write_on_the_command_line_either(self):
        wanted = '{"content":"The gift is a telescope.","session":"s1"}'
        for pause in (["pause"], ["pause", "s1"]):
            self.world.run(*pause)
            self.world.run("remember", wanted, code=5)
            self.assertIn("paused", self.world.messages)
            self.world.run("resume")
        self.assertEqual(self.world.files_that_hold("telescope"), [])
        self.world.run("remember", wanted)

    def test_until_a_turn_with_no_memory_is_over_no_agent_writes_it_down_nor_is_its_search_noted(self):
        server = OverStdio(self.world)
        self.addCleanup(server.end)
        self.hook("user-prompt-submit", prompt="The gift is a telescope. #nomemory", prompt_id="p1")
        refused = server.call("memory_write", content="The gift is a telescope.")
        self.assertTrue(refused["isError"])
        self.assertIn("nothing was written", refused["content"][0]["text"])
        server.call("memory_search", query="telescope")
        self.world.run("search", "telescope")
        self.world.run("remember", '{"content":"The gift is a telescope."}', code=5)
        self.assertEqual(self.world.files_that_hold("telescope"), [])
        self.hook("stop", last_assistant_message="I say nothing of the telescope.", prompt_id="p1")
        self.assertFalse(server.call("memory_write", content="An open word.").get("isError"))
        self.assertEqual(self.world.files_that_hold("telescope"), [])

    def test_a_mark_behind_what_an_entry_may_hold_counts(self):
        self.turn("A line of a log.\n" * 80_000 + "#nomemory please", "Nothing of it.")
        self.turn("An open word.", "Heard.", prompt_id="p2")
        self.wait_for("Heard.")
        # On a busy machine the answer is told before the hook of so long a prompt has read it, and waits until that is known.
        until(lambda: self.world.files_that_hold("Nothing of it.") == [])
        self.assertEqual(self.world.files_that_hold("A line of a log."), [])
        self.assertEqual(self.world.files_that_hold("Nothing of it."), [])

    def test_an_answer_to_words_that_nobody_knows_is_not_stored(self):
        self.hook("stop", last_assistant_message="Who asked?", prompt_id="p0")
        self.turn("An open word.", "Heard.")
        self.wait_for("Heard.")
        self.assertNotIn("Who asked?", self.archived())  # it waits for its prompt, which may ask for no memory

    def test_an_answer_that_comes_before_its_prompt_is_stored_with_it(self):
        self.hook("stop", last_assistant_message="A fine colour.", prompt_id="p1")
        self.hook("stop", last_assistant_message="Under the mat.", prompt_id="p2")
        self.hook("user-prompt-submit", prompt="My bike is green.", prompt_id="p1")
        self.hook("user-prompt-submit", prompt="Where is the key? #nomemory", prompt_id="p2")
        self.wait_for("A fine colour.")
        self.wait_until_stored()
        self.assertEqual(self.world.files_that_hold("Under the mat."), [])

    def test_two_prompts_of_one_moment_are_two_though_the_agent_gives_no_ids(self):
        self.hook("user-prompt-submit", prompt="The first word.")
        self.hook("user-prompt-submit", prompt="The second word. #nomemory")
        self.hook("stop", last_assistant_message="To the second.")
        self.hook("user-prompt-submit", prompt="The third word.")
        self.hook("stop", last_assistant_message="To the third.")
        self.wait_for("To the third.")
        self.assertIn("The first word.", self.archived())
        for words in ("The second word.", "To the second."):
            self.assertEqual(self.world.files_that_hold(words), [])

    def test_a_conversation_that_cannot_be_stored_holds_up_no_other(self):
        today = datetime.datetime.now(datetime.timezone.utc)
        for day in (today, today + datetime.timedelta(days=1)):
            (self.world.vault / f"archive/sessions/{day:%Y-%m-%d}-stuck.md").mkdir(parents=True)
        self.turn("Where do I go?", "Nowhere.", session="stuck")
        self.turn("An open word.", "Heard.", session="free")
        self.wait_for("Heard.")
        self.wait_for("waiting: stuck, stuck", self.sessions_that_wait)

    def test_a_repository_that_was_cloned_is_not_the_memory(self):
        clone = self.world.scratch / "clone"
        (clone / ".loci").mkdir(parents=True)
        self.hook("stop", cwd=str(clone), words=[self.world.command()[0], "hook", "stop"], last_assistant_message="x", prompt_id="p")
        self.assertEqual(sorted(p.name for p in clone.iterdir()), [".loci"])
        self.assertEqual(list((clone / ".loci").iterdir()), [])

    def test_a_folder_of_an_agent_may_have_a_vault_of_its_own_or_none(self):
        other = self.world.scratch / "other"
        other.mkdir()
        for name in ("work", "off"):
            (self.world.scratch / name).mkdir()
        self.world.run("config", f"agents.vaults.{self.world.scratch}/work", str(other))
        self.world.run("config", f"agents.vaults.{self.world.scratch}/off", "off")
        self.hook("user-prompt-submit", cwd=str(self.world.scratch / "work"), prompt="For work.", prompt_id="p1")
        self.hook("user-prompt-submit", cwd=str(self.world.scratch / "off"), prompt="For nobody.", prompt_id="p2")
        self.wait_for("For work.", lambda: "\n".join(f.read_text() for f in other.glob("archive/**/*.md")))
        self.assertEqual(self.world.files_that_hold("For nobody."), [])


class FailsOpen(Hooks, EndToEnd):
    def assert_silent(self, event="user-prompt-submit", **options):
        self.assertIsNone(self.hook(event, prompt="x", **options))
        self.assertLess(self.took, LONG_BEFORE_AN_AGENT_GIVES_UP)

    def test_wrong_words_and_wrong_json_are_no_reason_to_stop_an_agent(self):
        loci = self.world.command()[0]
        for words in (["hook"], ["hook", "nothing"], ["hook", "stop", "--unknown"], ["hook", "stop", "more"], ["--vault", "/none", "hook", "stop"]):
            self.assert_silent(words=[loci, *words])
        for text in ("", "[]", "{", "x" * 100, json.dumps({"session_id": 7})):
            self.assert_silent(stdin=text)
            trouble = next((self.world.scratch / "state").glob("loci/*/hooks/trouble.log"))
            self.assertIn("user-prompt-submit", trouble.read_text())
            trouble.unlink()

    def test_a_vault_that_is_gone(self):
        self.world.vault.rename(self.world.scratch / "moved")
        self.assert_silent()
        self.assertFalse(self.world.vault.exists())

    def test_broken_settings(self):
        config = self.world.scratch / "config/loci/config.toml"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text("broken [")
        self.assert_silent()

    def test_a_state_folder_that_cannot_be_written(self):
        state = self.world.scratch / "state"
        if os.geteuid() == 0:
            state.exists() or state.mkdir()
            for child in state.iterdir():
                child.rename(self.world.scratch / "aside")
            state.rmdir()
            state.write_text("")
        else:
            state.chmod(0o500)
        answer = self.hook("user-prompt-submit", prompt="x")
        self.assertLess(self.took, LONG_BEFORE_AN_AGENT_GIVES_UP)
        if answer is None:  # what may not be written can be read: it waits in the vault
            self.assertEqual(len(list((self.world.vault / ".loci/spool").glob("*.json"))), 1)
        else:  # and what cannot be read might say that it is not to be remembered
            self.assertIn("could not store what was said", answer["systemMessage"])
        said_of_prompt = answer
        answer = self.hook("stop", last_assistant_message="y")
        self.assertLess(self.took, LONG_BEFORE_AN_AGENT_GIVES_UP)
        if answer is None:
            self.assertIsNone(said_of_prompt)
            self.assertEqual(len(list((self.world.vault / ".loci/spool").glob("*.json"))), 2)
        else:
            self.assertIn("could not store what was said", answer["systemMessage"])

    def test_a_state_folder_that_takes_nothing_of_a_turn(self):
        self.world.run("status")
        state = next(p for p in (self.world.scratch / "state/loci").iterdir() if p.name not in ("claims", "connections"))
        for name in ("spool", "hooks", "turns"):
            (state / name).exists() and (state / name).rename(self.world.scratch / name)
            (state / name).symlink_to(self.world.scratch / "nowhere" / name)
        for ids in ({"prompt_id": "p1"}, {}):
            self.hook("user-prompt-submit", prompt=f"My bike is green {ids}.", **ids)
            self.hook("stop", last_assistant_message=f"Noted {ids}.", **ids)
            self.assertEqual(self.errors, "")
        waiting = [json.loads(file.read_text()) for file in (self.world.vault / ".loci/spool").glob("*.json")]
        self.assertEqual(len(waiting), 4, waiting)
        self.assertEqual(len({item["message"] for item in waiting}), 2)

    def test_a_full_disk(self):
        for agent in ({"prompt_id": "p"}, {"turn_id": "t", "model": "m"}):
            for event, said in (("user-prompt-submit", {"prompt": "x"}), ("stop", {"last_assistant_message": "y"}), ("session-end", {})):
                answer = self.hook(event, **said, **agent, file_limit=0)
                end = time.monotonic() + DEADLINE
                while not self.errors and time.monotonic() < end:  # on a busy machine it gave up, and said nothing
                    answer = self.hook(event, **said, **agent, file_limit=0)
                self.assertIn("could not store what was said", self.errors)
                if "model" in agent:  # it takes nothing that it does not know
                    self.assertNotIn("systemMessage", json.dumps(answer))
                else:
                    self.assertIn("could not store what was said", answer["systemMessage"])
        self.assertLess(self.took, LONG_BEFORE_AN_AGENT_GIVES_UP)

    def test_an_agent_that_never_closes_its_end(self):
        began = time.monotonic()
        process = self.world.start("hook", "stop", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertLess(time.monotonic() - began, LONG_BEFORE_AN_AGENT_GIVES_UP)
        self.assertEqual(process.stdout.read(), "")
        process.stdin.close()
        process.stdout.close()

    def test_what_an_agent_says_after_its_hook_gave_up_waiting_is_stored_all_the_same(self):
        for event, words, said in (("user-prompt-submit", {"prompt": "My bike is green."}, 0), ("stop", {"last_assistant_message": "Noted."}, 9)):
            with self.world.start("hook", event, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
                told = json.dumps({"session_id": "s1", "cwd": str(self.world.scratch), "prompt_id": "p1", **words})
                process.stdin.write(told[:said])
                process.stdin.flush()
                self.assertEqual(process.wait(timeout=60), 0)
                process.stdin.write(told[said:])
            self.wait_for(*words.values())

    def test_what_an_agent_says_to_a_hook_that_was_called_before_a_pause_is_stored_and_the_rest_is_not(self):
        told = {"session_id": "s1", "cwd": str(self.world.scratch)}
        with self.world.start("hook", "user-prompt-submit", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            self.assertEqual(process.wait(timeout=60), 0)
            self.world.run("pause")
            process.stdin.write(json.dumps({**told, "prompt_id": "p1", "prompt": "My bike is green."}))
        self.wait_for("My bike is green.")
        self.hook("stop", prompt_id="p1", last_assistant_message="A fine colour.")
        self.hook("user-prompt-submit", prompt_id="p2", prompt="The gift is a telescope.")
        self.wait_until_stored()
        for words in ("A fine colour.", "telescope"):
            self.assertEqual(self.world.files_that_hold(words), [])

    def in_the_place_of_the_daemon(self, answer):
        """Listens where the daemon would; `answer` is called with each connection."""
        runtime = self.world.scratch / "run"
        self.hook("session-start")
        vault_id = next(p for p in (self.world.scratch / "state/loci").iterdir() if p.name != "claims").name
        (runtime / "loci").mkdir(parents=True, mode=0o700)
        runtime.chmod(0o700)
        self.world.environment["XDG_RUNTIME_DIR"] = str(runtime)
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(str(runtime / "loci" / f"{vault_id}.sock"))
        listener.listen()
        taken = []

        def serve():
            with contextlib.suppress(OSError):  # of the cleanup, or of a hook that has gone
                while True:
                    taken.append(listener.accept()[0])
                    with contextlib.suppress(OSError):
                        answer(taken[-1])
        threading.Thread(target=serve, daemon=True).start()
        return taken

    def test_a_socket_that_takes_a_question_and_says_nothing(self):
        self.in_the_place_of_the_daemon(lambda connection: None)
        self.assert_silent(prompt_id="p1")
        self.wait_for("x")  # stored all the same

    def test_what_a_strange_program_answers_in_the_place_of_the_daemon_goes_to_no_agent(self):
        said = json.dumps({"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "STRANGE"}}).encode()

        def head(length):
            return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Loci-Proof: 00\r\nContent-Length: %d\r\n\r\n" % length

        def drip(connection):
            connection.sendall(head(len(said)))
            for byte in said:
                connection.sendall(bytes([byte]))
                time.sleep(0.01)
        ways = {"an answer": lambda c: c.sendall(head(len(said)) + said), "drops": drip, "half of it": lambda c: c.sendall(head(10**9) + said),
                "no HTTP": lambda c: c.sendall(b"STRANGE\n" * 1000), "hangs up": lambda c: c.close(),
                "its own words": lambda c: c.sendall(head(4) + c.recv(4)), "a page": lambda c: c.sendall(b"HTTP/1.0 200 OK\r\n\r\n<h1>STRANGE</h1>")}
        way = [None]
        taken = self.in_the_place_of_the_daemon(lambda connection: ways[way[0]](connection))
        for number, name in enumerate(ways):
            way[0] = name
            for event in ("user-prompt-submit", "stop", "session-start"):
                answer = self.hook(event, prompt_id=f"p{number}", prompt=f"asked {number}", last_assistant_message=f"said {number}",
                                   source=name)
                self.assertNotIn("STRANGE", json.dumps(answer) + self.errors, name)
        for number in range(len(ways)):
            self.wait_for(f"said {number}")
        self.assertTrue(taken, "nobody has asked")


class WithDaemon(Hooks, DaemonCase):
    def test_the_daemon_stores_what_was_said_and_sums_it_up(self):
        self.daemon()
        self.turn("My bike is green.", "A fine colour.")
        self.wait_for("A fine colour.")
        self.hook("session-end")
        self.wait_for("session-summary")
        self.wait_until_stored()

    def test_what_the_state_folder_does_not_take_waits_in_the_vault(self):
        self.world.run("status")
        state = next(p for p in (self.world.scratch / "state/loci").iterdir() if p.name not in ("claims", "connections"))
        (state / "spool").write_text("in the way")
        self.hook("user-prompt-submit", prompt="My bike is green.", prompt_id="p1")
        self.assertEqual(self.errors, "")
        self.wait_for_what_hooks_left_behind()
        [waiting] = (self.world.vault / ".loci/spool").glob("*.json")
        self.assertEqual(waiting.stat().st_mode & 0o777, 0o600)
        (state / "spool").unlink()
        self.turn("And my car is red.", "Noted.", prompt_id="p2")
        self.wait_for("My bike is green.")
        self.wait_for("And my car is red.")
        self.wait_until_stored()
        self.assertEqual(list((self.world.vault / ".loci/spool").glob("*.json")), [])

    def test_a_full_disk_keeps_no_memory_from_the_agent(self):
        self.daemon()
        self.world.add("The ferry to Norderney leaves at half past seven.")
        self.asked("user-prompt-submit", "half past seven", prompt="When does the ferry to Norderney leave?", file_limit=0)

    def test_an_agent_may_post_its_events_itself(self):
        self.daemon()
        self.world.add("The ferry to Norderney leaves at half past seven.")
        answer = self.post("user-prompt-submit", session_id="s9", prompt_id="p1", prompt="When does the ferry to Norderney leave?")
        self.assertIn("half past seven", answer["hookSpecificOutput"]["additionalContext"])
        self.assertEqual(self.post("stop", session_id="s9", prompt_id="p1", last_assistant_message="At half past seven."), {})
        self.wait_for("At half past seven.")
        self.assertEqual({e["source"] for e in self.world.json("session", "s9")["entries"]}, {"agent"})
        self.assertIn("error", self.post("nothing", session_id="s9"))

    def post(self, event, **fields):
        """As a program that is not the command line."""
        body = json.dumps(fields).encode()
        name = next(self.world.scratch.glob("state/loci/*/daemon.sock"))
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(name))
            connection.sendall(f"POST /hooks/{event} HTTP/1.1\r\nHost: loci\r\nConnection: close\r\nContent-Type: application/json\r\n"
                               f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
            answer = b""
            while part := connection.recv(65536):
                answer += part
        return json.loads(answer.split(b"\r\n\r\n", 1)[1])

    def test_what_waited_while_there_was_no_daemon_is_stored_when_one_starts(self):
        self.hook("user-prompt-submit", prompt="first", prompt_id="p0")
        self.wait_for("first")
        spool = next(self.world.scratch.glob("state/loci/*/spool"))
        (spool / "01.json").write_text(json.dumps({"what": "turn", "session": "s1", "message": "p1", "user": "waits", "told_by": "user"}))
        self.daemon()
        self.wait_for("waits")


if __name__ == "__main__":
    unittest.main()
