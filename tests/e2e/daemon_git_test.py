"""git and the daemon in one folder: neither is in the other's way, and nothing that was added is lost between branches."""
import random
import re
import subprocess
import threading
import time
import unittest

import world
from daemon_case import DaemonCase
from running_daemon import until

FILES = 1_000 if world.SCALE < 10 else 5_000
CHECKOUTS = 3 if world.SCALE == 1 else 5 * world.SCALE
OPERATIONS = 20 * world.SCALE
MARKER = re.compile(r"^(<{7}|={7}|>{7}|\|{7})( |$)", re.M)
DURABLE = ('<!--m {"id":"k1","first_seen":"2026-01-02","updated":"2026-01-02","sources":["2026-01-02"],"source":"user"}-->\n'
           "The user prefers tea.\n")


class GitCase(DaemonCase):
    def setUp(self):
        super().setUp()
        who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER")
               for what, value in (("NAME", "Tester"), ("EMAIL", "tester@example.org"))}
        self.world.environment |= who | {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_EDITOR": "true",
                                         "GIT_TERMINAL_PROMPT": "0"}
        self.world.run("init", self.world.vault, "--git")
        self.git("checkout", "-q", "-b", "main")

    def git(self, *words, may_fail=False):
        """What it printed; nothing if it failed. It never meets a lock of ours."""
        done = subprocess.run(["git", "-C", str(self.world.vault), *words], env=self.world.environment, capture_output=True, text=True)
        self.assertNotIn("index.lock", done.stderr)
        if not may_fail:
            self.assertEqual(done.returncode, 0, f"git {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout or "\n" if done.returncode == 0 else ""

    def commit(self, message="All"):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def add_all_the_time(self):
        """Adds until stop_adding() is called, a command at a time."""
        self.added = []
        self.enough = threading.Event()
        self.between_adds = threading.Lock()

        def add():
            while not self.enough.wait(0.005):
                text = f"Said behind git's back, zq{len(self.added)}x."
                with self.between_adds:
                    if self.world.start("add", text, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).wait() == 0:
                        self.added.append(text)

        self.adder = threading.Thread(target=add)
        self.adder.start()
        self.addCleanup(self.stop_adding)

    def stop_adding(self):
        self.enough.set()
        self.adder.join()

    def conflict(self):
        """A merge that git cannot do: it stands there until it is ended."""
        self.world.write("note.md", "Tea is best.\n")
        self.world.write("consolidated/memory.md", DURABLE)
        self.commit()
        for branch, drink in (("topic", "Coffee"), ("main", "Water")):
            self.git("checkout", "-q", *(("-b",) if branch == "topic" else ()), branch)
            self.world.write("note.md", f"{drink} is best.\n")
            self.commit()
        self.git("merge", "topic", may_fail=True)
        self.assertIn("<<<<<<<", self.world.read("note.md"))


class Checkouts(GitCase):
    def test_the_index_follows_every_checkout_of_thousands_of_files(self):
        self.daemon()
        for branch in ("one", "two"):
            self.git("checkout", "-q", "-b", branch)
            for i in range(FILES):
                self.world.write(f"n{i % 20}/f{i}.md", f"Note {i} of branch {branch}.\n")
            self.commit()
        self.git("rm", "-q", *(f"n{i % 20}/f{i}.md" for i in range(0, FILES, 10)))
        self.commit()
        expected = {"one": {f"Note {i} of branch one." for i in range(FILES)},
                    "two": {f"Note {i} of branch two." for i in range(FILES) if i % 10}}
        self.add_all_the_time()
        for i in range(CHECKOUTS):
            branch = ("one", "two")[i % 2]
            self.git("checkout", "-q", branch)
            self.world.run("status", "--wait")
            notes = {text for text in self.world.texts() if text.startswith("Note ")}
            self.assertEqual(notes, expected[branch])
        self.stop_adding()
        self.assert_index_is_right()
        self.assert_each_once(self.added)
        self.assertGreater(len(self.added), 0)


class Conflicts(GitCase):
    def test_while_git_is_in_the_middle_nothing_is_rewritten_and_what_is_added_goes_to_files_of_its_own(self):
        self.daemon()
        self.world.add("Said before.")
        self.conflict()
        before = self.world.tree()
        self.world.add("Said meanwhile.")
        self.world.add("Said meanwhile, too.")
        self.world.run("edit", "k1", "--text", "The user prefers water.", code=5)
        self.world.start("forget", "k1", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).wait()
        self.assertEqual({name: self.world.tree()[name] for name in before}, before)
        fresh = sorted(set(self.world.tree()) - set(before))
        self.assertEqual(len(fresh), 1, fresh)
        self.assertEqual(self.world.texts("--file", fresh[0]), ["Said meanwhile, too.", "Said meanwhile."])
        self.git("merge", "--abort")
        self.assert_index_is_right()
        self.assert_each_once(["Said before.", "Said meanwhile.", "Said meanwhile, too."])

    def test_both_sides_of_a_conflict_are_found_and_its_markers_are_not(self):
        self.daemon()
        self.conflict()
        self.assert_index_is_right()
        texts = self.world.texts()
        self.assertIn("Coffee is best.", texts)
        self.assertIn("Water is best.", texts)
        self.assertEqual([text for text in texts if MARKER.search(text)], [])


class RandomOperations(GitCase):
    def setUp(self):
        super().setUp()
        self.rng = random.Random(world.SCALE)
        self.count = 0

    def check_no_markers(self):
        self.world.run("status", "--wait")
        self.assertEqual([text for text in self.world.texts() if MARKER.search(text)], [])

    def edit(self):
        self.count += 1
        name = f"note{self.rng.randrange(3)}.md"
        old = self.world.read(name) if (self.world.vault / name).exists() else ""
        line = f"- Edit {self.count} by hand.\n"
        self.world.write(name, line + old if self.rng.random() < 0.5 else old + line)

    def take_out_markers(self):
        for name in self.git("diff", "--name-only", "--diff-filter=U").split():
            file = self.world.vault / name
            if file.exists():
                file.write_text("".join(line for line in file.read_text().splitlines(True) if not MARKER.match(line)))

    def end(self, *go_on):
        """Ends what git could not do alone: both sides of each conflict stay."""
        for _ in range(50):
            with self.between_adds:
                self.take_out_markers()
            self.git("add", "-A")
            if not go_on or self.git(*go_on, may_fail=True):
                return
            if not (self.world.vault / ".git/rebase-merge").exists():
                return
            self.git("rebase", "--skip", may_fail=True) if not self.git("status", "--porcelain") else None
        self.git("rebase", "--abort")

    def stash_and_pop(self):
        if "No local changes" in self.git("stash"):
            return
        while True:
            self.commit()
            if self.git("stash", "pop", may_fail=True):
                return self.commit()
            if self.git("diff", "--name-only", "--diff-filter=U").strip():
                self.check_no_markers()
                self.end()
                self.git("stash", "drop")
                return self.commit()

    def operate(self):
        other = {"main": "topic", "topic": "main"}[self.git("branch", "--show-current").strip()]
        kind = self.rng.choice(("merge", "merge", "rebase", "stash", "checkout"))
        self.edit()
        if kind == "stash":
            return self.stash_and_pop()
        self.commit()
        if kind == "checkout":
            self.git("checkout", "-q", other, may_fail=True)  # git itself refuses if something was added since
        elif not (self.git("merge", "--no-edit", other, may_fail=True) if kind == "merge" else self.git("rebase", other, may_fail=True)):
            self.check_no_markers()
            ending = self.rng.random()
            if (self.world.vault / ".git/MERGE_HEAD").exists():
                self.git("merge", "--abort", may_fail=True) if ending < 0.3 else self.end("commit", "-q", "--no-edit")
            elif (self.world.vault / ".git/rebase-merge").exists():
                self.git("rebase", "--abort") if ending < 0.3 else self.end("rebase", "--continue")

    def lose_nothing(self, look_after):
        """`look_after` has what the last operation wrote over looked for, if nobody does so by himself."""
        self.edit()
        self.commit()
        self.git("branch", "topic")
        self.add_all_the_time()
        for _ in range(OPERATIONS):
            self.operate()
        self.stop_adding()
        self.commit()
        self.assert_index_is_right()
        self.check_no_markers()
        kept = self.git("log", "--all", "--reflog", "-p", "-m", "--no-color", "--", "archive")

        def lost():
            look_after()
            self.world.run("status", "--wait")
            here = set(self.world.texts())
            return [text for text in self.added if text not in kept and text not in here]

        until(lambda: not lost(), seconds=120)
        self.assertEqual(lost(), [])
        self.assertGreater(len(self.added), 0)

    def test_merges_rebases_and_stashes_lose_nothing_that_was_added_meanwhile(self):
        self.daemon()
        self.lose_nothing(look_after=lambda: None)

    def test_nor_do_they_without_a_daemon(self):
        self.lose_nothing(look_after=lambda: self.world.add("Whoever writes next looks."))


if __name__ == "__main__":
    unittest.main()
