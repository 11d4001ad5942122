"""Two agents and a person who write at once, with a daemon: one agent over MCP on standard input with hooks, one over HTTP with hooks,
a person who adds, edits and forgets on the command line and writes a note by hand. The daemon is killed now and then.

usage: soak_agents.py LOCI [--minutes M] [--seed N]

In the end everything that was acknowledged is there, once, in its last wording; what was forgotten is not; every prompt and answer of
both conversations stands in the archive once.
"""
import argparse
import collections
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

OPTIONS = argparse.ArgumentParser(description=__doc__.split("\n")[0])
OPTIONS.add_argument("loci")
OPTIONS.add_argument("--minutes", type=float, default=0.4)
OPTIONS.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
CHOSEN = OPTIONS.parse_args()
sys.argv = [sys.argv[0], CHOSEN.loci]

import world  # noqa: E402  takes the program's name from the command line
from mcp_client import OverHttp, OverStdio  # noqa: E402
from running_daemon import RunningDaemon, until  # noqa: E402

KILL_EVERY = 20  # seconds
TURNS_OF_A_SESSION = 60
PATIENCE = 60  # seconds in which something that waits has to go on


class Wrong(Exception):
    pass


def free_port():
    import socket
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


class Writer(threading.Thread):
    """What one of them has done, and what has to be there for it."""

    def __init__(self, soak, name):
        super().__init__(name=name, daemon=True)
        self.soak, self.rng, self.count, self.done = soak, random.Random(f"{soak.seed} {name}"), 0, collections.Counter()
        self.texts, self.said, self.gone, self.unsure = {}, [], set(), set()  # id -> text; (role, text); texts
        self.trouble = None

    def text(self):
        self.count += 1
        return f"{self.name} number {self.count} is about {self.rng.choice(('boats', 'tea', 'mills', 'maps'))} and word{self.rng.getrandbits(40):x}."

    def run(self):
        try:
            while time.monotonic() < self.soak.end:
                act = self.rng.choice(self.acts())
                act()
                self.done[act.__name__] += 1
        except Exception as error:  # told in the end
            self.trouble = error


class AnAgent(Writer):
    def acts(self):
        return [self.add, self.add, self.update, self.remove, self.search, self.turn, self.turn, self.turn]

    def hook(self, event, **fields):
        told = {"session_id": f"session-{self.name}-{len(self.said) // TURNS_OF_A_SESSION // 2}", "cwd": str(self.soak.folder), **fields}
        done = subprocess.run(self.soak.world.command("hook", event), input=json.dumps(told), env=self.soak.world.environment,
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise Wrong(f"{self.name}: hook {event} ended with {done.returncode}: {done.stderr}")

    def turn(self):
        message, prompt, answer = f"{self.name}-{self.count}", self.text(), self.text()
        self.hook("user-prompt-submit", prompt_id=message, prompt=prompt)
        self.hook("stop", prompt_id=message, last_assistant_message=answer)
        self.said += [("user", prompt), ("assistant", answer)]

    def write(self, **arguments):
        """What was written; none if it is not known whether it was."""
        try:
            result = self.call("memory_write", **arguments)
        except (OSError, TypeError, ValueError):  # nobody listens: the daemon was killed
            return None
        if result.get("isError"):
            return result
        return result["structuredContent"]

    def add(self):
        text = self.text()
        written = self.write(action="add", content=text)
        if written is None or written.get("isError"):
            self.unsure.add(text)
        else:
            self.texts[written["id"]] = text

    def update(self):
        if not self.texts:
            return
        target = self.rng.choice(list(self.texts))
        before, text = self.texts.pop(target), self.text()
        written = self.write(action="update", target_id=target, content=text)
        if written is None or written.get("isError"):
            self.unsure |= {before, text}
        else:
            self.texts[written["id"]] = text
            self.gone.add(before)

    def remove(self):
        if not self.texts:
            return
        target = self.rng.choice(list(self.texts))
        text = self.texts.pop(target)
        written = self.write(action="remove", target_id=target)
        (self.unsure if written is None or written.get("isError") else self.gone).add(text)

    def search(self):
        try:
            self.call("memory_search", query="boats and tea")
            self.call("recent_conversations")
        except (OSError, TypeError, ValueError):
            pass


class OnStandardInput(AnAgent):
    def __init__(self, soak):
        super().__init__(soak, "Heron")
        self.client = OverStdio(soak.world)

    def call(self, tool, **arguments):
        return self.client.call(tool, **arguments)


class OnHttp(AnAgent):
    def __init__(self, soak):
        super().__init__(soak, "Stork")
        self.client = OverHttp(soak.port, soak.token())

    def call(self, tool, **arguments):
        return self.client.call(tool, **arguments)


class APerson(Writer):
    def __init__(self, soak):
        super().__init__(soak, "Maria")
        self.lines = []

    def acts(self):
        return [self.add, self.add, self.edit, self.forget, self.write_note]

    def command(self, *words):
        done = subprocess.run(self.soak.world.command(*words, "--json"), env=self.soak.world.environment, capture_output=True, text=True)
        return (done.returncode, json.loads(done.stdout) if done.stdout.startswith("{") else None)

    def add(self):
        text = self.text()
        status, told = self.command("add", text)
        if status == 0:
            self.texts[told["id"]] = text
        else:
            self.unsure.add(text)

    def edit(self):
        if not self.texts:
            return
        target = self.rng.choice(list(self.texts))
        before, text = self.texts.pop(target), self.text()
        status, told = self.command("correct", target, text)
        if status == 0:
            self.texts[told["id"]] = text
            self.gone.add(before)
        else:
            self.unsure |= {before, text}

    def forget(self):
        if not self.texts:
            return
        target = self.rng.choice(list(self.texts))
        text = self.texts.pop(target)
        status, _ = self.command("forget", target)
        (self.gone if status == 0 else self.unsure).add(text)

    def write_note(self):
        self.lines.append(self.text())
        note = self.soak.world.vault / "note.md"
        beside = note.with_suffix(".tmp")
        beside.write_text("".join(f"- {line}\n" for line in self.lines))
        os.replace(beside, note)


class Soak:
    def __init__(self, seed, minutes):
        self.seed, self.world = seed, world.World()
        self.folder = self.world.scratch / "project"
        self.folder.mkdir()
        self.port = free_port()
        configuration = self.world.scratch / "config" / "loci" / "config.toml"
        configuration.parent.mkdir(parents=True)
        configuration.write_text(f'[http]\nlisten = "127.0.0.1:{self.port}"\n')
        self.world.run("init", self.world.vault)
        self.daemon = RunningDaemon(self.world)
        self.end = time.monotonic() + minutes * 60
        self.writers = [OnStandardInput(self), OnHttp(self), APerson(self)]

    def token(self):
        return until(lambda: next((file.read_text().strip() for file in self.world.scratch.glob("state/loci/*/http-token")), None))

    def started_again(self):
        """As a service manager does it: a daemon that ends because a command is writing just then is started once more."""
        for _ in range(4):
            daemon = RunningDaemon(self.world, wait=False)
            if daemon.hears("READY=1"):
                return daemon
            if daemon.process.poll() != 1 or "another process is writing" not in daemon.logged()[-400:]:
                break
            daemon.close()
        raise Wrong(f"the daemon did not get ready:\n{daemon.logged()}")

    def run(self):
        rng = random.Random(self.seed)
        for writer in self.writers:
            writer.start()
        while time.monotonic() < self.end:
            time.sleep(min(KILL_EVERY * rng.uniform(0.5, 1.5), max(0, self.end - time.monotonic())))
            if time.monotonic() < self.end:
                self.daemon.stop(signal.SIGKILL)
                self.daemon = self.started_again()
        for writer in self.writers:
            writer.join(120 * world.SLOWNESS)
            if writer.trouble or writer.is_alive():
                raise Wrong(f"{writer.name}: {writer.trouble!r}")
        self.check()

    def spooled(self):
        return list(self.world.scratch.glob("state/loci/*/spool/*.json"))

    def check(self):
        self.world.run("hook", "stop", stdin=json.dumps({"session_id": "last", "cwd": str(self.folder)}))
        while waiting := len(self.spooled()):
            if not until(lambda: len(self.spooled()) < waiting, PATIENCE):
                raise Wrong(f"{waiting} files wait in the spool for ever")
        self.world.run("status", "--wait")
        listed = [json.loads(line) for line in self.world.run("list", "--jsonl").splitlines()]
        texts = collections.Counter(entry["text"] for entry in listed)
        by_id = {entry["id"]: entry["text"] for entry in listed}
        wrong = []
        for writer in self.writers:
            for identity, text in writer.texts.items():
                if by_id.get(identity) != text or texts[text] != 1:
                    wrong.append(f"{writer.name}: {identity} should say {text!r}, once: {by_id.get(identity)!r}, {texts[text]} times")
            wrong += [f"{writer.name}: {text!r} was removed and is there" for text in writer.gone if texts[text]]
            turns = collections.Counter((entry["role"], entry["text"]) for entry in listed if entry["kind"] == "turn")
            wrong += [f"{writer.name}: {said} stands {turns[said]} times" for said in writer.said if turns[said] != 1]
        wrong += [f"the note's {line!r} is there {texts[line]} times" for line in self.writers[2].lines if texts[line] != 1]
        if wrong:
            raise Wrong(f"{len(wrong)} are wrong:\n" + "\n".join(wrong[:20]))
        self.world.run("doctor")

    def tell(self):
        for writer in self.writers:
            print(f"{writer.name}: {dict(writer.done)}, {len(writer.texts)} stand, {len(writer.gone)} are gone, {len(writer.said)} were said, "
                  f"{len(writer.unsure)} are unsure")


def main():
    print(f"seed {CHOSEN.seed}", flush=True)
    soak = Soak(CHOSEN.seed, CHOSEN.minutes)
    try:
        soak.run()
    except Wrong as wrong:
        soak.tell()
        print(f"{wrong}\nkept: {soak.world.scratch}")
        sys.exit(1)
    finally:
        soak.daemon.close()
        for writer in soak.writers[:1]:
            writer.client.kill()
    soak.tell()
    soak.world.close()
    print("nothing was lost")


main()
