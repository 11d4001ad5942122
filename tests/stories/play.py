#!/usr/bin/env python3
"""Plays a story to the real program, one sitting a call, and lets somebody else be the model.

    play.py --loci PROGRAM --dir DIR --sitting N [--story FILE] [--clock LIB] [--as-model COMMAND]
    play.py --loci PROGRAM --dir DIR --check [--story FILE]

A sitting: its facts come into the vault DIR/vault in the way that their `how` says; `loci consolidate --force` runs as long as
something is pending and gets less, three times at most; then follow the edits and forgets of the sitting.

Each request to the model becomes DIR/requests/N.request.json, and the program waits until N.answer.txt beside it has the answer:
the system message is the prompt, the user message the data, the answer one JSON object. --as-model COMMAND is started instead for
each request, with the file as its last argument; what it prints is the answer. Whoever answers must not look at `truth`.
--clock LIB (libfaketime.so.1) makes the program believe that it is the last day of the sitting.

--check prints the entries and, topic by topic, what they have to say; it exits 1 if a word stands that may stand nowhere, or if
one was sent that may not be. The rest is for a reader: points for `say`, faults for what stands as if it were so now.

A story has `facts`, in the order in which they arrive (`date` is the day on which they were said, which may be earlier), `truth`,
and `ends`, the last moment of each sitting. how: add, type (by hand into the day's file), remember (as an agent does), correct (the
fact `of`), edit (`find` becomes `text` in the entry that rests on `of`), forget (`of`).
"""
import argparse
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

FOLDER = pathlib.Path(__file__).resolve().parent


class Program:
    """The program with a home of its own in DIR."""

    def __init__(self, loci, folder, clock=None):
        self.loci, self.folder, self.clock = str(pathlib.Path(loci).resolve()), pathlib.Path(folder).resolve(), clock
        self.vault = self.folder / "vault"
        for one in ("home", "state", "config/loci", "requests"):
            (self.folder / one).mkdir(parents=True, exist_ok=True)
        (self.folder / "runtime").mkdir(mode=0o700, exist_ok=True)

    def __call__(self, *words, at=None, stdin=None, fine=(0,)):
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("LOCI_", "XDG_"))}
        environment = {**kept, "HOME": str(self.folder / "home"), "XDG_STATE_HOME": str(self.folder / "state"), "NO_COLOR": "1",
                       "XDG_CONFIG_HOME": str(self.folder / "config"), "XDG_RUNTIME_DIR": str(self.folder / "runtime"),
                       "LOCI_VAULT": str(self.vault)}
        if self.clock and at:
            environment.update(LD_PRELOAD=self.clock, FAKETIME="@" + at, DONT_FAKE_MONOTONIC="1")
        done = subprocess.run([self.loci, *words], env=environment, input=stdin, capture_output=True, text=True)
        if done.returncode not in fine:
            raise RuntimeError(f"loci {' '.join(words)} ({done.returncode}): {done.stderr or done.stdout}")
        return done.stdout

    def configure(self, text):
        (self.folder / "config/loci/config.toml").write_text(text)

    def entries(self):
        listed = json.loads(self("--json", "list", "--limit", "10000"))["entries"]
        return [entry for entry in listed if entry["file"].startswith("consolidated/")]

    def facts(self):
        return json.loads(self("--json", "status"))["facts"]


class Player:
    def __init__(self, program, story):
        self.loci, self.story = program, story
        self.ids_file = program.folder / "ids.json"
        self.ids = json.loads(self.ids_file.read_text()) if self.ids_file.exists() else {}  # label -> id

    def play(self, sitting):
        """What the runs of the sitting printed."""
        end = self.story["ends"][str(sitting)]
        if not self.loci.vault.exists():
            self.loci("init", str(self.loci.vault), at=self.story["facts"][0]["date"] + " 08:00:00")
            self.loci("config", "privacy.never_send", json.dumps([self.story["private"]]))
        events = [event for event in self.story["facts"] if event["sitting"] == sitting]
        for event in events:
            if event.get("after") != "consolidation":
                self.put_in(event, f"{event['date']} {event['time']}:00")
        said = self.consolidate(end)
        for event in events:
            if event.get("after") == "consolidation":
                self.put_in(event, end)
        self.ids_file.write_text(json.dumps(self.ids))
        return said

    def consolidate(self, at):
        said, before = "", None
        for _ in range(3):
            said += self.loci("consolidate", "--force", at=at, fine=(0, 6))
            pending = self.loci.facts()["pending"]
            if pending == 0 or pending == before:
                break
            before = pending
        return said

    def put_in(self, event, at):
        how, label, text = event["how"], event["n"], event["text"]
        if how == "add":
            line = {"text": text, "source": event["source"], "at": f"{event['date']}T{event['time']}:00Z", "tags": event["tags"]}
            line.update({"project": event["project"]} if "project" in event else {})
            self.ids[label] = self.loci("add", "--jsonl", "-", at=at, stdin=json.dumps(line) + "\n").split()[0]
        elif how == "remember":
            request = {"action": "add", "layer": "L1", "content": text}
            self.ids[label] = self.loci("remember", at=at, stdin=json.dumps(request)).split()[0]
        elif how == "correct":
            self.ids[label] = (self.loci("correct", self.ids[event["of"]], text, at=at).split() or [""])[0]
        elif how == "forget":
            self.loci("forget", self.ids[event["of"]], at=at)
        elif how == "type":
            with open(self.loci.vault / f"archive/{event['date']}.md", "a") as day:
                day.write(f"\n{text}\n")
        elif how == "edit":
            self.edit(event)
        else:
            raise ValueError(f"{label}: nobody knows how to '{how}'")

    def edit(self, event):
        for file in sorted((self.loci.vault / "consolidated").glob("*.md")):
            lines = file.read_text().splitlines(keepends=True)
            for i, line in enumerate(lines):
                if event["find"] in line and not line.startswith("<!--m"):
                    lines[i] = line.replace(event["find"], event["text"])
                    file.write_text("".join(lines))
                    return
        print(f"{event['n']}: no entry has '{event['find']}'; edit it by hand: {event['text']}", file=sys.stderr)


def is_said(word, text):
    """As a word of its own: an id or a hash may have the same four digits anywhere. What is sent is JSON, so a line end is `\\n` there."""
    return re.search(rf"(?:(?<![0-9A-Za-z])|(?<=\\n)){re.escape(word)}(?![0-9A-Za-z])", text) is not None


def faults(program, story, sent):
    """[(topic, what)]: words that stand where they may not."""
    texts = "\n".join(entry["text"] for entry in program.entries())
    found = []
    for row in story["truth"]:
        found += [(row["topic"], f"'{word}' still stands") for word in row.get("not_at_all", []) if word.lower() in texts.lower()]
        found += [(row["topic"], f"'{word}' was sent") for word in row.get("never_sent", []) if is_said(word, sent)]
    return found


def serve(folder, command):
    """A model whose answers are files, or what a command prints. Its port."""
    lock = threading.Lock()

    class Model(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            with lock:
                number = len(list(folder.glob("*.request.json"))) + 1
                request = folder / f"{number}.request.json"
                request.write_bytes(body)
            answer = folder / f"{number}.answer.txt"
            if command:
                answer.write_text(subprocess.run([*command.split(), str(request)], capture_output=True, text=True).stdout)
            while not answer.exists():
                time.sleep(0.2)
            time.sleep(0.1)
            message = {"role": "assistant", "content": answer.read_text(), "refusal": None}
            tokens = len(body) // 4
            reply = json.dumps({"id": "c", "object": "chat.completion", "created": 0, "model": "story",
                                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                                "usage": {"prompt_tokens": tokens, "completion_tokens": len(message["content"]) // 4,
                                          "total_tokens": tokens}}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loci", required=True)
    parser.add_argument("--dir", required=True)
    parser.add_argument("--story", default=FOLDER / "company.json", type=pathlib.Path)
    parser.add_argument("--sitting", type=int)
    parser.add_argument("--clock")
    parser.add_argument("--as-model")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    program, story = Program(options.loci, options.dir, options.clock), json.loads(options.story.read_text())
    requests = program.folder / "requests"
    if options.check:
        print("\n".join(f"- {entry['text']}" for entry in program.entries()) + "\n")
        for row in story["truth"]:
            print(f"{row['topic']}: {'; '.join(row['say'])}" + "".join(f"\n    not as current: {w}" for w in row["not_as_current"]))
        found = faults(program, story, "\n".join(file.read_text() for file in requests.glob("*.request.json")))
        for topic, what in found:
            print(f"!! {topic}: {what}")
        print(f"facts: {program.facts()}")
        return 1 if found else 0
    if str(options.sitting) not in story["ends"]:
        parser.error("which sitting? " + ", ".join(story["ends"]))
    port = serve(requests, options.as_model)
    program.configure(f'[consolidation]\nmodel = "story"\n[models.story]\nprovider = "openai"\nmodel = "m"\n'
                      f'base_url = "http://127.0.0.1:{port}/v1"\ntimeout_seconds = 86400\nmax_tokens_a_day = 50000000\n')
    print(Player(program, story).play(options.sitting).strip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
