"""Answers by rule, for the tasks of consolidation, which the answer's schema tells apart. The same request gets the same
answer, whatever the order of runs; a real model's judgement is a regular expression here. The rules are described in
model_server.py."""
import json
import re


def fenced(text, name):
    """The JSON lines inside of <name>…</name>; what is no JSON object is passed over."""
    found = re.search(rf"^<{name}>\n(.*?)^</{name}>", text, re.S | re.M)
    records = []
    for line in found.group(1).splitlines() if found else []:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            records.append(record)
    return records


def matching(pattern, records):
    return [(record, found) for record in records if (found := re.search(pattern, record.get("text", ""), re.I))]


def rendered(template, fact, entry):
    """{fact} and {entry} are whole texts, {fact:1} and {entry:1} groups, {date} the fact's date."""
    def part(found):
        which, group = found.group(1), found.group(2)
        if which == "date":
            return fact[0].get("date", "")
        record, match = fact if which == "fact" else entry
        return (match.group(int(group)) or "") if group else record["text"]
    return re.sub(r"\{(fact|entry|date)(?::(\d+))?\}", part, template)


class Decision:
    def __init__(self, rules, question):
        self.rules = rules
        self.facts, self.entries = fenced(question, "facts"), fenced(question, "entries")
        self.read_only = fenced(question, "read_only")
        self.open = {fact["n"] for fact in self.facts}
        self.targets = set()
        self.operations = []

    def answer(self):
        for rule in self.rules:
            for fact, found in matching(rule["when_fact"], self.facts):
                if fact["n"] in self.open:
                    self.apply(rule, fact, found)
        for fact in self.facts:
            if fact["n"] in self.open:
                self.settle_plainly(fact)
        return {"operations": self.operations}

    def put(self, op, facts, **fields):
        self.open -= set(facts)
        self.operations.append({"op": op, "facts": sorted(facts), **fields})

    def apply(self, rule, fact, found):
        about = rule.get("about", fact.get("about", []))
        if "ignore" in rule:
            self.put("IGNORE", [fact["n"]], why=rule["ignore"])
        elif "leave_out" in rule:
            self.open.discard(fact["n"])
        elif "duplicate_of" in rule:
            others = [record for record, _ in matching(rule["duplicate_of"], self.entries + self.read_only + self.facts)
                      if record["n"] != fact["n"]]
            if others:
                self.put("DUPLICATE", [fact["n"]], of=others[0]["n"])
        elif "replace_entry" in rule:
            self.replace(rule, (fact, found), about)
        else:
            together = [f["n"] for f, _ in matching(rule["when_fact"], self.facts) if f["n"] in self.open]
            self.put("ADD", together if rule.get("together") else [fact["n"]],
                     text=rendered(rule.get("text", "{fact}"), (fact, found), None), about=about)

    def replace(self, rule, fact, about):
        entries = [one for one in matching(rule["replace_entry"], self.entries) if one[0]["n"] not in self.targets]
        earlier = [one for one in matching(rule["replace_entry"], self.facts) if one[0]["n"] in self.open - {fact[0]["n"]}]
        if entries:
            text = rendered(rule["text"], fact, entries[0])
            target = entries[0][0]["n"]
            facts = [fact[0]["n"]] + [one[0]["n"] for one in earlier]
            self.targets.add(target)
            self.put("REPLACE", facts, target=target, text=text, about=about, kind=rule.get("kind", "change"))
            for merged in entries[1:] if rule.get("merge") else []:
                self.targets.add(merged[0]["n"])
                self.put("REMOVE", [], target=merged[0]["n"], into=target)
        elif earlier:  # what it replaces is as new as itself: one entry of both
            text = rendered(rule["text"], fact, earlier[0])
            self.put("ADD", [fact[0]["n"]] + [one[0]["n"] for one in earlier], text=text, about=about)

    def settle_plainly(self, fact):
        same = [r for r in self.entries + self.read_only + self.facts
                if r["text"].casefold() == fact["text"].casefold() and r["n"] != fact["n"]
                and not (r in self.facts and r["n"] > fact["n"])]
        if same:
            self.put("DUPLICATE", [fact["n"]], of=same[0]["n"])
        else:
            self.put("ADD", [fact["n"]], text=fact["text"], about=fact.get("about", []))


def keys(rules, question):
    facts = fenced(question, "facts")
    return {"facts": [{"n": fact["n"], "about": next((rule["about"] for rule in rules if re.search(rule["when"], fact["text"], re.I)), [])}
                      for fact in facts]}


def promotion(patterns, question):
    lines = {}
    for pattern in patterns:
        rule = pattern if isinstance(pattern, dict) else {"when": pattern}
        for entry, _ in matching(rule["when"], fenced(question, "entries")):
            lines.setdefault(entry["id"], {"id": entry["id"], "text": rule.get("line")})
    return {"lines": list(lines.values())}


def answer(rules, question):
    """The answer to a Question, or None if it is of no task that has rules."""
    wanted = set(question.schema.get("properties", {}))
    if wanted == {"operations"}:
        return Decision(rules.get("decide", []), question.input).answer()
    if wanted == {"problems"}:
        return {"problems": []}
    if wanted == {"facts"} and "n" in question.schema["properties"]["facts"].get("items", {}).get("properties", {}):
        return keys(rules.get("keys", []), question.input)
    return promotion(rules.get("promote", []), question.input) if wanted == {"lines"} else None
