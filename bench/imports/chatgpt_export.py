#!/usr/bin/env python3
"""Writes a conversations.json like the one in an export of ChatGPT, as large as wanted.

usage: bench/imports/chatgpt_export.py FILE MEGABYTES [SEED]

The conversations are of a bakery's making: each has up to 40 messages of up to 2,000 characters, dead branches, hidden and system
messages, null dates and parts that are no text, in a mapping as ChatGPT writes it. The same seed gives the same bytes.
"""
import json
import random
import sys

THINGS = "oven dough rye starter flour tray mixer scale order invoice van timer cellar salt crust recipe shift van supplier loaf".split()
DEEDS = "heats rests weighs arrives breaks cools rises waits sells burns moves costs lasts needs holds fills".split()
ENDS = "at four|until noon|in the cellar|before the van leaves|for two days|beside the mixer|as Ana said|on Fridays|twice".split("|")


def sentence(chance):
    number = chance.randrange(1_000_000)
    return f"The {chance.choice(THINGS)} {number} {chance.choice(DEEDS)} {chance.choice(ENDS)}."


def text(chance):
    if chance.random() < 0.05:
        return "Go on."
    return " ".join(sentence(chance) for _ in range(chance.randint(1, 45)))


def conversation(chance, number):
    began = 1_600_000_000 + number * 900 % 150_000_000
    nodes = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    last = "root"

    def add(role, parts, of, hidden=False, at=None):
        name = f"m-{number}-{len(nodes)}"
        nodes[of]["children"].append(name)
        nodes[name] = {"id": name, "parent": of, "children": [], "message": {
            "id": name, "author": {"role": role, "name": None, "metadata": {}}, "create_time": at, "update_time": None,
            "content": {"content_type": "text", "parts": parts}, "status": "finished_successfully", "end_turn": True, "weight": 1.0,
            "metadata": {"is_visually_hidden_from_conversation": True} if hidden else {"model_slug": "gpt-5", "timestamp_": "absolute"},
            "recipient": "all", "channel": None}}
        return name

    last = add("system", [""], last, hidden=True)
    for turn in range(chance.randint(1, 20)):
        at = None if chance.random() < 0.1 else began + turn * 60.5
        if chance.random() < 0.05:
            add("user", [text(chance)], last, at=at)  # a branch that was given up
        last = add("user", [text(chance)], last, at=at)
        last = add("assistant", [text(chance)] if chance.random() < 0.98 else [text(chance), None, {"content_type": "image"}], last, at=at)
    return {"title": sentence(chance), "create_time": began, "update_time": began + 4000, "mapping": nodes, "current_node": last,
            "conversation_id": f"c-{number}", "id": f"c-{number}", "is_archived": False}


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    chance = random.Random(int(sys.argv[3]) if len(sys.argv) == 4 else 1)
    wanted, written, number = int(sys.argv[2]) * 1_000_000, 2, 0
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write("[")
        while written < wanted:
            piece = (",\n" if number else "") + json.dumps(conversation(chance, number), ensure_ascii=False)
            out.write(piece)
            written += len(piece.encode())
            number += 1
        out.write("]")


if __name__ == "__main__":
    main()
