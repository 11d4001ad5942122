"""The wire shapes of the three providers, seen from a server: what a request must look like, and how an answer does."""
import json
import re

STOP_REASONS = {"openai": ("stop", "length", "content_filter"), "anthropic": ("end_turn", "max_tokens", "refusal"),
                    "ollama": ("stop", "length", "content_filter")}

# What strict schemas may say at OpenAI and at Anthropic alike.
SCHEMA_WORDS = {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "description", "$defs",
                "$ref", "title"}


class Invalid(Exception):
    """The request is not one that the provider would take."""


def provider_of(path):
    if path.endswith("/chat/completions"):
        return "openai"
    if path.endswith("/messages"):
        return "anthropic"
    return "ollama" if path.endswith("/api/chat") else None


def need(condition, reason):
    if not condition:
        raise Invalid(reason)


def check_schema(schema, where="schema"):
    """Every property required, no additional ones, at every depth, and no word that one of the providers refuses."""
    need(isinstance(schema, dict), f"{where} is no object")
    unknown = set(schema) - SCHEMA_WORDS
    need(not unknown, f"{where} has {sorted(unknown)}, which not every provider takes")
    types = schema.get("type")
    if "object" in (types if isinstance(types, list) else [types]):
        properties = schema.get("properties", {})
        need(schema.get("additionalProperties") is False, f"{where} allows additional properties")
        need(sorted(schema.get("required", [])) == sorted(properties), f"{where} does not require all of its properties")
        for name, inner in properties.items():
            check_schema(inner, f"{where}.{name}")
    if "items" in schema:
        check_schema(schema["items"], f"{where}[]")
    for inner in schema.get("anyOf", []):
        check_schema(inner, f"{where}|")


class Question:
    """A request, in the same words whoever's shape it has. Raises Invalid."""

    def __init__(self, provider, headers, body):
        self.provider, self.body = provider, body
        need(isinstance(body, dict), "the body is no JSON object")
        need(headers.get("content-type", "").startswith("application/json"), "content-type is not application/json")
        need(isinstance(body.get("model"), str) and body["model"], "model is missing")
        getattr(self, "_read_" + provider)(headers, body)
        need(self.limit > 0, "the limit of the answer is missing")
        need(self.instructions and self.input, "instructions or input is missing")
        check_schema(self.schema)
        need(self.schema.get("type") == "object", "the schema is of no object")

    def _two_messages(self, body):
        messages = body.get("messages")
        need(isinstance(messages, list) and [m.get("role") for m in messages] == ["system", "user"], "messages are not system, user")
        self.instructions, self.input = (m["content"] for m in messages)

    def _read_openai(self, headers, body):
        self._two_messages(body)
        wanted = body.get("response_format", {})
        need(wanted.get("type") == "json_schema" and wanted["json_schema"].get("strict") is True, "response_format is not strict")
        need(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", wanted["json_schema"].get("name", "")), "the schema has no good name")
        self.schema = wanted["json_schema"]["schema"]
        self.limit = body.get("max_tokens", body.get("max_completion_tokens", 0))
        need(not ("max_tokens" in body and "max_completion_tokens" in body), "two limits")

    def _read_anthropic(self, headers, body):
        need(headers.get("anthropic-version") == "2023-06-01", "anthropic-version is missing")
        need([m.get("role") for m in body.get("messages", [])] == ["user"], "messages are not one of the user")
        self.instructions, self.input = body.get("system"), body["messages"][0]["content"]
        wanted = body.get("output_config", {}).get("format", {})
        need(wanted.get("type") == "json_schema", "output_config.format is no json_schema")
        self.schema, self.limit = wanted["schema"], body.get("max_tokens", 0)

    def _read_ollama(self, headers, body):
        self._two_messages(body)
        need(body.get("stream") is False, "stream is not false")
        self.schema = body.get("format")
        options = body.get("options", {})
        self.limit = options.get("num_predict", 0)
        asked = (len(self.instructions) + len(self.input)) // 4
        need(options.get("num_ctx", 0) >= asked + self.limit, "num_ctx is too small for the prompt and the answer")
        need(json.dumps(self.schema, separators=(",", ":"), ensure_ascii=False) in self.instructions, "the schema is not in the prompt")

    def usage(self):
        return {"input": max(1, len(json.dumps(self.body)) // 4), "output": 50}


def key_of(headers):
    """The key that came, in whichever header."""
    bearer = headers.get("authorization", "")
    return bearer[7:] if bearer.startswith("Bearer ") else headers.get("x-api-key", "")


def answer_body(provider, text, usage, stop_reason=None, refusal=None):
    """The body of a good answer; of another one if a reason to stop or a refusal is given."""
    reason = stop_reason or STOP_REASONS[provider][0]
    if provider == "openai":
        message = {"role": "assistant", "content": None if refusal else text, "refusal": refusal}
        return {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "scripted",
                "choices": [{"index": 0, "message": message, "finish_reason": reason}],
                "usage": {"prompt_tokens": usage["input"], "completion_tokens": usage["output"],
                          "total_tokens": usage["input"] + usage["output"]}}
    if provider == "anthropic":
        return {"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted",
                "content": [{"type": "text", "text": refusal or text}], "stop_reason": "refusal" if refusal else reason,
                "stop_sequence": None, "usage": {"input_tokens": usage["input"], "output_tokens": usage["output"]}}
    return {"model": "scripted", "created_at": "2026-11-22T00:00:00Z", "message": {"role": "assistant", "content": refusal or text},
            "done": True, "done_reason": "content_filter" if refusal else reason,
            "prompt_eval_count": usage["input"], "eval_count": usage["output"]}


def error_body(provider, status, message, code=None):
    if provider == "anthropic":
        kind = {401: "authentication_error", 429: "rate_limit_error", 529: "overloaded_error"}.get(status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": message}}
    if provider == "ollama":
        return {"error": message}
    return {"error": {"message": message, "type": code or "server_error", "param": None, "code": code}}


def fill(value, schema):
    """`value` with every required property that it leaves out, as nothing of its type."""
    types = schema.get("type")
    first = types[0] if isinstance(types, list) else types
    if first == "object" and isinstance(value, dict):
        return {name: fill(value[name], inner) if name in value else nothing(inner)
                for name, inner in schema.get("properties", {}).items()} | {k: v for k, v in value.items()
                                                                           if k not in schema.get("properties", {})}
    if first == "array" and isinstance(value, list):
        return [fill(element, schema.get("items", {})) for element in value]
    return value


def nothing(schema):
    types = schema.get("type")
    types = types if isinstance(types, list) else [types]
    if "null" in types or any(inner.get("type") == "null" for inner in schema.get("anyOf", [])):
        return None
    if "enum" in schema:
        return "none" if "none" in schema["enum"] else schema["enum"][0]
    return {"string": "", "integer": 0, "number": 0, "boolean": False, "array": []}.get(types[0]) if types[0] != "object" else fill(
        {}, schema)
