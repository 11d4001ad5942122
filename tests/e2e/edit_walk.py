"""Random walks over what a person and loci do to one vault, with an oracle that knows what was meant.

usage: edit_walk.py LOCI [--clock LIBRARY] [--walks N] [--steps N] [--seed N] [--replay "STEP STEP …"] [--spoil] [--jobs N]
                    [--only STEPS] [--without STEPS] [--seconds N] [--whole] [--alone] [--keep FOLDER]

Each text has a word of its own, and the oracle knows of each word what must be true once all has been understood: it is found, it is
not found, or (a save that lacks all that loci wrote last, and differs besides, may be an old buffer or a deletion) either. A step is its name and a number that all its
choices are drawn from, so that a walk can be done again, also with steps left out. When a check fails, steps are dropped as long as
it still fails; what is left is printed, and --replay does it again. Every second walk goes beside a daemon,
with --alone none. With --keep FOLDER the vault and the state of a walk that went wrong are copied there, into a folder of its own.

--spoil loses a text, or brings back a deleted one, behind everybody's back at the end of each walk: the oracle has to notice that.

After time has passed and a run was made, and at the end: no word that a person typed is lost, none that was deleted is back, every
fact is pending, settled or deleted, doctor is content, questions stand until they are answered, and what nobody touched is as it was
byte for byte.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

OPTIONS = argparse.ArgumentParser(description=__doc__.split("\n")[0])
OPTIONS.add_argument("loci")
OPTIONS.add_argument("--clock", default="")
OPTIONS.add_argument("--walks", type=int, default=100)
OPTIONS.add_argument("--steps", type=int, default=40)
OPTIONS.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
OPTIONS.add_argument("--replay", default="")
OPTIONS.add_argument("--spoil", action="store_true")
OPTIONS.add_argument("--daemon", action="store_true", help="with --replay: beside a daemon")
OPTIONS.add_argument("--alone", action="store_true", help="no walk goes beside a daemon")
OPTIONS.add_argument("--jobs", type=int, default=2)
OPTIONS.add_argument("--only", default="", help="names of steps, with commas between them")
OPTIONS.add_argument("--without", default="", help="the same, of steps that are not taken")
OPTIONS.add_argument("--seconds", type=float, default=float("inf"), help="no walk is begun later than that")
OPTIONS.add_argument("--whole", action="store_true", help="a walk that goes wrong is not made shorter, nor is one that is done again")
OPTIONS.add_argument("--keep", help="where what a walk that goes wrong leaves is copied to")
OPTIONS.add_argument("--verbose", action="store_true")
CHOSEN = OPTIONS.parse_args()
CHOSEN.loci, CHOSEN.clock = os.path.abspath(CHOSEN.loci), CHOSEN.clock and os.path.abspath(CHOSEN.clock)  # a preload goes by the whole name
sys.argv = [sys.argv[0], CHOSEN.loci, *([CHOSEN.clock] if CHOSEN.clock else [])]

if os.access("/dev/shm", os.W_OK):
    os.environ.setdefault("TMPDIR", "/dev/shm")  # what a power cut leaves is no matter here

import world  # noqa: E402  takes the program's name from the command line
from edits_case import GIT, MovedClock  # noqa: E402
from running_daemon import RunningDaemon  # noqa: E402

CORE, FIRST = "MEMORY.md", "consolidated/memory.md"
WORD = re.compile(r"\bw\d+w\b")
BLOCK = re.compile(r"(<!--m [^\n]*-->)\n((?:(?!<!--m |<!-- ?loci)[^\n]+\n)+)")
ENTRY = re.compile(r'<!--m \{[^\n]*?"(?:id|ref)":"([^"]+)"[^\n]*-->\n((?:(?!<!--)[^\n]+\n?)+)')
VERSION_DIGITS = 16
BEGIN, END = "<!-- loci:core begin -->\n", "<!-- loci:core end -->"
FOUND, GONE, EITHER = "found", "gone", "either"
MOST_CHANGES = 3  # of one file, between two checks: more at once may be a question


class Wrong(Exception):
    pass


def claim(condition, *what):
    if not condition:
        raise Wrong(" ".join(map(str, what)))


def words_of(text):
    return set(WORD.findall(text))


def said_in(name, text):
    """A reworded line of the core has another ref by now, which an editor need not know."""
    return re.sub(r"<!--m [^\n]*-->", "", text) if name == CORE else text


class Walk:
    """A vault, what is done to it, and what is known about every word."""

    def __init__(self, with_daemon):
        self.world = world.World()
        self.world.environment |= GIT
        self.clock = MovedClock(self.world.scratch / "clock") if CHOSEN.clock else None
        if self.clock:
            self.world.environment |= {"LD_PRELOAD": CHOSEN.clock, "MOVED_CLOCK": str(self.clock.file)}
        self.count = 0
        self.fate = {}                     # word -> FOUND, GONE or EITHER
        self.demoted = set()               # words whose line is not to be shown again
        self.forgotten = []                # (id, words, those that took their place) that `restore` may bring back
        self.last_run = None
        self.buffer = None                 # (file, its bytes, what loci had added since is unsure)
        self.changes = collections.Counter()  # file -> changed or taken out since the last check
        self.asked = {}                    # file -> words that nobody knows about until the question is answered
        self.notes = {}                    # file -> bytes that loci must not touch
        self.with_git = False
        self.phone = None
        self.undone = None                 # (file, its bytes before the last change by hand, and after it)
        self.by_hand = 0                   # saves so far
        self.retired_words = set()         # of entries that loci was told to forget or correct
        self.maybe_asked = set()           # files about which a question may stand
        self.reworded = set()              # words that a person wrote over where they stood, and that stood elsewhere, too
        self.moved = set()                 # words that were moved to another file since the last check
        self.corrections = set()           # words that a correction said: whether a save may lack them is asked
        self.went_on_the_phone = set()
        self.copied = False                # then one id may stand twice, with two texts
        self.former_names = {}             # file -> those that it had
        self.renamed = False               # since the last check: when that was is not known before somebody looks
        self.world.run("init", self.world.vault)
        self.daemon = RunningDaemon(self.world) if with_daemon else None

    def close(self):
        if self.daemon:
            self.daemon.close()
        self.world.close()

    # --- small things ---

    def text(self, rng):
        self.count += 1
        word = f"w{self.count}w"
        self.fate[word] = FOUND
        return rng.choice(["Prefers {} to all others.", "The {} stands in the hall.", "Always lock {} at night.", "Nobody knew {} before."]).format(word)

    def files(self):
        return sorted(str(each.relative_to(self.world.vault)) for each in (self.world.vault / "consolidated").rglob("*.md")
                      if ".loci-conflict-" not in each.name)

    def some_file(self, rng):
        free = [name for name in self.files() if name not in self.asked and self.changes[name] < MOST_CHANGES]
        return rng.choice(free) if free else None

    def blocks(self, text):
        """The entries of which all is known."""
        return [found for found in BLOCK.finditer(text)
                if words_of(found.group(2)) and all(self.fate[word] == FOUND for word in words_of(found.group(2)))]

    def some_block(self, rng, base=None):
        """A file and an entry in it, or None."""
        name = self.some_file(rng)
        if not name:
            return None
        file = (base or self.world.vault) / name
        if not file.exists():
            return None
        blocks = self.blocks(file.read_text())
        return (name, rng.choice(blocks)) if blocks else None

    def save(self, name, text, base=None, rng=None):
        """As an editor does it: in place, or by another file that takes its name."""
        file = (base or self.world.vault) / name
        if file.exists() and (words_of(file.read_text()) - words_of(text)) & self.corrections:
            self.maybe_asked.add(name)
        if not base:
            self.by_hand += 1
            self.undone = (name, file.read_text(), text) if file.exists() else None
            self.may_come_from_an_old_buffer(name, text)
        if rng and rng.random() < 0.5 and file.exists():
            other = file.with_name(f".{file.name}.swp")
            other.write_text(text)
            other.rename(file)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def elsewhere(self):
        """All words that stand in the vault outside the archive and loci's own folder."""
        found = set()
        for file in self.world.vault.rglob("*.md"):
            if not {"archive", ".loci", ".git"} & set(file.relative_to(self.world.vault).parts):
                text = file.read_text()
                if file.name == CORE:  # its promoted lines say what entries say
                    text = text.split(BEGIN)[0] + "".join(re.findall(r"(?<!-->\n)^- .*\n", text.partition(BEGIN)[2], re.M))
                found |= words_of(text)
        return found

    def took_out(self, words, base=None):
        """A person took these words out of a place."""
        if base:  # the phone: it is known here when it is pulled
            self.went_on_the_phone |= words
            return
        unclear = set().union(*(self.added_last(name, self.world.read(name)) for name in self.files()))
        for word in words - self.elsewhere():
            if self.fate[word] != EITHER:
                self.fate[word] = EITHER if word in unclear else GONE

    def retired(self, words, but_for=""):
        """loci was told that what says these words does not hold."""
        still = self.elsewhere() | self.filed_with(words)
        for word in words - words_of(but_for):
            self.fate[word] = EITHER if word in still else GONE

    def filed_with(self, words):
        """Words of a text that a person made of these and others, and a run has filed: it says more than what is ended, and stands."""
        listed = self.command("list", "--limit", "100000")["entries"]
        filed = [words_of(entry["text"]) for entry in listed if entry["file"].startswith("archive/")]
        return set().union(*(said for said in filed if said > words))

    def unsure(self, words):
        for word in words:
            self.fate[word] = EITHER

    # --- what loci has seen of the files ---

    def known(self, name, former_names=True):
        """The versions of a file, oldest first: id -> text, and all bytes. A command may write a file several times: its notes are asked."""
        known = []
        names = [*(self.former_names.get(name, []) if former_names else []), name]  # until somebody looks, they have the old one
        places = [hashlib.sha256(each.encode()).hexdigest()[:VERSION_DIGITS] for each in names]
        for folder in [found for place in places for found in self.world.scratch.glob(f"state/loci/*/versions/{place}")]:
            log = folder / "log.jsonl"  # a daemon makes the folder first
            for line in log.read_text().splitlines() if log.exists() else []:
                if line and (folder / f"{json.loads(line)['hash']}.md").exists():
                    text = (folder / f"{json.loads(line)['hash']}.md").read_text()
                    known.append((dict(ENTRY.findall(text)), text))
        return known

    def versions_lacking(self, name, text):
        """Earlier versions that a save may have been made from, if it lacks all that came since: each with what came since."""
        said, known = dict(ENTRY.findall(text)), self.known(name)
        for then, bytes_then in known[:-1]:
            came = {id: line for id, line in known[-1][0].items() if id not in then}
            # Order and blank lines are differences, too, and so is what went since.
            differs = then != said or bytes_then.rstrip() != text.rstrip() or then.keys() - known[-1][0].keys()
            if came and not came.keys() & said.keys() and differs:
                yield then, words_of("".join(came.values())) | (words_of(known[-1][1]) - words_of(bytes_then))

    def may_be_an_old_buffer(self, name, text):
        return any(True for _ in self.versions_lacking(name, text))

    def added_last(self, name, text):
        return set().union(*(words for _, words in self.versions_lacking(name, text)))

    def may_come_from_an_old_buffer(self, name, text):
        for word in self.added_last(name, text):
            if self.fate[word] == GONE:
                self.fate[word] = EITHER
            self.demoted.discard(word)
        # What equals an earlier version may be a buffer of then, saved as it was: what was reworded back is written over with the rest.
        said, known = dict(ENTRY.findall(text)), self.known(name)
        for then, _ in known[:-1]:
            if then == said and known[-1][0].keys() - then.keys():
                self.unsure({word for word in words_of(text) - words_of(known[-1][1]) if self.fate[word] == FOUND})
        # And so is what an edited buffer of then has as it was then.
        for then, _ in self.versions_lacking(name, text):
            as_then = "".join(line for id, line in said.items() if then.get(id) == line != known[-1][0].get(id, line))
            self.unsure({word for word in words_of(as_then) if self.fate[word] == FOUND})

    # --- a person, in consolidated/ ---

    def retype(self, rng, base=None):
        if at := self.some_block(rng, base):
            name, block = at
            file = (base or self.world.vault) / name
            new = self.text(rng)
            text = file.read_text()
            self.save(name, text[:block.start(2)] + new + "\n" + text[block.end(2):], base, rng)
            self.changes[name] += 1
            if words_of(block.group(2)) & self.corrections:  # it is corrected, whatever it says since
                self.corrections |= words_of(new)
            self.took_out(words_of(block.group(2)), base)
            self.reworded |= {word for word in words_of(block.group(2)) if self.fate[word] == FOUND}

    def remove(self, rng, base=None):
        if at := self.some_block(rng, base):
            name, block = at
            file = (base or self.world.vault) / name
            text = file.read_text()
            self.save(name, text[:block.start()] + text[block.end():].lstrip("\n"), base, rng)
            self.changes[name] += 1
            self.took_out(words_of(block.group(2)), base)

    def type_paragraph(self, rng, base=None):
        if name := self.some_file(rng):
            file = (base or self.world.vault) / name
            if file.exists():
                self.save(name, file.read_text().rstrip("\n") + f"\n\n{self.text(rng)}\n", base, rng)

    def reorder(self, rng):
        if at := self.some_block(rng):
            name, block = at
            text = self.world.read(name)
            rest = text[:block.start()] + text[block.end():].lstrip("\n")
            self.save(name, rest.rstrip("\n") + "\n\n" + block.group(), rng=rng)

    def move_to_another_file(self, rng):
        if at := self.some_block(rng):
            name, block = at
            other = rng.choice(["consolidated/work.md", "consolidated/home/garden.md"])
            if other == name or other in self.asked:
                return
            text = self.world.read(name)
            there = self.world.read(other) if (self.world.vault / other).exists() else "# Moved\n"
            first, second = [(other, there.rstrip("\n") + "\n\n" + block.group()), (name, text[:block.start()] + text[block.end():].lstrip("\n"))][::rng.choice((1, -1))]
            self.save(*first, rng=rng)
            self.save(*second, rng=rng)
            self.maybe_asked |= {other} if name in self.maybe_asked else set()  # a question goes with the last entry, as with a renamed file
            self.changes[name] += 1
            self.moved |= words_of(block.group(2))
            self.undone = None

    def copy_to_another_file(self, rng):
        if at := self.some_block(rng):
            name, block = at
            other = "consolidated/copies.md"
            there = self.world.read(other) if (self.world.vault / other).exists() else "# Copies\n"
            if other != name and other not in self.asked and block.group() not in there:
                self.save(other, there.rstrip("\n") + "\n\n" + block.group(), rng=rng)
                self.copied = True

    def merge_two(self, rng):
        if name := self.some_file(rng):
            text = self.world.read(name)
            blocks = self.blocks(text)
            if len(blocks) < 2 or self.changes[name] + 2 > MOST_CHANGES:
                return
            one, two = sorted(rng.sample(blocks, 2), key=lambda block: block.start())
            joined = one.group(1) + "\n" + one.group(2).rstrip("\n") + " " + two.group(2)
            self.save(name, text[:one.start()] + joined + text[one.end():two.start()] + text[two.end():].lstrip("\n"), rng=rng)
            self.changes[name] += 2
            self.demoted -= words_of(joined)  # one of them may be shown, and it says both

    def split(self, rng):
        if at := self.some_block(rng):
            name, block = at
            sentences = re.findall(r"[^.\n]+\.", block.group(2))
            if len(sentences) > 1:
                text = self.world.read(name)
                parted = "\n\n".join(each.strip() for each in sentences) + "\n"
                self.save(name, text[:block.start(2)] + parted + text[block.end(2):], rng=rng)
                self.changes[name] += 1

    def reformat(self, rng):
        if at := self.some_block(rng):
            name, block = at
            text = self.world.read(name)
            line = block.group(2).rstrip("\n")
            new = rng.choice(["**{}**", "- {}", "{}  ", "> {}"]).format(line.replace("\n", " "))
            self.save(name, text[:block.start(2)] + new + "\n" + text[block.end(2):], rng=rng)
            self.changes[name] += 1

    def undo_in_the_editor(self, rng):
        """The last change by hand is taken back, if nobody has written since."""
        if not self.undone or self.undone[0] in self.asked:
            return
        name, before, now = self.undone
        if not (self.world.vault / name).exists() or said_in(name, self.world.read(name)) != said_in(name, now):
            return
        came, went = words_of(now) - words_of(before), words_of(before) - words_of(now)
        if name == CORE:  # another line may say the same words, and these are its own all the same
            lines_before, lines_now = set(before.splitlines()), set(now.splitlines())
            came, went = words_of("\n".join(lines_now - lines_before)), words_of("\n".join(lines_before - lines_now))
        self.undone = None
        if self.changes[name] >= MOST_CHANGES or len(came | went) > 2 or not came | went or any(self.fate[word] == EITHER for word in came | went):
            return
        if went & self.moved:
            return  # perhaps nobody saw it where it had been moved to: it is missing since it left its first file, and may count as deleted
        self.save(name, before, rng=rng)
        self.undone = None
        self.changes[name] += 1
        if name == CORE:
            if came and went and all(self.fate[word] == FOUND for word in came) and all(self.fate[word] == GONE for word in went):
                self.retired(came)
                self.fate |= {word: FOUND for word in went}
                self.corrections |= went
            else:
                self.unsure(came | went)
            self.demoted -= went
        else:
            for word in went:
                self.fate[word] = FOUND if self.fate[word] == GONE and word not in self.retired_words else EITHER
            self.took_out(came)

    def rename_file(self, rng):
        if name := self.some_file(rng):
            to = f"consolidated/renamed{rng.randrange(100)}.md"
            if not (self.world.vault / to).exists():
                (self.world.vault / name).rename(self.world.vault / to)
                self.renamed = True
                self.former_names[to] = [each for each in [*self.former_names.pop(name, []), name] if each != to]
                self.maybe_asked |= {to} if name in self.maybe_asked else set()  # a question goes with its file
                self.maybe_asked.add(name)  # with all that it held perhaps, when somebody looks
                self.changes[to] = self.changes.pop(name, 0)
                self.buffer = self.undone = None

    def clear_file(self, rng):
        """Most entries of a file go in one save: that is asked about."""
        name = self.some_file(rng)
        if not name or self.changes[name] or not self.known(name, former_names=False):
            return  # what loci has not seen under this name it asks about under the one that the file had
        text = self.world.read(name)
        others = "".join(self.world.read(other) for other in self.files() if other != name)
        stands = re.compile(r'"id":"([^"]+)"')  # a copy is a place of its entry, whatever it says
        blocks = [block for block in self.blocks(text) if not words_of(block.group(2)) & words_of(others)
                  and not set(stands.findall(block.group(1))) & set(stands.findall(others))]
        if len(blocks) < 5:
            return
        going = sorted(rng.sample(blocks, max(4, len(blocks) * 2 // 3)), key=lambda block: -block.start())
        for block in going:
            text = text[:block.start()] + text[block.end():].lstrip("\n")
        if self.may_be_an_old_buffer(name, text):
            return
        self.asked[name] = words_of("".join(block.group(2) for block in going))
        self.save(name, text, rng=rng)
        self.undone = self.buffer = None

    def answer(self, rng):
        open_questions = {question["file"]: question for question in self.world.json("resolve")["questions"]}
        for name in sorted(set(self.asked) & set(open_questions)):
            keep = rng.random() < 0.5
            file = self.world.vault / name
            asked_about = file.read_bytes() if file.exists() else None
            act = self.world.json("resolve", "--keep" if keep else "--restore", name)["act"]
            if rng.random() < 0.4 and self.took_back(act):
                claim((file.read_bytes() if file.exists() else None) == asked_about, name, "is not as it was before the answer that was taken back")
                continue  # the question stands again
            words = self.asked.pop(name)
            if name == CORE:
                continue
            if keep:
                self.took_out({word for word in words if self.fate[word] != EITHER})
            else:  # what had been taken out before, and was asked about with the rest; what had been reworded, too
                there = words_of(self.world.read(name))
                reworded = words_of(json.dumps(open_questions[name]["changes"])) - there
                self.unsure({word for word in words & there if self.fate[word] == GONE} | {word for word in words & reworded if self.fate[word] == FOUND})
            self.changes[name] = MOST_CHANGES

    def took_back(self, act):
        """Not what has changed since, and that is said."""
        done = subprocess.run(self.world.command("restore", act), env=self.world.environment, capture_output=True, text=True)
        claim(done.returncode == 0 or "has changed since" in done.stderr, done.stderr)
        return done.returncode == 0

    # --- a person, in MEMORY.md ---

    def lines_of_core(self):
        text = self.world.read(CORE)
        known = set().union(*(words_of(self.world.read(name)) for name in self.files()))
        return text, [found for found in re.finditer(r"<!--m [^\n]*-->\n- ([^\n]*)\n", text) if words_of(found.group(1))
                      and all(self.fate[word] == FOUND and word in known for word in words_of(found.group(1)))]

    def retype_line(self, rng):
        text, lines = self.lines_of_core()
        if lines and self.changes[CORE] < MOST_CHANGES and CORE not in self.asked:
            line = rng.choice(lines)
            old, new = words_of(line.group(1)), self.text(rng)
            if self.world.read(CORE) != text:
                return self.fate.pop(*words_of(new))  # a daemon has written just now: the line may show something else
            self.save(CORE, text[:line.start(1)] + new + text[line.end(1):], rng=rng)
            self.changes[CORE] += 1
            self.corrections |= words_of(new)
            entries = [said for name in self.files() for id, said in ENTRY.findall(self.world.read(name)) if id in line.group()]
            forms = [form.format(line.group(1)) for form in ("{}", "**{}**", "- {}", "> {}")]
            if not entries or any(said.strip() not in forms for said in entries):
                # The line left out what its entry says: that stays, beside what was typed. A daemon may have been about to add
                # it, and took the line for all of it then.
                return self.unsure(old | ({word for word in words_of("".join(entries)) if self.fate.get(word) == FOUND} if self.daemon else set()))
            self.retired(old)
            for word in old & self.elsewhere():  # its entry says it still, until loci has seen this
                self.fate[word] = GONE if sum(word in self.world.read(name) for name in self.files()) == 1 else EITHER

    def remove_line(self, rng):
        text, lines = self.lines_of_core()
        if lines and self.changes[CORE] < MOST_CHANGES and CORE not in self.asked:
            line = rng.choice(lines)
            self.save(CORE, text[:line.start()] + text[line.end():], rng=rng)
            self.changes[CORE] += 1
            others = words_of(text[:line.start()] + text[line.end():])  # lines, and entries, that may say the same and be shown
            others |= words_of("".join(said for name in self.files() for id, said in ENTRY.findall(self.world.read(name)) if id not in line.group()))
            if not words_of(line.group(1)) & others:
                self.demoted |= words_of(line.group(1)) - self.added_last(CORE, self.world.read(CORE))

    def type_line(self, rng):
        text = self.world.read(CORE)
        if CORE not in self.asked:
            place = rng.choice([END, BEGIN])
            line = f"- {self.text(rng)}\n" if place == END else f"{self.text(rng)}\n\n"
            self.save(CORE, text.replace(place, line + place), rng=rng)

    # --- a person, elsewhere ---

    def write_note(self, rng):
        name = f"notes/note{rng.randrange(3)}.md"
        lines = self.notes.get(name, "").splitlines(keepends=True)
        gone = set()
        if lines and rng.random() < 0.4:
            gone = words_of(lines.pop(rng.randrange(len(lines))))
        else:
            lines.insert(rng.randrange(len(lines) + 1), f"- {self.text(rng)}\n")
        self.notes[name] = "".join(lines)
        self.save(name, self.notes[name], rng=rng)
        self.took_out(gone)
        self.undone = None

    # --- an editor that has a file open ---

    def open_buffer(self, rng):
        if name := self.some_file(rng):
            text = self.world.read(name)
            self.buffer = (name, text, self.count, self.by_hand)

    def save_buffer(self, rng, edit=True):
        """What loci wrote since is not in it. If a person wrote since, too, nobody knows what is meant."""
        if not self.buffer:
            return
        name, text, _, by_hand = self.buffer
        self.buffer = None
        if by_hand != self.by_hand or name in self.asked or self.changes[name] >= MOST_CHANGES or not (self.world.vault / name).exists():
            return
        now = self.world.read(name)
        blocks = self.blocks(text)
        if edit and not blocks:
            return
        if not edit:
            if now != text:
                self.unsure({word for word in words_of(now) ^ words_of(text) if self.fate[word] == FOUND})
                self.maybe_asked.add(name)
        else:
            block = rng.choice(blocks)
            text = text[:block.start(2)] + self.text(rng) + "\n" + text[block.end(2):]
            if block.group() in now:
                self.save(name, text, rng=rng)
                self.changes[name] += 1
                return self.took_out(words_of(block.group(2)))
            self.unsure(words_of(block.group(2)))
        self.save(name, text, rng=rng)
        self.changes[name] += 1
        self.undone = None

    def save_unchanged_buffer(self, rng):
        self.save_buffer(rng, edit=False)

    # --- loci ---

    def command(self, *words, may_fail=False):
        done = subprocess.run(self.world.command("--json", *words), env=self.world.environment, capture_output=True, text=True, timeout=120 * world.SLOWNESS)
        if done.returncode == 0:
            return json.loads(done.stdout)
        claim(may_fail, "loci", *words, "exit", done.returncode, done.stdout, done.stderr)
        self.why_failed = done.stderr
        return None

    def add(self, rng):
        text = self.text(rng)
        if self.daemon and rng.random() < 0.8:
            status, answer = self.daemon.ask("POST", "/memory/entries", {"text": text})
            claim(status == 201, "POST /memory/entries", status, answer)
        else:
            self.world.add(text)

    def add_some(self, rng):
        for _ in range(rng.randrange(2, 5)):
            self.add(rng)

    def consolidate(self, rng):
        # What a daemon writes just then is decided about in the next run.
        answer = self.command("consolidate", "--force", may_fail=self.daemon is not None) or self.command("consolidate", "--force")
        if answer.get("ran"):
            self.last_run = answer["run"]["run"]

    def rebuild(self, rng):
        self.command("consolidate", "--rebuild", may_fail=True)
        self.last_run = None
        self.buffer = None

    def kill(self, rng):
        run = self.world.start("consolidate", "--force", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.random() * 0.03)
        run.send_signal(signal.SIGKILL)
        run.wait()
        self.last_run = None

    def undo_run(self, rng):
        if self.last_run:
            # A reworded copy of what a run had written may be all that is left of it.
            if self.command("undo", self.last_run, may_fail=True):
                self.unsure({word for word in self.reworded if self.fate[word] == FOUND})
            self.last_run = None

    def some_entry(self, rng, layers):
        """Of those that are found, with all their words known; a list is answered at once, perhaps from before the last save."""
        if self.daemon:
            self.world.run("status", "--wait")
        if self.copied:
            self.command("resolve")  # a copy that was reworded gives up its name
        entries = [each for each in self.command("list", "--limit", "100000")["entries"]
                   if words_of(each["text"]) and each["file"] not in self.asked and each["kind"] == "fact" and each["layer"] in layers
                   and all(self.fate[word] == FOUND for word in words_of(each["text"]))]
        return rng.choice(entries) if entries else None

    def told_of(self, entry, *words):
        """A command about an entry. None: what was understood first, a reworded copy or an old buffer, took its id away."""
        done = self.command(words[0], entry["id"], *words[1:], may_fail=True)
        claim(done or entry["id"] not in {each["id"] for each in self.command("list", "--limit", "100000")["entries"]}, words[0], entry["id"], "failed")
        return done

    def forget(self, rng, layers=("L0", "L1")):
        if entry := self.some_entry(rng, layers):
            if self.told_of(entry, "forget") is None:
                return
            self.retired(words_of(entry["text"]))
            self.retired_words |= words_of(entry["text"])
            self.forgotten.append((entry["id"], words_of(entry["text"]), set()))

    def forget_fact(self, rng):
        """That was folded into an entry."""
        self.forget(rng, layers=("L2",))

    def correct_fact(self, rng):
        self.correct(rng, layers=("L2",))

    def correct(self, rng, layers=("L0", "L1")):
        if entry := self.some_entry(rng, layers):
            new = self.text(rng)
            [new_word] = words_of(new)
            self.corrections.add(new_word)
            done = self.told_of(entry, "correct", new)
            if done is None:
                why, listed = self.why_failed, self.command("list", "--limit", "100000")["entries"]
                claim(not any(new_word in each["text"] for each in listed), "a correction that failed was made:", why)
                del self.fate[new_word]
                return
            self.retired(words_of(entry["text"]))
            self.retired_words |= words_of(entry["text"])
            if entry["id"] in done["replaced"]:
                self.forgotten.append((entry["id"], words_of(entry["text"]), {new_word}))

    def restore(self, rng):
        if self.forgotten:
            id, words, instead = self.forgotten.pop(rng.randrange(len(self.forgotten)))
            if all(self.fate[word] == GONE for word in words) and (done := self.command("restore", id, may_fail=True)):
                for word in words:
                    self.fate[word] = FOUND
                self.retired_words -= words
                self.demoted -= words
                if done["gave_way"]:
                    self.corrections |= words  # said by a command, in the place of something else
                    for name in [name for name, asked in self.asked.items() if asked & instead]:  # whether that was meant to go
                        self.maybe_asked.add(name)
                        self.unsure(self.asked.pop(name) - words)
                    self.retired({word for word in instead if self.fate[word] != EITHER})
                    # What had corrected the correction, by hand too, goes with it.
                    went = set().union(*(words_of(self.command("show", each)["entry"]["text"]) for each in done["gave_way"]))
                    self.unsure(went - words - instead)
                    self.retired_words |= instead | went

    # --- git ---

    def git(self, *words, at=None, may_fail=False):
        environment = {name: value for name, value in self.world.environment.items() if name != "LD_PRELOAD"}
        done = subprocess.run(["git", "-C", str(at or self.world.vault), *words], env=environment, capture_output=True, text=True)
        claim(may_fail or done.returncode == 0, "git", *words, done.stdout, done.stderr)
        return done.returncode == 0

    def check_out(self, branch):
        """What a daemon has just written may stand in git's way: it is committed then, as a person does."""
        for _ in range(5):
            if self.git("checkout", "-q", branch, may_fail=True):
                return
            self.git("add", "-A")
            self.git("commit", "-q", "--allow-empty", "-m", "Before going on")
        self.git("checkout", "-q", branch)

    def commit(self, rng):
        if not self.with_git:
            self.world.run("init", "--git", self.world.vault)
            self.git("checkout", "-q", "-B", "main")
            self.with_git = True
            self.command("resolve")  # from now on it knows the branch that it writes on
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "All")

    def branch_and_back(self, rng, meanwhile=lambda: None):
        if not self.with_git:
            return
        self.commit(rng)
        if self.git("checkout", "-q", "-B", "side", f"HEAD~{rng.randrange(1, 4)}", may_fail=True):
            meanwhile()
            self.check_out("main")

    def run_on_a_branch(self, rng):
        """It must not start: what it wrote would be in the way back."""
        self.branch_and_back(rng, lambda: self.command("consolidate", "--force", may_fail=True))

    def edit_on_the_phone(self, rng):
        """A clone with git and an editor, and without loci; what it did is pulled."""
        self.commit(rng)
        if not self.phone:
            self.phone = self.world.scratch / "phone"
            self.git("clone", "-q", str(self.world.vault), str(self.phone), at=self.world.scratch)
        self.git("pull", "-q", "--ff-only", at=self.phone)
        for _ in range(rng.randrange(1, 3)):
            rng.choice([self.retype, self.remove, self.type_paragraph])(rng, base=self.phone)
        self.git("add", "-A", at=self.phone)
        self.git("commit", "-q", "--allow-empty", "-m", "On the way", at=self.phone)
        self.pass_time(rng)
        if not self.git("pull", "-q", "--ff-only", str(self.phone), "main", may_fail=True):
            # A daemon has written since the commit, and git says so: what was typed there is not here, and stays with the phone.
            typed = set().union(*(words_of(file.read_text()) for file in (self.phone / "consolidated").rglob("*.md")))
            self.unsure((typed - self.elsewhere()) | self.went_on_the_phone)
            self.went_on_the_phone = set()
            shutil.rmtree(self.phone)
            self.phone = None
            return
        for name in self.files():
            self.may_come_from_an_old_buffer(name, self.world.read(name))
        self.took_out(self.went_on_the_phone)
        self.went_on_the_phone = set()
        self.by_hand += 1
        self.undone = None

    # --- time ---

    def pass_time(self, rng):
        if self.clock:
            self.clock.set_ahead(self.clock.ahead + rng.choice((1, 20, 90)))

    def long_time(self):
        if not self.clock:
            return
        if self.daemon:
            self.daemon.stop()
        self.clock.set_ahead(self.clock.ahead + 1300)
        if self.daemon:
            self.daemon = RunningDaemon(self.world)

    # --- proof ---

    def check(self, rng=None):
        """Enough time passes, a run is made, and everything has to be as it was meant."""
        self.long_time()
        self.consolidate(None)
        if self.renamed:
            self.long_time()
            self.consolidate(None)
            self.renamed = False
        end = time.monotonic() + 20 * world.SLOWNESS
        while True:
            try:
                self.prove()
                break
            except Wrong:
                if not self.daemon or time.monotonic() > end:
                    raise
            time.sleep(0.05)
        self.changes.clear()
        self.moved.clear()
        self.undone = None

    def prove(self):
        self.world.run("status", "--wait")
        self.check_questions()
        entries = self.command("list", "--inactive", "--limit", "100000")["entries"]
        active = [each for each in entries if each["status"] == "active"]
        found = set().union(*(words_of(each["text"]) for each in active if each["layer"] != "L2"))
        beside = set().union(*(words_of(file.read_text()) for file in self.world.vault.rglob("*.loci-conflict-*")))
        unknown = set().union(*self.asked.values())
        wanted = {word for word, fate in self.fate.items() if fate == FOUND} - unknown
        claim(not wanted - found - beside, "lost:", sorted(wanted - found - beside))
        back = {word for word, fate in self.fate.items() if fate == GONE} & found - unknown
        claim(not back, "deleted, and there:", sorted(back), [each["file"] for each in active if words_of(each["text"]) & back])
        shown = words_of("".join(re.findall(r"-->\n(- .*\n)", self.world.read(CORE))))
        claim(not shown & self.demoted, "shown again:", sorted(shown & self.demoted))
        for name, text in self.notes.items():
            claim(self.world.read(name) == text, name, "was written to")
        facts = self.command("status")["facts"]
        held = [each for each in entries if each["file"].startswith("archive/") and each["kind"] == "fact"]
        claim(facts["total"] == facts["pending"] + facts["settled"] + facts["deleted"], facts)
        claim(facts["total"] == len(held), facts, "but the archive has", len(held))
        done = subprocess.run(self.world.command("doctor", "--json"), env=self.world.environment, capture_output=True, text=True)
        doctor = json.loads(done.stdout)
        claim(doctor["differences"] == [], "doctor:", doctor["differences"])
        expected = {"unresolved-edit", "unfinished-write", "edited-after-forget", "stands-after-forget", "conflict-file"}
        expected |= {"duplicate-id"} if self.copied else set()
        wrong = [problem for problem in doctor["problems"] if problem["code"] not in expected]
        claim(not wrong, "doctor:", wrong)

    def check_questions(self):
        questions = {question["file"]: question for question in self.command("resolve")["questions"]}
        standing = set(questions)
        for name in set(self.asked) - standing:  # it goes with a file that was renamed
            words = self.asked[name]
            if to := next((each for each in sorted(standing - set(self.asked)) if words_of(json.dumps(questions[each]["changes"])) & words), None):
                self.asked[to] = self.asked.pop(name)
        claim(set(self.asked) <= standing, "a question is gone that nobody answered:", set(self.asked) - standing)
        claim(standing <= set(self.asked) | self.maybe_asked, "asked about what was meant:", standing - set(self.asked) - self.maybe_asked)
        for name in standing & set(self.asked) & self.maybe_asked:  # renamed: what was taken out before loci saw that is missing under the old name
            self.asked[name] |= {word for word in words_of(json.dumps(questions[name]["changes"])) if self.fate[word] == GONE}
        for name in standing - set(self.asked):
            # And what these were made of, if they were reworded since: it is found as long as they may come back.
            earlier = set().union(*(words_of(text) for other in [name, *self.files()] for _, text in self.known(other)))
            self.asked[name] = words_of(json.dumps(questions[name]["changes"])) | {word for word in earlier if self.fate.get(word) in (GONE, EITHER)}

    def spoil(self, rng):
        """Loses a text or brings a deleted one back, and tells nobody: what the oracle is there to notice."""
        def oldest(fate):
            return min((word for word in self.fate if self.fate[word] == fate), key=lambda word: int(word[1:-1]), default=None)

        self.check()
        gone = oldest(GONE) if rng.random() < 0.5 else None
        if gone:
            self.world.write("notes/spoilt.md", f"Somebody said {gone}.\n")
            return
        word = oldest(FOUND)
        for file in self.world.vault.rglob("*.md"):
            text = file.read_text()
            if word in text:
                file.write_text(BLOCK.sub(lambda block: "" if word in block.group() else block.group(), text).replace(word, "nothing"))


# How often each is taken.
WEIGHTS = {"add": 6, "add_some": 3, "consolidate": 5, "write_note": 2, "forget": 2, "forget_fact": 1, "correct": 2, "correct_fact": 1,
           "restore": 1, "kill": 1, "rebuild": 1, "undo_run": 1, "retype": 4, "remove": 4, "type_paragraph": 2, "reorder": 1,
           "move_to_another_file": 2, "copy_to_another_file": 1, "merge_two": 1, "split": 1, "reformat": 1, "undo_in_the_editor": 2,
           "rename_file": 1, "clear_file": 1, "answer": 1, "retype_line": 3, "remove_line": 3, "type_line": 1, "open_buffer": 3,
           "save_buffer": 2, "save_unchanged_buffer": 1, "commit": 2, "branch_and_back": 1, "run_on_a_branch": 1, "edit_on_the_phone": 1, "check": 3}
ALWAYS = ("add", "add_some", "consolidate", "check")


def steps_of(rng, count):
    names = [name for name in WEIGHTS if not CHOSEN.only or name in ALWAYS or name in CHOSEN.only.split(",")]
    names = [name for name in names if name not in CHOSEN.without.split(",")]
    weights = [WEIGHTS[name] for name in names]
    return [(name, rng.randrange(1_000_000)) for name in ["add_some", "add_some", "consolidate", *rng.choices(names, weights, k=count)]]


def outcome(steps, with_daemon):
    """What went wrong, or nothing."""
    walk = Walk(with_daemon)
    name = "in the beginning"
    try:
        for name, number in steps:
            before = dict(walk.fate)
            getattr(walk, name)(random.Random(number))
            if CHOSEN.verbose:
                print(name, {word: fate for word, fate in walk.fate.items() if before.get(word) != fate}, flush=True)
            walk.pass_time(random.Random(number))
        name = "at the end"
        walk.check()
        claim(not walk.world.reported(), walk.world.reported())
    except (Wrong, AssertionError) as problem:
        if CHOSEN.keep:
            shutil.copytree(walk.world.scratch, os.path.join(CHOSEN.keep, walk.world.scratch.name), symlinks=True,
                            ignore=shutil.ignore_patterns("*.sock", "notify-*"))
        return f"{name}: {problem}"
    finally:
        walk.close()
    return ""


def kind_of(problem):
    return problem.split(":")[1:2]


def shrunk(steps, with_daemon, problem):
    """Fewer steps that go wrong in the same way: first large parts are left out, then single ones."""
    size = len(steps) // 2
    while size:
        start = 0
        while start < len(steps):
            fewer = steps[:start] + steps[start + size:]
            if kind_of(outcome(fewer, with_daemon)) == kind_of(problem):
                steps = fewer
            else:
                start += size
        size //= 2
    return steps


def as_script(steps):
    return " ".join(f"{name}:{number}" for name, number in steps)


def walk_number(number):
    rng = random.Random(f"{CHOSEN.seed}-{number}")
    steps = steps_of(rng, CHOSEN.steps)
    if CHOSEN.spoil:
        steps.append(("spoil", rng.randrange(1_000_000)))
    with_daemon = number % 2 == 1 and not CHOSEN.alone
    return steps, with_daemon, outcome(steps, with_daemon)


def report(steps, with_daemon, problem):
    options = f"--clock {CHOSEN.clock} " * bool(CHOSEN.clock) + "--daemon " * with_daemon
    command = f"edit_walk.py {CHOSEN.loci} {options}--replay"
    print(f"went wrong {problem}\n{command} '{as_script(steps)}'", file=sys.stderr, flush=True)
    if CHOSEN.whole:
        return
    fewer = shrunk(steps, with_daemon, problem)
    print(f"of {len(steps)} steps {len(fewer)} do it: {outcome(fewer, with_daemon) or problem}\n"
          f"{command} '{as_script(fewer)}'", file=sys.stderr, flush=True)


def main():
    if CHOSEN.replay:
        steps = [(name, int(number)) for name, number in (step.split(":") for step in CHOSEN.replay.split())]
        problem = outcome(steps, CHOSEN.daemon)
        print(problem or "all is as it was meant", flush=True)
        if problem and not CHOSEN.whole:
            print(as_script(shrunk(steps, CHOSEN.daemon, problem)))
        return 1 if problem else 0
    print(f"seed {CHOSEN.seed}", flush=True)
    began, done, failed = time.monotonic(), 0, 0
    with concurrent.futures.ProcessPoolExecutor(CHOSEN.jobs) as pool:
        while done < CHOSEN.walks and time.monotonic() - began < CHOSEN.seconds:
            portion = range(done, min(done + 4 * CHOSEN.jobs, CHOSEN.walks))
            for steps, with_daemon, problem in pool.map(walk_number, portion):
                if problem:
                    failed += 1
                    if (failed <= 3 or CHOSEN.whole) and not CHOSEN.spoil:
                        report(steps, with_daemon, problem)
            done += len(portion)
    took = f"{done} walks of {CHOSEN.steps} steps in {time.monotonic() - began:.0f} s"
    if CHOSEN.spoil:
        failed = done - failed
        print(f"{took}: all were spoilt, {failed} of that went unnoticed", flush=True)
    else:
        print(f"{took}: {failed} went wrong", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
