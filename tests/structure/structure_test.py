"""The structure of the project, checked on its files: who includes whom, which tests run, what the README promises."""
import functools
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# A folder that became several has rooms, each with a place in the order.
VAULT = ["vault/layout", "vault/purge", "vault/git", "vault/logs", "vault/rewrite", "vault/archive", "vault/changes"]
CONSOLIDATE = ["consolidate/decide", "consolidate/runs", "consolidate/promote"]

# Who may include whom. base is open to all; a folder, or a room, may always include itself.
ALLOWED = {
    "base": set(),
    "parser": set(),
    "vault/layout": {"parser"},
    "vault/purge": {"parser", "vault/layout"},
    "vault/git": {"parser", "vault/layout"},
    "vault/logs": {"parser", "vault/layout", "vault/purge", "vault/git"},
    "vault/rewrite": {"parser", "vault/layout", "vault/purge", "vault/git", "vault/logs"},
    "vault/archive": {"parser", "vault/layout", "vault/purge", "vault/git", "vault/logs", "vault/rewrite"},
    "vault/changes": {"parser", "vault/layout", "vault/purge", "vault/git", "vault/logs", "vault/rewrite", "vault/archive"},
    "indexer": {"parser", *VAULT},
    "recall": {"parser", *VAULT, "indexer", "tokens"},
    "words": {"parser", "indexer", "recall"},
    "memory": {"parser", *VAULT, "indexer", "recall", "words"},
    "watcher": set(),
    "tokens": set(),
    "http": set(),
    "edits": {"parser", *VAULT, "indexer", "memory"},
    "sync": {"parser", *VAULT, "indexer", "memory", "edits"},
    "model": {"tokens"},
    "embeddings": {"parser", *VAULT, "indexer", "recall", "memory", "model", "tokens"},
    "capture": {"parser", *VAULT, "indexer", "recall", "words", "memory", "model", "tokens"},
    "context": {"parser", *VAULT, "indexer", "recall", "memory", "tokens", "capture"},
    "agents": {"parser", *VAULT, "indexer", "recall", "memory", "http", "model", "tokens", "capture", "context"},
    "importers": {"parser", *VAULT, "indexer", "memory", "capture", "agents"},
    "consolidate/decide": {"parser", *VAULT, "indexer", "recall", "words", "memory", "model"},
    "consolidate/runs": {"parser", *VAULT, "indexer", "recall", "words", "memory", "edits", "model", "consolidate/decide"},
    "consolidate/promote": {"parser", *VAULT, "indexer", "recall", "words", "memory", "edits", "model", "consolidate/decide", "consolidate/runs"},
    "consolidate": {"parser", *VAULT, "indexer", "recall", "words", "memory", "edits", "model", "tokens", *CONSOLIDATE},
    "operations": {"parser", *VAULT, "indexer", "recall", "words", "memory", "edits", "model", "tokens", "capture", "context", "agents", *CONSOLIDATE, "consolidate"},
    "mcp": {"parser", *VAULT, "indexer", "recall", "memory", "operations"},
    "panel": {"http"},
    "daemon": {"parser", *VAULT, "watcher", "indexer", "recall", "memory", "edits", "sync", "http", "model", "embeddings", "capture", "context", "agents", *CONSOLIDATE, "consolidate",
               "operations", "mcp", "panel"},
    "cli": {"parser", *VAULT, "indexer", "recall", "memory", "tokens", "edits", "sync", "http", "model", "embeddings", "capture", "context", "agents", "importers", *CONSOLIDATE, "consolidate",
            "operations", "mcp", "panel", "daemon"},
}

# A C library's header, or a heavy one, belongs to one source file.
ONE_FILE_HEADERS = {
    r"cmark": {"parser/blocks.cpp"},
    r"^yaml\.h$": {"parser/yaml.cpp"},
    r"sqlite3\.h|sqlite3ext\.h": {"indexer/sqlite.cpp", "indexer/fts5_api.h", "indexer/fts_tokenizer.cpp", "indexer/term_collector.cpp"},
    r"libstemmer": None,
    r"toml\+\+": None,
    r"nlohmann/": {"base/json.cpp"},
    r"CLI/": None,
    r"xxhash\.h|openssl/": {"base/hash.cpp"},
    r"utf8proc": {"base/unicode.cpp"},
    r"pcre2": None,
    r"spdlog|fmt/": {"base/log.cpp"},
    r"boost/(asio|beast/(core|http|websocket|ssl))": {"http/acceptor.h", "http/client.cpp", "http/connection.cpp", "http/connection.h", "http/server.cpp"},
    r"minizip": {"importers/zip_file.cpp"},
    r"sys/inotify\.h": {"watcher/inotify_limits.cpp", "watcher/inotify_watcher.cpp"},
    r"systemd/": {"daemon/service_manager.cpp"},
    r"curl/": {"model/http_client.cpp"},
}

INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)


def sources():
    for folder in ALLOWED:
        for file in sorted((ROOT / folder).rglob("*")):
            name = file.relative_to(ROOT).as_posix()
            if file.suffix in (".h", ".cpp") and place_of(name) == folder:
                yield folder, name, INCLUDE.findall(file.read_text(encoding="utf-8"))


def place_of(name):
    """The folder, or the room, that a file of this name belongs to."""
    parts = name.split("/")
    room = "/".join(parts[:2])
    return room if len(parts) > 2 and room in ALLOWED else parts[0]


def wrong_includes(folder, includes):
    reached = {place_of(name) for name in includes if "/" in name}
    ours = set(ALLOWED) | {"vault", "tests", "bench"}
    return (reached & ours) - ALLOWED[folder] - {folder, "base"}


class Includes(unittest.TestCase):
    def test_folders_include_only_what_stands_before_them(self):
        for folder, file, includes in sources():
            self.assertEqual(wrong_includes(folder, includes), set(), file)

    def test_an_include_against_the_order_is_noticed(self):
        self.assertEqual(wrong_includes("parser", ["base/json.h", "vault/layout/vault.h"]), {"vault/layout"})
        self.assertEqual(wrong_includes("vault/logs", ["vault/layout/vault.h", "vault/archive/append.h"]), {"vault/archive"})
        self.assertEqual(wrong_includes("memory", ["vault/vault.h"]), {"vault"})
        self.assertEqual(wrong_includes("consolidate/decide", ["consolidate/runs/undo.h", "consolidate/gates.h"]), {"consolidate/runs", "consolidate"})
        self.assertEqual(wrong_includes("recall", ["tests/support/x.h"]), {"tests"})

    def test_the_header_of_a_library_has_one_home(self):
        for pattern, homes in ONE_FILE_HEADERS.items():
            users = {file for _, file, includes in sources() for name in includes if re.search(pattern, name)}
            if homes is None:
                self.assertLessEqual(len(users), 1, f"{pattern}: {sorted(users)}")
            else:
                self.assertLessEqual(users, homes, pattern)


def types_in(text, file):
    """(namespace, name) of each type that a header, or a source outside of an unnamed namespace, defines at column one."""
    spaces = []
    for line in text.splitlines():
        if opened := re.match(r"(?:inline )?namespace ?([\w:]*) \{", line):
            spaces.append(opened[1] or file)  # an unnamed one is its file's own
        elif line.startswith("}  // namespace"):
            spaces.pop()
        elif named := re.match(r"(?:struct|class) (?:\[\[\w+\]\] )?(\w+)(?: final)?(?: :[^;]*)? ?\{", line):
            yield "::".join(spaces), named[1]


class Names(unittest.TestCase):
    """Two types of one name are one to the linker: the program does something wrong, and no tool says so."""

    @staticmethod
    def twice(files):
        homes = {}
        for file, text in files.items():
            for name in types_in(text, file):
                homes.setdefault(name, set()).add(file)
        return {name: sorted(where) for name, where in homes.items() if len(where) > 1}

    def test_no_two_types_have_one_name(self):
        folders = sorted({folder.split("/")[0] for folder in ALLOWED})
        files = {str(file.relative_to(ROOT)): file.read_text() for folder in folders for file in (ROOT / folder).rglob("*")
                 if file.suffix in (".h", ".cpp")}
        self.assertEqual(self.twice(files), {})

    def test_two_types_of_one_name_are_noticed(self):
        one, other = "namespace loci {\nstruct Turn {\n", "namespace loci {\nnamespace {\nclass Turn final : Base {\n"
        self.assertEqual(self.twice({"a.h": one, "b.cpp": other}), {})
        self.assertEqual(self.twice({"a.h": one, "c.cpp": other.replace("namespace {\n", "")}), {("loci", "Turn"): ["a.h", "c.cpp"]})


DEFINED_NAME = re.compile(r"(?:template ?<.*?> )?(?:(?:constexpr|const|constinit|static|inline|extern|thread_local|\[\[\w+\]\]) )*"
                          r"(?:(?:struct|class|enum class|enum|using) (\w+)|[\w:<>,&* \[\]]+?[ &*](\w+)(?: ?[(={;\[]))")


def defined_names(text, is_own):
    """What is defined or declared at column one in unnamed namespaces (is_own), or outside of them: name -> line."""
    names, is_unnamed = {}, False
    for line in text.splitlines():
        if line.startswith("namespace {"):
            is_unnamed = True
        elif line.startswith("}  // namespace"):
            is_unnamed = False
        elif is_unnamed == is_own and re.match(r"\w|\[\[", line) and not re.match(r"using namespace|using [\w:]+;|namespace ", line):
            if found := DEFINED_NAME.match(line):
                names.setdefault(found[1] or found[2], line)
    names.pop("operator", None)
    return names


def not_alone(texts):
    """Of sources that are compiled together, those that have a name of their own in common, unless all say the same `using`."""
    homes = {}
    for file, text in texts.items():
        for name, line in defined_names(text, is_own=True).items():
            homes.setdefault(name, {})[file] = line
    return {name: sorted(where) for name, where in homes.items()
            if len(where) > 1 and not (len(set(where.values())) == 1 and next(iter(where.values())).startswith("using"))}


class Headers:
    """Our headers, each read once: which are reached from a text, and what one defines. READ is a name to its text, or nothing."""

    def __init__(self, read):
        text_of = functools.cache(read)
        self.names = functools.cache(lambda name: frozenset(defined_names(text_of(name), is_own=False)))
        self.below = functools.cache(lambda name: frozenset() if text_of(name) is None else self.reached(text_of(name)) | {name})

    def reached(self, text):
        return frozenset().union(*(self.below(name) for name in INCLUDE.findall(text)))


def met_in_headers(texts, headers):
    """Of sources that are compiled together, those that have a name of their own that a header has, which only others of them include."""
    reached = {file: headers.reached(text) for file, text in texts.items()}
    homes = {}
    for header in frozenset().union(*reached.values()):
        for name in headers.names(header):
            homes.setdefault(name, set()).add(header)
    return {(file, name): sorted(strange) for file, text in texts.items() for name in defined_names(text, is_own=True)
            if (strange := homes.get(name, set()) - reached[file])}


class UnityBuild(unittest.TestCase):
    """With LOCI_UNITY_BUILD the sources of a folder share one unnamed namespace and all their headers, but for those that its
    CMakeLists.txt has ALONE. Two functions of one name may even compile there, and a call mean the other."""

    @staticmethod
    def read(name):
        return (ROOT / name).read_text(encoding="utf-8") if (ROOT / name).is_file() else None

    def test_sources_that_are_compiled_together_have_no_name_in_common(self):
        headers = Headers(self.read)
        for lists in sorted(file for top in [*{folder.split("/")[0] for folder in ALLOWED}, "tests"] for file in (ROOT / top).rglob("CMakeLists.txt")):
            for call in re.findall(r"^\s*loci_(?:library|test)\(([^)]*)\)", lists.read_text(encoding="utf-8"), re.M):
                folder = lists.parent.relative_to(ROOT)
                together = re.split(r"\b(?:ALONE|FOLDERS|LIBRARIES)\b", call)[0].split()
                texts = {name: text for name in together if (text := self.read(folder / name)) is not None}
                self.assertEqual(not_alone(texts), {}, f"{folder}/CMakeLists.txt: name one of the files of each name after ALONE")
                self.assertEqual(met_in_headers(texts, headers), {}, f"{folder}/CMakeLists.txt: name these files after ALONE")

    def test_a_name_in_common_is_noticed(self):
        one = "namespace loci {\nnamespace {\n\nusing Kind = Value::Kind;\nbool is_blank(std::string_view text) {\n  int n = 0;\n}\n\n}  // namespace\n"
        self.assertEqual(not_alone({"a.cpp": one, "b.cpp": one.replace("std::string_view", "const std::string&")}), {"is_blank": ["a.cpp", "b.cpp"]})
        self.assertEqual(not_alone({"a.cpp": one, "b.cpp": one.replace("is_blank", "is_empty").replace("Value", "Fact")}), {"Kind": ["a.cpp", "b.cpp"]})
        self.assertEqual(not_alone({"a.cpp": one, "b.cpp": one.replace("is_blank", "is_empty")}), {})
        self.assertEqual(not_alone({"a.cpp": one, "b.cpp": one.replace("namespace {\n", "").replace("Kind = Value::", "")}), {})
        many = "namespace {\nconstexpr const char* file = 1;\nconstexpr OptionSpec options[] = {\nstruct Case {\nstd::vector<std::string> ids_of(\n}  // namespace\n"
        self.assertEqual(sorted(not_alone({"a.cpp": many, "b.cpp": many})), ["Case", "file", "ids_of", "options"])

    def test_a_name_of_a_header_of_others_is_noticed(self):
        texts = {"outer.h": '#include "inner.h"\n', "inner.h": "namespace loci {\nclass Settling {\n  int n;\n};\n}  // namespace loci\n"}
        headers = Headers(texts.get)
        own = "namespace loci {\nnamespace {\nclass Settling {\n};\n}  // namespace\n"
        other = '#include "outer.h"\n'
        self.assertEqual(met_in_headers({"a.cpp": own, "b.cpp": other}, headers), {("a.cpp", "Settling"): ["inner.h"]})
        self.assertEqual(met_in_headers({"a.cpp": other + own, "b.cpp": other}, headers), {})
        self.assertEqual(met_in_headers({"a.cpp": own, "b.cpp": ""}, headers), {})


class Tests(unittest.TestCase):
    def test_every_test_file_is_registered(self):
        for file in sorted((ROOT / "tests").rglob("*_test.*")):
            if file.suffix not in (".cpp", ".py"):
                continue
            lists = (file.parent / "CMakeLists.txt").read_text(encoding="utf-8")
            self.assertIn(file.name, lists, f"{file.relative_to(ROOT)} is not run by any test program")


SETTING = re.compile(r'ConfigKey\{"([^"]+)", \[\]\(Config& c, Model(?: m)?\) \{ return &c\.([\w.\[\]]+); \}')


def unread_settings(table, texts):
    """The settings of the table whose section and field no source names together."""
    unread = []
    for key, member in SETTING.findall(table):
        section, _, field = member.replace("[m]", "").rpartition(".")
        section = re.sub(r"\W.*", "", section)
        reads = re.compile(rf"(\.|->){field}\b")
        if not any(reads.search(text) and re.search(rf"\b{section}", text, re.I) for text in texts):
            unread.append(key)
    return unread


class Settings(unittest.TestCase):
    def test_every_setting_is_read_by_code_outside_their_table(self):
        table = (ROOT / "vault/layout/config_schema.cpp").read_text(encoding="utf-8")
        self.assertEqual(len(SETTING.findall(table)), table.count('ConfigKey{"'), "a row of the table is written otherwise")
        texts = [(ROOT / file).read_text(encoding="utf-8") for _, file, _ in sources()
                 if not re.match(r"vault/layout/config(_schema|_edit)?\.", file)]
        self.assertEqual(unread_settings(table, texts), [])

    def test_the_panel_says_what_each_setting_is_for(self):
        table = (ROOT / "vault/layout/config_schema.cpp").read_text(encoding="utf-8")
        words = (ROOT / "panel/page/settings_words.js").read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r"^  '?([\w.*]+)'?: ", words, re.M)), set(re.findall(r'ConfigKey\{"([^"]+)"', table)))

    def test_what_the_panel_mends_are_problems_that_there_are(self):
        page = (ROOT / "panel/page/health.js").read_text(encoding="utf-8")
        codes = re.findall(r"^  '?([\w-]+)'?: ", page[page.index("const mends = {"):page.index("};", page.index("const mends = {"))], re.M)
        self.assertTrue(codes)
        texts = "".join((ROOT / file).read_text(encoding="utf-8") for _, file, _ in sources())
        self.assertEqual([code for code in codes if f'"{code}"' not in texts], [])

    def test_a_setting_that_nothing_reads_is_noticed(self):
        row = 'ConfigKey{"recall.limit", [](Config& c, Model) { return &c.recall.limit; }, 1, 1000},'
        self.assertEqual(unread_settings(row, ["config().recall.limit"]), [])
        self.assertEqual(unread_settings(row, ["options.limit", "config().recall.floor"]), ["recall.limit"])


class Promises(unittest.TestCase):
    def test_continuous_integration_runs_the_command_of_the_readme(self):
        self.assertIn("exec scripts/test", (ROOT / ".ci/run").read_text(encoding="utf-8"))
        commands = re.findall(r"^\s*(scripts/\S+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
        self.assertIn("scripts/test", commands)
        self.assertIn("scripts/run", commands)
        for command in commands:
            self.assertTrue((ROOT / command).is_file(), command)


if __name__ == "__main__":
    unittest.main()
