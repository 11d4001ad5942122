"""The manual page and the completion scripts know every command and option that the program has, and no other.

usage: manual_test.py LOCI
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOCI = sys.argv.pop(1)


def loci(*words):
    return subprocess.run([LOCI, *words], capture_output=True, text=True, check=True).stdout


def commands():
    return re.findall(r"^  (\S+) +\S", loci("help"), re.M)


def options(command):
    return re.findall(r"^  (--\S+)", loci("help", command), re.M)


def manual_sections():
    """command -> its part of the manual"""
    text = (ROOT / "docs/loci.1").read_text(encoding="utf-8").replace("\\-", "-")
    parts = re.split(r"^\.It Nm Cm (\S+)", text.split(".Sh COMMANDS")[1].split(".Sh QUERIES")[0], flags=re.M)
    return dict(zip(parts[1::2], parts[2::2])), text.split(".Sh COMMANDS")[0]


class Manual(unittest.TestCase):
    def test_mandoc_has_nothing_to_say(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not installed")
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", ROOT / "docs/loci.1"], capture_output=True, text=True)
        self.assertEqual((lint.returncode, lint.stdout, lint.stderr), (0, "", ""))

    def test_every_command_and_option_is_described(self):
        sections, common = manual_sections()
        self.assertEqual(set(commands()), set(sections))
        for command in commands():
            for option in options(command):
                name = option[2:]
                self.assertRegex(sections[command] + common, rf"-{re.escape(name)}\b", f"{command} {option}")

    def test_nothing_is_described_that_is_not_there(self):
        sections, _ = manual_sections()
        for command, text in sections.items():
            for name in re.findall(r"(?:Fl|,) --?([a-z][a-z-]+)", text.split("\n.El\n.El")[0]):
                self.assertIn("--" + name, options(command), command)


class Agents(unittest.TestCase):
    def test_every_tool_resource_and_prompt_is_described_and_nothing_else(self):
        text = (ROOT / "docs/loci.1").read_text(encoding="utf-8").replace("\\-", "-").split(".Sh AGENTS")[1].split(".Sh ")[0]
        asked = ["tools/list", "resources/list", "prompts/list"]
        lines = [json.dumps({"jsonrpc": "2.0", "id": method, "method": method}) for method in asked]
        done = subprocess.run([LOCI, "mcp"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
        tools, resources, prompts = (json.loads(line)["result"] for line in done.stdout.splitlines())
        names = [tool["name"] for tool in tools["tools"]]
        self.assertEqual(re.findall(r"^\.It Li (\S+)$", text, re.M), names)
        for name in [*(one["uri"] for one in resources["resources"]), *(one["name"] for one in prompts["prompts"])]:
            self.assertRegex(text, rf"\b{re.escape(name)}\b")


class Completion(unittest.TestCase):
    def test_the_scripts_in_docs_are_what_the_program_prints(self):
        for shell, name in (("bash", "loci.bash"), ("zsh", "_loci"), ("fish", "loci.fish")):
            stored = (ROOT / "docs/completion" / name).read_text(encoding="utf-8")
            self.assertEqual(loci("completion", shell), stored, f"loci completion {shell} > docs/completion/{name}")

    def test_the_scripts_parse(self):
        for shell, name, check in (("bash", "loci.bash", ["bash", "-n"]), ("zsh", "_loci", ["zsh", "-n"]), ("fish", "loci.fish", ["fish", "-n"])):
            if shutil.which(shell):
                done = subprocess.run([*check, ROOT / "docs/completion" / name], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)

    def complete(self, *words):
        """What bash offers for the last word."""
        script = (f"source {ROOT}/docs/completion/loci.bash; COMP_WORDS=(loci {' '.join(repr(w) for w in words)}); "
                  f"COMP_CWORD={len(words)}; _loci; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split()

    def test_bash_offers_commands_options_and_values(self):
        self.assertIn("search", self.complete("se"))
        self.assertEqual(self.complete("search", "--thr"), ["--threads"])
        self.assertEqual(self.complete("search", "--layer", ""), ["L0", "L1", "L2"])
        self.assertEqual(self.complete("--vault", "/nowhere", "completion", "z"), ["zsh"])
        self.assertEqual(self.complete("export", "--to", "m"), ["mem0", "md"])
        self.assertEqual(self.complete("count", "--encoding", "o"), ["o200k_base"])
        self.assertIn("search", self.complete("help", "s"))

    def test_bash_offers_each_word_of_a_command_what_belongs_there(self):
        self.assertEqual(self.complete("task", "c"), ["complete"])
        self.assertEqual(self.complete("task", "complete", "s"), [], "an id of a task, and no other action")
        self.assertEqual(self.complete("service", "--credential", "key:FILE", "i"), ["install"], "an option's value is no word of the command")
        self.assertEqual(self.complete("service", "install", "r"), [], "one is enough")

    def test_restore_is_offered_what_was_ended_with_its_words_beside(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            environment = os.environ | {"HOME": str(folder), "XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder / "config"),
                                        "LOCI_VAULT": str(folder / "vault"), "PATH": f"{folder}:{os.environ['PATH']}"}
            (folder / "loci").symlink_to(pathlib.Path(LOCI).resolve())
            run = lambda *words: subprocess.run(words, capture_output=True, text=True, check=True, env=environment).stdout
            run("loci", "init", str(folder / "vault"))
            entries = "".join(f'<!--m {{"id":"{id}"}}-->\n{text}\n\n' for id, text in (("aa1", "It is * red."), ("aa2", "It is green."), ("bb", "It is blue.")))
            (folder / "vault/archive").mkdir(exist_ok=True)
            (folder / "vault/archive/2026-01-02.md").write_text(entries)
            (folder / "vault/consolidated/memory.md").write_text('<!--m {"id":"c1"}-->\nIt is grey.\n')
            run("loci", "forget", "aa1")
            run("loci", "correct", "aa2", "It is yellow.")
            run("loci", "forget", "c1")
            self.assertEqual(run("loci", "__complete", "ended", "").splitlines(), ["c1\tIt is grey.", "aa2\tIt is green.", "aa1\tIt is * red."])
            for typed, offered in (("a", ["aa2  It is green.", "aa1  It is * red."]), ("aa1", ["aa1"]), ("b", [])):
                script = (f"source {ROOT}/docs/completion/loci.bash; COMP_WORDS=(loci restore {typed}); COMP_CWORD=2; _loci; "
                          f"printf '%s\\n' \"${{COMPREPLY[@]}}\"")
                self.assertEqual([line for line in run("bash", "-c", script).split("\n") if line], offered, typed)
            if shutil.which("fish"):
                asked = f"source {ROOT}/docs/completion/loci.fish; complete -C 'loci restore a'"
                self.assertEqual(sorted(run("fish", "--no-config", "-c", asked).splitlines()), ["aa1\tIt is * red.", "aa2\tIt is green."])

    def test_fish_offers_the_same(self):
        if not shutil.which("fish"):
            self.skipTest("there is no fish")
        for line, offered in (("task c", ["complete"]), ("task complete s", []), ("service --credential key:FILE i", ["install"]),
                              ("service install r", []), ("export --to m", ["mem0", "md"]), ("--vault /nowhere completion z", ["zsh"]),
                              ("help sea", ["search"])):
            asked = f"source {ROOT}/docs/completion/loci.fish; complete -C 'loci {line}'"
            with tempfile.TemporaryDirectory() as home:
                done = subprocess.run(["fish", "--no-config", "-c", asked], capture_output=True, text=True, check=True, env=os.environ | {"HOME": home})
            self.assertEqual(sorted(each.split("\t")[0] for each in done.stdout.splitlines()), sorted(offered), line)


if __name__ == "__main__":
    unittest.main()
