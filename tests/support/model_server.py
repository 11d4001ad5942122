#!/usr/bin/env python3
"""A language model that says what a script tells it to, over HTTP on loopback, in the shape of OpenAI (…/chat/completions),
Anthropic (…/messages) and Ollama (…/api/chat); and every fault that such a server can have.

    model_server.py [--port N] [--script FILE] [--log FILE] [--key KEY] [--tls PEM] [--with-stdin]

prints two lines: its port, and the port of "elsewhere", where its redirects lead. It checks every request as the provider would
(strict schema, headers, limits, the key if --key is given) and answers 400 or 401 if it is wrong. --with-stdin: it ends when its
standard input does, so that it never outlives a test.

The script is JSON, all of it optional:

    {"steps": [STEP, …], "rules": RULES, "otherwise": STEP}

A request gets the first step that is not used up and whose "when" matches; else the answer by RULES; else "otherwise"; else 400.

STEP  {"answer": OBJECT or TEXT}   an object gets the required properties that it leaves out, as nothing of their type
      {"fault": NAME, …}           below
      {"rules": true}              the answer by RULES
   and, with any of them:
      "when": {"contains": REGEX of instructions and input, "schema": a property of the answer's schema, "provider": NAME}
      "times": 1                   how often; "always" for ever
      "stop_reason": TEXT          instead of the normal one
      "usage": {"input": N, "output": N}, or null for none
      "delay": SECONDS             before the first byte
      "touch": PATH                a file that is made when the request is there
      "wait_for": PATH             the answer waits until that file is there

RULES {"decide": [{"when_fact": REGEX, …one of:
          "replace_entry": REGEX, "text": T, "kind": "change", "merge": true to REMOVE other entries that match
                                   where no entry matches but another fact does: an ADD of both
          "duplicate_of": REGEX    an entry, or another fact
          "ignore": WHY   |   "leave_out": true   |   "text": T, "together": true: one ADD of all facts that match
          and "about": [KEY, …]}], "keys": [{"when": REGEX, "about": [KEY, …]}], "promote": [REGEX of texts, or
          {"when": REGEX, "line": its shorter wording}, …]}
      T has {fact}, {entry}, {fact:1}, {entry:1} (groups) and {date}. Facts that no rule takes: DUPLICATE of an equal text, else ADD.

Faults. With a step's "answer" (or by rules, or {}) behind them: cut_off (the text ends in the middle), decoy (another object before
it), length (the answer is whole, but says that it stopped at its limit), close and reset (in the middle of the body), trickle (a byte
every "every" seconds), refusal.
By themselves: status (with "status", "message", "code"), too_many (429, "retry_after": seconds, or "date+SECONDS"), quota (429,
spent), overloaded (529), hostile_error (400 with the key, controls and a lot of text), stall (nothing, ever), hang_up, redirect (307
to elsewhere), large (chunked, "bytes": 100 MB), bomb (gzip of that), slow_headers (a line every "every" seconds), endless_headers,
empty_body ({}), error_as_answer (an error with status 200), prose, html, no_json, wrong_type (a good answer as text/html). "retry_after" goes with every status.

The log has a JSON line a request: where, provider, path, key ("right", "wrong", "none"; "any" without --key), headers (without the
key), body, step, invalid. CONNECT is noted ("connect") and refused. POST /script replaces the script (answer: 204), GET /log returns the log.
"""
import argparse
import email.utils
import gzip
import http.server
import json
import os
import pathlib
import re
import socket
import ssl
import struct
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import model_rules  # noqa: E402
import model_shapes as shapes  # noqa: E402

STATUS_FAULTS = {"too_many": 429, "quota": 429, "overloaded": 529}
TEXT_FAULTS = {"prose": "I would rather talk about the weather.", "no_json": "{'operations': []}"}


class Script:
    """Which step a request gets. Thread-safe."""

    def __init__(self, value):
        self.lock = threading.Lock()
        self.load(value)

    def load(self, value):
        unknown = set(value) - {"steps", "rules", "otherwise"}
        if unknown:
            raise ValueError(f"the script has {sorted(unknown)}")
        with self.lock:
            self.rules, self.otherwise = value.get("rules"), value.get("otherwise")
            self.steps = [dict(step) for step in value.get("steps", [])]

    def next(self, question):
        with self.lock:
            for number, step in enumerate(self.steps):
                left = step.get("times", 1)
                if left == 0 or not self.matches(step.get("when", {}), question):
                    continue
                if left != "always":
                    step["times"] = left - 1
                return step, number
            if self.rules is not None and model_rules.answer(self.rules, question) is not None:
                return {"rules": True}, "rules"
            return self.otherwise, "otherwise"

    @staticmethod
    def matches(when, question):
        return (re.search(when.get("contains", ""), question.instructions + "\n" + question.input, re.S) is not None
                and when.get("schema", "") in ["", *question.schema.get("properties", {})]
                and when.get("provider", question.provider) == question.provider)


class Log:
    """The requests, in memory and in a file. Thread-safe."""

    def __init__(self, file):
        self.lock, self.lines = threading.Lock(), []
        self.file = open(file, "a", encoding="utf-8") if file else None

    def add(self, record):
        line = json.dumps(record, ensure_ascii=False)
        with self.lock:
            self.lines.append(line)
            if self.file:
                self.file.write(line + "\n")
                self.file.flush()

    def text(self):
        with self.lock:
            return "".join(line + "\n" for line in self.lines)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format, *arguments):
        pass

    def do_GET(self):
        self.send(200, self.server.log.text(), "text/plain") if self.path == "/log" else self.send(404, "")

    def do_CONNECT(self):  # as a proxy it only notes who wants to go where
        came = {name.lower(): value for name, value in self.headers.items()}
        self.server.log.add({"where": self.server.where, "connect": self.path, "headers": came})
        self.send(502, "")

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path == "/script":
            self.server.script.load(json.loads(raw))
            self.send(204, "")
            return
        try:
            self.answer(raw)
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            self.close_connection = True

    def answer(self, raw):
        headers = {name.lower(): value for name, value in self.headers.items()}
        provider = shapes.provider_of(self.path)
        record = {"where": self.server.where, "provider": provider, "path": self.path, "key": self.key_state(headers),
                  "headers": {k: v for k, v in headers.items() if k not in ("authorization", "x-api-key")}}
        try:
            record["body"] = json.loads(raw)
            shapes.need(provider, "no such path")
            question = shapes.Question(provider, headers, record["body"])
        except (ValueError, shapes.Invalid, KeyError, TypeError) as error:
            self.server.log.add(record | {"invalid": repr(error)})
            self.fail(provider or "openai", 404 if provider is None else 400, f"invalid request: {error}")
            return
        if record["key"] in ("wrong", "none"):
            self.server.log.add(record)
            self.fail(provider, 401, "that key is not known here")
            return
        step, number = self.server.script.next(question)
        self.server.log.add(record | {"step": number if step else None})
        self.play(step or {"fault": "status", "status": 400, "message": "the script has no step for this request"}, question)

    def key_state(self, headers):
        if not self.server.key:
            return "any" if shapes.key_of(headers) else "none, none wanted"
        came = shapes.key_of(headers)
        return "none" if not came else "right" if came == self.server.key else "wrong"

    def play(self, step, question):
        if "touch" in step:
            pathlib.Path(step["touch"]).touch()
        while "wait_for" in step and not os.path.exists(step["wait_for"]):
            time.sleep(0.01)
        time.sleep(step.get("delay", 0))
        fault = step.get("fault")
        if fault in STATUS_FAULTS or fault in ("status", "hostile_error"):
            self.play_status(fault, step, question.provider)
        elif fault:
            getattr(self, "play_" + fault, self.play_text)(step, question)
        else:
            self.send(200, self.body_for(step, question, self.text_for(step, question)))

    def text_for(self, step, question):
        answer = step.get("answer")
        if answer is None:
            answer = model_rules.answer(self.server.script.rules or {}, question) or {}
        return answer if isinstance(answer, str) else json.dumps(shapes.fill(answer, question.schema), ensure_ascii=False)

    def body_for(self, step, question, text, **more):
        usage = step.get("usage", question.usage())
        more.setdefault("stop_reason", step.get("stop_reason"))
        body = shapes.answer_body(question.provider, text, usage or {"input": 0, "output": 0}, **more)
        if usage is None:
            for name in ("usage", "prompt_eval_count", "eval_count"):
                body.pop(name, None)
        return json.dumps(body)

    # Faults of what is said.

    def play_text(self, step, question):
        fault = step["fault"]
        if fault not in TEXT_FAULTS:
            raise ValueError(f"no fault is called {fault}")
        self.send(200, self.body_for(step, question, TEXT_FAULTS[fault]))

    def play_cut_off(self, step, question):
        text = self.text_for(step, question)
        self.send(200, self.body_for(step, question, text[:len(text) // 2]))

    def play_decoy(self, step, question):
        self.send(200, self.body_for(step, question, 'First: {"thoughts":[]} Now: ' + self.text_for(step, question)))

    def play_length(self, step, question):
        reason = shapes.STOP_REASONS[question.provider][1]
        self.send(200, self.body_for(step, question, self.text_for(step, question), stop_reason=reason))

    def play_refusal(self, step, question):
        self.send(200, self.body_for(step, question, "", refusal="I cannot help with that."))

    def play_empty_body(self, step, question):
        self.send(200, "{}")

    def play_error_as_answer(self, step, question):
        self.send(200, json.dumps(shapes.error_body(question.provider, 502, step.get("message", "no provider is there"))))

    def play_html(self, step, question):
        self.send(200, "<html>It works!</html>", "text/html")

    def play_wrong_type(self, step, question):
        self.send(200, self.body_for(step, question, self.text_for(step, question)), "text/html")

    # Faults of HTTP.

    def play_status(self, fault, step, provider):
        status = STATUS_FAULTS.get(fault, step.get("status", 400))
        code = "insufficient_quota" if fault == "quota" else step.get("code")
        message = step.get("message", f"a scripted {status}")
        if fault == "hostile_error":
            message = f"\x1b[2J\r\nkey {self.server.key} \u202e" + "x" * 5_000
        self.fail(provider, status, message, code, step.get("retry_after"))

    def fail(self, provider, status, message, code=None, retry_after=None):
        headers = {}
        if isinstance(retry_after, str) and retry_after.startswith("date+"):
            headers["Retry-After"] = email.utils.formatdate(time.time() + float(retry_after[5:]), usegmt=True)
        elif retry_after is not None:
            headers["Retry-After"] = str(retry_after)
        self.send(status, json.dumps(shapes.error_body(provider, status, message, code)), headers=headers)

    def play_redirect(self, step, question):
        target = f"http://127.0.0.1:{self.server.elsewhere}{self.path}"
        self.send(step.get("status", 307), "", headers={"Location": target})

    def play_bomb(self, step, question):
        packed = gzip.compress(bytes(step.get("bytes", 100_000_000)), 1)
        self.send(200, packed, headers={"Content-Encoding": "gzip"})

    def play_large(self, step, question):
        self.start(200, {"Transfer-Encoding": "chunked"})
        piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        for _ in range(step.get("bytes", 100_000_000) // 0x10000):
            self.wfile.write(piece)
        self.wfile.write(b"0\r\n\r\n")

    # Faults of the connection.

    def play_hang_up(self, step, question):
        self.close_connection = True

    def play_stall(self, step, question):
        self.close_connection = True
        self.connection.recv(1)  # until the other side leaves

    def play_trickle(self, step, question):
        body = self.body_for(step, question, self.text_for(step, question)).encode()
        self.start(200, {"Content-Length": str(len(body))})
        for byte in body:
            self.wfile.write(bytes([byte]))
            time.sleep(step.get("every", 5))

    def play_slow_headers(self, step, question):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(1_000):
            time.sleep(step.get("every", 5))
            self.wfile.write(b"X-Header-%d: 1\r\n" % number)

    def play_endless_headers(self, step, question):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while True:
            self.wfile.write(b"X-Header: " + b"1" * 1_000 + b"\r\n")

    def half(self, step, question):
        body = self.body_for(step, question, self.text_for(step, question)).encode()
        self.start(200, {"Content-Length": str(len(body))})
        self.wfile.write(body[:len(body) // 2])
        self.close_connection = True

    def play_close(self, step, question):
        self.half(step, question)

    def play_reset(self, step, question):
        self.half(step, question)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def start(self, status, headers):
        self.send_response(status)
        for name, value in ({"Content-Type": "application/json"} | headers).items():
            self.send_header(name, value)
        self.end_headers()

    def send(self, status, body, content_type="application/json", headers=None):
        raw = body if isinstance(body, bytes) else body.encode()
        lengths = {} if status == 204 else {"Content-Length": str(len(raw))}
        self.start(status, {"Content-Type": content_type} | lengths | (headers or {}))
        self.wfile.write(raw)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port, where, arguments, script, log):
        super().__init__(("127.0.0.1", port), Handler)
        self.where, self.key, self.script, self.log = where, arguments.key, script, log
        self.elsewhere = None
        if arguments.tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(arguments.tls)
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script")
    parser.add_argument("--log")
    parser.add_argument("--key", default="")
    parser.add_argument("--tls")
    parser.add_argument("--with-stdin", action="store_true")
    arguments = parser.parse_args()
    script = Script(json.loads(pathlib.Path(arguments.script).read_text(encoding="utf-8")) if arguments.script else {})
    log = Log(arguments.log)
    server, elsewhere = Server(arguments.port, "here", arguments, script, log), Server(0, "elsewhere", arguments, script, log)
    server.elsewhere = elsewhere.elsewhere = elsewhere.server_port
    threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
    print(server.server_port, elsewhere.server_port, sep="\n", flush=True)
    if arguments.with_stdin:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.buffer.read()
    else:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
