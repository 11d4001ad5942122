#!/usr/bin/env python3
"""A model of embeddings that knows synonyms, over HTTP on loopback, in the shape of OpenAI (/v1/embeddings) and Ollama (/api/embed);
and every fault that such a server can have. The same text always gets the same vector: a sum of its words' directions, which are
made of their hashes; words of one list of synonyms share one.

    embedding_server.py [--script FILE] [--log FILE] [--key KEY] [--with-stdin]

prints two lines: its port, and 0. --with-stdin: it ends when its standard input does. The script is JSON, all of it optional:

    {"synonyms": [["car", "automobile"], …], "dimensions": 32, "fault": NAME}

Faults: count (one vector too few), lengths (of different dimensions), nan, zeros, large (100 MB), hang (nothing, ever), redirect,
status (500), unauthorized (401, with the key and the texts in it), prose. POST /script replaces the script (answer: 204).

The log has a JSON line a request: path, key ("right", "wrong", "none"; "any" without --key), model, texts.
"""
import argparse
import hashlib
import http.server
import json
import pathlib
import re
import sys
import threading
import time

lock = threading.Lock()
script = {}
arguments = argparse.ArgumentParser()
for name in ("--script", "--log", "--key"):
    arguments.add_argument(name, default="")
arguments.add_argument("--with-stdin", action="store_true")
arguments = arguments.parse_args()
if arguments.script:
    script = json.loads(pathlib.Path(arguments.script).read_text() or "{}")
if arguments.log:
    pathlib.Path(arguments.log).touch()


def direction(word, dimensions):
    for words in script.get("synonyms", []):
        if word in words:
            word = words[0]
    digest = b"".join(hashlib.sha256(f"{word} {part}".encode()).digest() for part in range(dimensions // 32 + 1))
    return [byte - 127.5 for byte in digest[:dimensions]]


def vector_of(text):
    dimensions = script.get("dimensions", 32)
    words = re.findall(r"\w+", text.lower()) or ["nothing"]
    return [sum(column) for column in zip(*(direction(word, dimensions) for word in words))]


def vectors_of(texts, fault):
    vectors = [vector_of(text) for text in texts]
    if fault == "count":
        vectors = vectors[:-1]
    if fault == "lengths":
        vectors[0] = [1.0]
        vectors.append(vectors.pop() * 2)
    if fault == "zeros":
        vectors = [[0.0] * len(vector) for vector in vectors]
    if fault == "nan":
        vectors[0][0] = float("nan")
    return vectors


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, **headers):
        body = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def key(self):
        if not arguments.key:
            return "any"
        given = self.headers.get("Authorization", "")
        return "none" if not given else "right" if given == f"Bearer {arguments.key}" else "wrong"

    def do_POST(self):
        global script
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/script":
            script = json.loads(body)
            return self.answer(204, "")
        asked = json.loads(body)
        texts, fault = asked["input"], script.get("fault")
        if arguments.log:
            with lock, open(arguments.log, "a") as log:
                log.write(json.dumps({"path": self.path, "key": self.key(), "model": asked["model"], "texts": texts}) + "\n")
        if self.key() not in ("any", "right"):
            return self.answer(401, json.dumps({"error": {"message": "wrong key"}}))
        if fault == "hang":
            return time.sleep(3600)
        if fault == "redirect":
            return self.answer(307, "", Location="http://127.0.0.1:9/v1/embeddings")
        if fault == "status":
            return self.answer(500, "{}")
        if fault == "unauthorized":
            return self.answer(401, json.dumps({"error": {"message": f"{arguments.key} {texts}"}}))
        if fault == "prose":
            return self.answer(200, "I would rather talk about the weather.")
        if fault == "large":
            return self.answer(200, b" " * (100 << 20))
        vectors = vectors_of(texts, fault)
        tokens = sum(len(text.split()) for text in texts)
        if self.path == "/api/embed":
            return self.answer(200, json.dumps({"model": asked["model"], "embeddings": vectors, "prompt_eval_count": tokens}))
        data = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)]
        return self.answer(200, json.dumps({"object": "list", "data": list(reversed(data)), "model": asked["model"],
                                            "usage": {"prompt_tokens": tokens, "total_tokens": tokens}}))


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], 0, sep="\n", flush=True)
if arguments.with_stdin:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
else:
    server.serve_forever()
