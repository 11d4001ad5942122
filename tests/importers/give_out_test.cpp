#include "importers/give_out.h"

#include "importers/importers.h"
#include "memory/add.h"
#include "memory/exported_entry.h"
#include "memory/import.h"
#include "memory/may_send.h"
#include "operations/parameter.h"
#include "tests/memory/memory_fixture.h"
#include "tests/support/faulty_file_system.h"

namespace loci::importers {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

class GiveOut : public MemoryTest {
 protected:
  GiveOut() { clock.advance(parse_time("2026-03-01T12:00:00Z").value() - clock.now()); }

  static NewEntry fact(const std::string& text, const std::string& at, std::vector<std::string> tags = {},
                       const std::string& project = {}) {
    NewEntry entry;
    entry.text = text;
    entry.metadata.at = parse_time(at);
    entry.metadata.source = Source::user;
    entry.metadata.tags = std::move(tags);
    entry.metadata.project = project;
    return entry;
  }

  Memory filled() {
    auto memory = open();
    NewEntry turn = fact("What is rye?", "2026-01-03T08:00:00Z");
    turn.metadata.kind = EntryKind::turn;
    turn.metadata.session = "s";
    turn.metadata.role = "user";
    EXPECT_TRUE(add(memory, {fact("Likes \"rye\" bread: [[really]]", "2026-01-02T03:04:05Z", {"user", "food"}, "bakery"),
                             fact("Ovens:\n\n- one at four\n- two at six", "2026-01-04T10:00:00Z", {"feedback"}),
                             fact("--- is a line, – and so is this", "2026-01-05T10:00:00Z"), turn}));
    return memory;
  }

  GivenOut give(Memory& memory, std::string_view form, bool with_private = false) {
    EXPECT_TRUE(memory.bring_up_to_date());
    auto given = give_out(memory, form, folder / "out", with_private);
    EXPECT_TRUE(given) << given.error().message;
    return given.value_or(GivenOut{});
  }

  // What another vault has after it took in what was written.
  std::vector<Entry> taken_in(std::string_view form) {
    std::filesystem::create_directories(folder / "other");
    auto other = Memory::open(folder / "other", environment_in(folder), real_file_system(), clock).value();
    const Importer* importer = importer_named(form);
    if (importer) {
      EXPECT_TRUE(take_in(other, importer->name, importer->read, {folder / "out", real_file_system()}, false, {}));
    } else {
      const auto entries = read_loci_export(folder / "out", environment_in(folder), real_file_system(), clock);
      EXPECT_TRUE(entries && import_entries(other, *entries, false));
    }
    EXPECT_TRUE(other.bring_up_to_date());
    return other.reader().value()->list(EntryFilter{}, 1000).value();
  }

  // "text|date|tags|project", sorted.
  static std::vector<std::string> said(const std::vector<Entry>& entries) {
    std::vector<std::string> all;
    for (const Entry& entry : entries) {
      std::string one = entry.text + "|" + (entry.at ? format_rfc3339(*entry.at) : "") + "|";
      for (const std::string& tag : entry.tags) one += tag + " ";
      all.push_back(one + "|" + entry.project);
    }
    std::ranges::sort(all);
    return all;
  }

  std::vector<std::string> own(Memory& memory, bool with_turns) {
    EXPECT_TRUE(memory.bring_up_to_date());
    auto entries = memory.reader().value()->list(EntryFilter{}, 1000).value();
    if (!with_turns) std::erase_if(entries, [](const Entry& entry) { return entry.kind == EntryKind::turn; });
    return said(entries);
  }
};

TEST_F(GiveOut, Mem0GetsTextsDatesTagsAndProjectsAndGivesThemBack) {
  auto memory = filled();
  const auto given = give(memory, "mem0");
  EXPECT_EQ(given.given, 3u);
  EXPECT_EQ(given.lost.at("what was said in conversations"), 1u);
  EXPECT_EQ(said(taken_in("mem0")), own(memory, false));
}

TEST_F(GiveOut, JsonGivesEverythingBack) {
  auto memory = filled();
  EXPECT_THAT(give(memory, "json").lost, IsEmpty());
  EXPECT_EQ(said(taken_in("json")), own(memory, true));
}

TEST_F(GiveOut, MarkdownIsAFileOfAVault) {
  auto memory = filled();
  give(memory, "md");
  std::filesystem::create_directories(folder / "other");
  std::filesystem::rename(folder / "out", folder / "other/notes.md");
  auto other = Memory::open(folder / "other", environment_in(folder), real_file_system(), clock).value();
  EXPECT_EQ(own(other, true), own(memory, true));
}

TEST_F(GiveOut, ClaudeCodeGetsAFileAMemoryAndOneOfItsTypes) {
  auto memory = filled();
  const auto given = give(memory, "claude-code");
  EXPECT_FALSE(given.lost.contains("tags: it has one of four types"));
  EXPECT_THAT(said(taken_in("claude-code")),
              UnorderedElementsAre("--- is a line, – and so is this|2026-01-05T10:00:00.000Z||",
                                   "Likes \"rye\" bread: [[really]]|2026-01-02T03:04:05.000Z|user food |bakery",
                                   "Ovens:\n\n- one at four\n- two at six|2026-01-04T10:00:00.000Z|feedback |"));
  const std::string list = folder.read("out/projects/-bakery/memory/MEMORY.md");
  EXPECT_THAT(list, testing::StartsWith("- [Likes \"rye\""));
}

TEST_F(GiveOut, AProjectComesBackFromClaudeCodeByItsWholeName) {
  auto memory = open();
  for (const char* project : {"my-bakery", "La Panetteria (2)", "Öfen"})
    EXPECT_TRUE(add(memory, {fact("[One] of " + std::string(project), "2026-01-02T03:04:05Z", {}, project)}));
  give(memory, "claude-code");
  EXPECT_EQ(said(taken_in("claude-code")), own(memory, false));
}

TEST_F(GiveOut, ATagThatKeepsAMemoryPrivateGoesWithItToClaudeCode) {
  auto memory = open();
  EXPECT_TRUE(add(memory, {fact("The code is 4711.", "2026-01-02T03:04:05Z", {"private"})}));
  give(memory, "claude-code", true);
  EXPECT_THAT(said(taken_in("claude-code")), UnorderedElementsAre("The code is 4711.|2026-01-02T03:04:05.000Z|private |"));
}

TEST_F(GiveOut, BasicMemoryGetsANoteWithOneObservationForEachFact) {
  auto memory = filled();
  const auto given = give(memory, "basic-memory");
  EXPECT_EQ(given.lost.at("line breaks: an observation is one line"), 1u);
  EXPECT_EQ(given.lost.at("the project"), 1u);
  EXPECT_THAT(said(taken_in("basic-memory")),
              UnorderedElementsAre("--- is a line, – and so is this|2026-01-05T10:00:00.000Z||",
                                   "Likes \"rye\" bread: [[really]]|2026-01-02T03:04:05.000Z|user food |",
                                   "Ovens:  - one at four - two at six|2026-01-04T10:00:00.000Z|feedback |"));
}

TEST_F(GiveOut, ATagThatIsCalledFactComesBackFromBasicMemory) {
  auto memory = open();
  ASSERT_TRUE(add(memory, {fact("The oven is hot.", "2026-01-02T03:04:05Z", {"fact"})}));
  give(memory, "basic-memory");
  EXPECT_THAT(said(taken_in("basic-memory")), ElementsAre("The oven is hot.|2026-01-02T03:04:05.000Z|fact |"));
}

TEST(TheFormsToGive, AreThoseThatTheCommandLineNames) {
  EXPECT_THAT(choices_of(ValueKind::form), testing::UnorderedElementsAreArray(forms_to_give()));
}

TEST_F(GiveOut, WhatExistsIsNotOverwritten) {
  auto memory = filled();
  folder.write("out", "mine");
  for (const std::string_view form : forms_to_give()) {
    const auto given = give_out(memory, form, folder / "out", false);
    ASSERT_FALSE(given) << form;
    EXPECT_EQ(given.error().code, ErrorCode::refused);
  }
  EXPECT_EQ(folder.read("out"), "mine");
}

TEST_F(GiveOut, ProjectsWithHostileNamesStayInTheirFolders) {
  auto memory = open();
  int number = 0;
  for (const std::string& project : {std::string("../up"), std::string("/etc/cron.d"), std::string(".."), std::string(3000, 'p'),
                                     std::string("line\nbreak\x01"), std::string("Rye"), std::string("rye")})
    EXPECT_TRUE(add(memory, {fact("Fact " + std::to_string(number++), "2026-01-02T03:04:05Z", {}, project)}));
  const auto given = give(memory, "claude-code");
  EXPECT_EQ(given.given, 7u);
  size_t notes = 0;
  std::set<std::string> folders;
  for (const auto& [file, bytes] : folder.contents("out")) {
    EXPECT_THAT(file, testing::MatchesRegex("out/projects/-[A-Za-z0-9-]{0,200}/memory/(fact-[0-9a-z]+|MEMORY)\\.md"));
    const bool is_list = file.ends_with("MEMORY.md");
    EXPECT_TRUE(!is_list || folders.insert(lower(file)).second) << file;
    notes += is_list ? 0 : 1;
  }
  EXPECT_EQ(notes, 7u);
  EXPECT_EQ(folders.size(), 6u);
}

TEST_F(GiveOut, NothingIsWrittenIntoTheVault) {
  auto memory = filled();
  std::filesystem::create_directory_symlink(memory.vault().root(), folder / "link");
  for (const std::string_view form : forms_to_give())
    for (const path& target : {memory.vault().root() / "out", memory.vault().root() / "no/folder/out", folder / "link/out"}) {
      const auto given = give_out(memory, form, target, false);
      ASSERT_FALSE(given) << form << target;
      EXPECT_EQ(given.error().code, ErrorCode::refused);
      EXPECT_FALSE(std::filesystem::exists(target));
    }
}

TEST_F(GiveOut, WhatHasItsNameIsWholeAndWhatWasLeftIsNamed) {
  auto memory = filled();
  for (const std::string_view form : forms_to_give()) {
    const path target = folder / ("to-" + std::string(form));
    folder.write(target.filename().string() + ".partial", "left");
    const auto refused = give_out(memory, form, target / "", false);
    ASSERT_FALSE(refused) << form;
    EXPECT_EQ(refused.error().code, ErrorCode::refused);
    EXPECT_THAT(refused.error().hint, testing::HasSubstr(target.string() + ".partial"));
    std::filesystem::remove(target.string() + ".partial");
    EXPECT_TRUE(give_out(memory, form, target / "", false)) << form;
    EXPECT_TRUE(std::filesystem::exists(target));
    EXPECT_FALSE(std::filesystem::exists(target.string() + ".partial"));
  }
}

TEST_F(GiveOut, WhereverADiskBecomesFullNothingHalfHasTheName) {
  {
    auto memory = filled();
  }
  FaultyFileSystem files;
  auto memory = Memory::open(folder / "vault", environment_in(folder), files, clock).value();
  ASSERT_TRUE(memory.bring_up_to_date());
  std::filesystem::create_directories(folder / "made");
  for (const std::string_view form : forms_to_give()) {
    const path target = folder / "made/out";
    files.fail_nothing();
    ASSERT_TRUE(give_out(memory, form, target, false)) << form;
    const auto whole = folder.contents("made");
    const size_t calls = files.calls().size();
    for (size_t call = 0; call < calls; ++call) {
      std::filesystem::remove_all(target);
      files.fail_from(call, ENOSPC);
      if (give_out(memory, form, target, false)) continue;  // what failed was not needed
      EXPECT_TRUE(!std::filesystem::exists(target) || folder.contents("made") == whole) << form << call;
      std::filesystem::remove_all(target.string() + ".partial");
    }
    std::filesystem::remove_all(target);
  }
}

TEST_F(GiveOut, WhatIsPrivateIsGivenOnlyIfSo) {
  write(".loci/config.toml", "[privacy]\nnever_send = [\"#food\"]\n");
  auto memory = filled();
  EXPECT_EQ(give(memory, "mem0").given, 2u);
  EXPECT_THAT(folder.read("out"), testing::Not(testing::HasSubstr("rye\\\"")));
  std::filesystem::remove(folder / "out");
  EXPECT_EQ(give(memory, "mem0", true).given, 3u);
}

// Whatever made a text private in its vault, the export carries it in a form that another vault understands.
class GiveOutPrivate : public GiveOut {
 protected:
  static constexpr const char* rules = "[privacy]\nnever_send = [\"#private\", \"project:divorce\", \"journal/**\"]\n";

  // Each text says of itself whether it is secret or open.
  Memory with_secrets() {
    write(".loci/config.toml", rules);
    write("health.md",
          "# Health #private\n\nA secret below a heading.\n\n## Teeth\n\nA secret below a heading further down.\n\n"
          "<div>\nA secret of HTML, where #private is no tag.\n</div>\n");
    write("front.md", "---\ntags: [private]\n---\n\nA secret by front matter.\n");
    write("journal/a.md", "A secret by its path.\n");
    write("archive/2026-01-05.md", "# Notes #private\n\n<!--m {\"id\":\"e1\"}-->\nA secret with metadata below a heading.\n");
    write("plain.md", "# Bread #baking\n\nAn open text.\n");
    auto memory = open();
    const auto said = [](const char* role, const char* text) {
      NewEntry turn = fact(text, "2026-01-03T08:00:00Z");
      turn.metadata.kind = EntryKind::turn;
      turn.metadata.session = "s";
      turn.metadata.turn = 0;
      turn.metadata.role = role;
      return turn;
    };
    EXPECT_TRUE(add(memory, {fact("A secret of a project", "2026-01-02T03:04:05Z", {}, "divorce"),
                             fact("A secret by its one tag", "2026-01-02T03:04:05Z", {"private", "user"}),
                             said("user", "What is the secret? #private"), said("assistant", "A secret answer.")}));
    return memory;
  }

  // What an agent gets to see of a vault for which #private is the only rule.
  std::vector<std::string> seen_by_agents(const std::string& vault) {
    folder.write(vault + "/.loci/config.toml", "[privacy]\nnever_send = [\"#private\"]\n");
    auto memory = Memory::open(folder / vault, environment_in(folder), real_file_system(), clock).value();
    EXPECT_TRUE(memory.bring_up_to_date());
    Sendable sendable(memory);
    std::vector<std::string> seen;
    const auto entries = memory.reader().value()->list(EntryFilter{}, 1000).value();
    for (const Entry& entry : entries)
      if (sendable.may_send(entry).value()) seen.push_back(entry.text);
    return seen;
  }
};

TEST_F(GiveOutPrivate, WhatWasPrivateIsSoInTheVaultThatTakesItIn) {
  auto memory = with_secrets();
  for (const std::string_view form : forms_to_give()) {
    if (form == "md") continue;  // no import's; below
    EXPECT_GE(give(memory, form, true).given, 8u) << form;
    EXPECT_GE(taken_in(form).size(), 8u) << form;
    EXPECT_THAT(seen_by_agents("other"), testing::Each(testing::Not(testing::HasSubstr("secret")))) << form;
    EXPECT_THAT(seen_by_agents("other"), testing::Not(IsEmpty())) << form;
    for (const char* name : {"out", "other", "home/.local/state"}) std::filesystem::remove_all(folder / name);
  }
}

TEST_F(GiveOutPrivate, WhatWasPrivateIsSoInAVaultThatHasTheFilesAsNotes) {
  auto memory = with_secrets();
  for (const char* form : {"md", "claude-code", "basic-memory"}) {
    give(memory, form, true);
    const std::string vault = std::string("notes-") + form;
    std::filesystem::create_directories(folder / vault);
    std::filesystem::rename(folder / "out", folder / vault / (std::string_view(form) == "md" ? "out.md" : "out"));
    EXPECT_THAT(seen_by_agents(vault), testing::Each(testing::Not(testing::HasSubstr("secret")))) << form;
    EXPECT_THAT(seen_by_agents(vault), testing::Contains(testing::HasSubstr("open"))) << form;
  }
}

TEST_F(GiveOutPrivate, AVaultThatIsTakenInKeepsWhatWasPrivateThere) {
  with_secrets();
  std::filesystem::rename(folder / "vault", folder / "out");
  std::filesystem::create_directories(folder / "vault");
  EXPECT_EQ(taken_in("loci").size(), 11u);
  EXPECT_THAT(seen_by_agents("other"), ElementsAre("An open text."));
}

TEST_F(GiveOutPrivate, WithoutARuleForPrivateTheTagIsOneThatARuleNames) {
  write(".loci/config.toml", "[privacy]\nnever_send = [\"**\", \"tag:Health\"]\n");
  write("journal/a.md", "A secret by its path.\n\nA secret by its own tag. #health/teeth\n");
  auto memory = open();
  give(memory, "md", true);
  EXPECT_THAT(folder.read("out"), testing::HasSubstr("\"tags\":[\"health\"]"));
  EXPECT_THAT(folder.read("out"), testing::HasSubstr("\"tags\":[\"health/teeth\"]"));
}

TEST_F(GiveOutPrivate, ItIsSaidOfHowManyThatARuleHasToNameTheirTag) {
  auto memory = with_secrets();
  const auto given = give(memory, "json", true);
  EXPECT_EQ(given.given, 11u);
  ASSERT_EQ(given.lost.size(), 1u);
  EXPECT_EQ(given.lost.begin()->second, 10u);
}

TEST_F(GiveOutPrivate, AnImportSaysHowManyNoRuleOfItsVaultHides) {
  auto memory = with_secrets();
  give(memory, "json", true);
  std::filesystem::create_directories(folder / "other");
  const auto open_in = [&](const char* rules_there) {
    folder.write("other/.loci/config.toml", std::string("[privacy]\nnever_send = ") + rules_there + "\n");
    auto other = Memory::open(folder / "other", environment_in(folder), real_file_system(), clock).value();
    const auto entries = read_loci_export(folder / "out", environment_in(folder), real_file_system(), clock);
    return import_entries(other, entries.value(), true).value().open;
  };
  EXPECT_EQ(open_in("[\"journal/**\"]"), 10u);
  EXPECT_EQ(open_in("[\"#private\"]"), 0u);
}

}  // namespace
}  // namespace loci::importers
