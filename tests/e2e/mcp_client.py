"""Clients of MCP over both transports, as plain as they can be."""
import http.client
import json
import queue
import subprocess
import threading

from world import SLOWNESS

VERSION, CAPABILITIES = "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"
MODERN = {VERSION: "2026-07-28", CAPABILITIES: {}}


def modern(params=None):
    return {**(params or {}), "_meta": dict(MODERN)}


def request(number, method, params=None):
    return {"jsonrpc": "2.0", "id": number, "method": method, **({} if params is None else {"params": params})}


class OverStdio:
    """`loci mcp`; answers by id, notifications apart."""

    def __init__(self, world, command=None, folder=None, messages=subprocess.DEVNULL):
        self.process = subprocess.Popen(command or world.command("mcp"), env=world.environment, cwd=folder, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=messages)
        self.lines = queue.Queue()
        self.number = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def send(self, line):
        self.process.stdin.write(line if isinstance(line, bytes) else (json.dumps(line) + "\n").encode())
        self.process.stdin.flush()

    def next(self, seconds=120):
        return self.lines.get(timeout=seconds * SLOWNESS)

    def ask(self, method, params=None):
        self.number += 1
        self.send(request(self.number, method, params))
        while True:
            message = self.next()
            if message.get("id") == self.number:
                return message

    def call(self, tool, **arguments):
        return self.ask("tools/call", modern({"name": tool, "arguments": arguments}))["result"]

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.end()

    def end(self):
        """The exit status, when the input has ended."""
        self.process.stdin.close()
        status = self.process.wait(30 * SLOWNESS)
        self.process.stdout.close()
        return status


class OverHttp:
    """POST /mcp on loopback, with the token."""

    def __init__(self, port, token):
        self.port, self.token, self.number = port, token, 0

    def post(self, body, **headers):
        """(status of HTTP, JSON or None)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30 * SLOWNESS)
        payload = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            try:
                connection.request("POST", "/mcp", payload, {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json",
                                                             "Accept": "application/json, text/event-stream", **headers})
            except BrokenPipeError:
                pass  # it was answered before all of it was sent
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if text else None
        finally:
            connection.close()

    def ask(self, method, params=None):
        self.number += 1
        named = (params or {}).get("name") or (params or {}).get("uri")
        headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, **({"Mcp-Name": named} if named else {})}
        return self.post(request(self.number, method, modern(params)), **headers)[1]

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
