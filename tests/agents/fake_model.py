"""A model server for agents under test: it speaks the Messages API of Anthropic and the Responses API of OpenAI, keeps every request,
and answers what a test has told it to. Its answers are the agent's side of a conversation that the test writes."""
import http.server
import itertools
import json
import threading


class Say:
    """The model answers with a text."""

    def __init__(self, text):
        self.text = text


class Call:
    """The model calls a tool; the next thing that it is told is the result."""

    def __init__(self, tool, **arguments):
        self.tool, self.arguments = tool, arguments


class FakeModel:
    def __init__(self):
        self.requests, self.script, self.counter = [], [], itertools.count(1)
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *words):
                pass

            def do_GET(self):
                self.reply("application/json", json.dumps({"object": "list", "data": [], "models": []}))

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                try:
                    request = json.loads(body)
                except ValueError:
                    request = {}
                if "count_tokens" in self.path:
                    return self.reply("application/json", '{"input_tokens": 10}')
                if "/messages" in self.path:
                    return self.reply(*model.answer_messages(request))
                if "/responses" in self.path:
                    return self.reply(*model.answer_responses(request))
                self.reply("application/json", "{}")

            def reply(self, kind, text):
                data = text.encode()
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def will(self, *steps):
        """What the model does at its next requests that carry the agent's tools; afterwards it says 'Done.'."""
        self.script = list(steps)
        self.requests = []

    def told(self):
        """All that the model was sent since, as text: the bodies of the requests."""
        return "\n".join(json.dumps(request, ensure_ascii=False) for request in self.requests)

    def next_step(self, request):
        self.requests.append(request)
        if not request.get("tools") or not self.script:
            return Say("Done.")
        return self.script.pop(0)

    @staticmethod
    def events(*events):
        return "text/event-stream", "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events)

    def answer_messages(self, request):
        step, number = self.next_step(request), next(self.counter)
        if isinstance(step, Call):
            name = next((t["name"] for t in request["tools"] if t["name"].endswith(step.tool)), step.tool)
            block, stop = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": step.arguments}, "tool_use"
            delta = {"type": "input_json_delta", "partial_json": json.dumps(step.arguments)}
            begun = dict(block, input={})
        else:
            block, stop = {"type": "text", "text": step.text}, "end_turn"
            delta, begun = {"type": "text_delta", "text": step.text}, {"type": "text", "text": ""}
        usage = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": request.get("model", "fake"), "content": [],
                   "stop_reason": None, "stop_sequence": None, "usage": usage}
        if not request.get("stream"):
            return "application/json", json.dumps(dict(message, content=[block], stop_reason=stop))
        return self.events({"type": "message_start", "message": message},
                           {"type": "content_block_start", "index": 0, "content_block": begun},
                           {"type": "content_block_delta", "index": 0, "delta": delta},
                           {"type": "content_block_stop", "index": 0},
                           {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 5}},
                           {"type": "message_stop"})

    def answer_responses(self, request):
        step, number = self.next_step(request), next(self.counter)
        if isinstance(step, Call):
            item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": step.tool,
                    "namespace": "mcp__loci", "arguments": json.dumps(step.arguments)}
        else:
            item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "content": [{"type": "output_text", "text": step.text}]}
        usage = {"input_tokens": 1, "input_tokens_details": None, "output_tokens": 1, "output_tokens_details": None, "total_tokens": 2}
        return self.events({"type": "response.created", "response": {"id": f"resp_{number}"}},
                           {"type": "response.output_item.done", "output_index": 0, "item": item},
                           {"type": "response.completed", "response": {"id": f"resp_{number}", "usage": usage}})
