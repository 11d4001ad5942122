"""Two hundred messages that are none, each with the error that JSON-RPC and MCP ask for. None of the texts is taken from anywhere."""
import json

VERSION, CAPABILITIES = "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"
PARSE, INVALID, METHOD, PARAMS, REVISION = -32700, -32600, -32601, -32602, -32022


def message(**members):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping", **members}).encode()


def no_json():
    """What is no JSON, or more of it than is taken."""
    whole = message(method="tools/list", params={})
    cut = [whole[:i] for i in range(1, len(whole), 3)]
    odd = [b"{]", b"nul", b"'single'", b"{\"jsonrpc\":\"2.0\",}", b"\xff\xfe\xfd", b"\xc3\x28", b"{\"a\":1}{\"b\":2}", b"NaN", b"+1", b"01",
           b"\"\\u12\"", b"{\"id\":1,\"id\":2}", b"<xml/>", b"# heading", b"\x01\x02", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\x00ing\"}",
           b"[" * 100_000, b"{\"a\":" * 5_000, b"\"" + b"a" * 900_000, b"(" * 500_000]
    return [(text, PARSE) for text in [*cut, *odd]]


def no_message():
    """JSON that is no request."""
    values = [b"[]", b"[1,2,3]", b"7", b"\"ping\"", b"null", b"true", b"1.5", b"{}", b"[" + message() + b"]", b"[" + message() + b"," + message() + b"]",
              b"[[]]", b"[{}]"]
    wrong = [message(jsonrpc=value) for value in ("1.0", "2", 2.0, 2, None, [], {}, "")]
    wrong += [json.dumps({"id": 1, "method": "ping"}).encode(), json.dumps({"jsonrpc": "2.0", "id": 1}).encode()]
    wrong += [message(method=value) for value in (7, None, [], {}, True, 1.5)]
    wrong += [message(id=value) for value in (None, 1.5, [], {}, True, False, -0.25, [1], {"a": 1})]
    return [(text, INVALID) for text in values + wrong]


def no_params():
    wrong = [message(method=method, params=value) for method in ("tools/call", "tools/list", "initialize", "resources/read", "server/discover")
             for value in (None, 7, "x", [], [1], True, 1.5)]
    wrong += [message(method="tools/list", params={"_meta": value}) for value in (7, "x", [], True, None)]
    wrong += [message(method="tools/call", params=value) for value in (
        {}, {"name": 7}, {"name": None}, {"name": []}, {"name": ""}, {"name": "no_such"}, {"name": "../memory_search"},
        {"name": "memory_search", "arguments": []}, {"name": "memory_search", "arguments": "x"}, {"name": "memory_search", "arguments": 7},
        {"name": "memory_search", "arguments": None}, {"name": "MEMORY_SEARCH"})]
    wrong += [message(method="resources/read", params=value) for value in ({}, {"uri": 7}, {"uri": None}, {"uri": []})]
    wrong += [message(method=method, params={"cursor": cursor}) for method in ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
              for cursor in ("", "x", 7, None, "eyJvIjoxfQ==")]
    wrong += [message(method="prompts/get", params=value) for value in (
        {}, {"name": 7}, {"name": "none"}, {"name": "recall", "arguments": 7}, {"name": "recall", "arguments": {"question": 7}},
        {"name": "recall", "arguments": {"colour": "red"}}, {"name": "recall", "arguments": {}})]
    wrong += [message(method="completion/complete", params=value) for value in (
        {}, {"ref": 7}, {"ref": {}, "argument": {}}, {"ref": {"type": "ref/prompt", "name": "none"}, "argument": {"name": "tag", "value": ""}},
        {"ref": {"type": "ref/resource", "uri": "x"}, "argument": {"name": "id", "value": ""}},
        {"ref": {"type": "ref/other"}, "argument": {"name": "id", "value": ""}},
        {"ref": {"type": "ref/prompt", "name": "recall"}, "argument": {"name": 7, "value": ""}},
        {"ref": {"type": "ref/prompt", "name": "recall"}, "argument": {"name": "tag"}})]
    wrong += [message(method="initialize", params=value) for value in ({}, {"protocolVersion": 7}, {"protocolVersion": None})]
    return [(text, PARAMS) for text in wrong]


def no_method():
    names = ["", "no/such", "tools", "tools/", "TOOLS/LIST", "tools/lists", "rpc.discover", "notifications/cancelled", "sampling/createMessage", "roots/list",
             "elicitation/create", "logging/setLevel", "tasks/get", "tools/list ", "пинг", "a" * 5_000]
    return [(message(method=name), METHOD) for name in names]


def no_era():
    """Of the modern era, and not what that asks for. Each as (body, headers, code): over HTTP the headers say the same."""
    wrong = []
    for meta, code in (({VERSION: "1999-01-01", CAPABILITIES: {}}, REVISION), ({VERSION: "2030-01-01", CAPABILITIES: {}}, REVISION),
                       ({VERSION: "", CAPABILITIES: {}}, REVISION), ({VERSION: "2025-11-25", CAPABILITIES: {}}, REVISION),
                       ({VERSION: "2026-07-28"}, PARAMS), ({VERSION: "2026-07-28", CAPABILITIES: []}, PARAMS),
                       ({VERSION: "2026-07-28", CAPABILITIES: 7}, PARAMS), ({VERSION: "2026-07-28", CAPABILITIES: None}, PARAMS),
                       ({VERSION: 20260728, CAPABILITIES: {}}, PARAMS), ({VERSION: None, CAPABILITIES: {}}, PARAMS), ({CAPABILITIES: {}}, PARAMS)):
        for method in ("tools/list", "server/discover"):
            version = meta.get(VERSION)
            headers = {"MCP-Protocol-Version": version if isinstance(version, str) else "2026-07-28", "Mcp-Method": method}
            wrong.append((message(method=method, params={"_meta": meta}), headers, code))
    return wrong


def all_of_them():
    """[(body, headers, code)]"""
    plain = [(text, {}, code) for text, code in no_json() + no_message() + no_params() + no_method()]
    return plain + no_era()
