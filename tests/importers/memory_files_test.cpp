#include <cstdlib>

#include "importers/readers.h"
#include "tests/importers/reading.h"
#include "tests/support/as_nobody.h"

namespace loci::importers {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

class MemoryFiles : public testing::Test {
 protected:
  Read read(Reader reader) { return read_with(reader, folder.path()); }
  TemporaryFolder folder;
};

TEST_F(MemoryFiles, OfClaudeCodeEachFileIsAFactAndTheListIsNone) {
  folder.write("projects/-home-lea-my-bakery/memory/MEMORY.md", "- [Oven](oven.md): when it starts\n");
  folder.write("projects/-home-lea-my-bakery/memory/oven.md",
               "---\nname: oven\nmetadata:\n  type: project\n---\n\nThe oven starts at four.\n\n**Why:** bread.\n");
  folder.write("projects/-home-lea-my-bakery/memory/rye.md", "---\ntype: feedback\n---\nUse rye.\n");
  folder.write("projects/-home-lea-my-bakery/s.jsonl", "{\"cwd\":\"/home/lea/my-bakery\"}\n");
  const auto found = read(read_claude_code);
  EXPECT_THAT(found.texts(), ElementsAre("The oven starts at four.\n\n**Why:** bread.", "Use rye."));
  EXPECT_EQ(found.records[0].project, "my-bakery");
  EXPECT_THAT(found.records[0].tags, ElementsAre("project"));
  EXPECT_THAT(found.records[1].tags, ElementsAre("feedback"));
  EXPECT_TRUE(found.records[0].is_date_of_file);
}

TEST_F(MemoryFiles, OfClaudeCodeTheMemoryThatWorkTreesShareIsOfTheOneThatHasIt) {
  folder.write("projects/-home-lea-bakery/memory/oven.md", "The oven starts at four.\n");
  folder.write("projects/-home-lea-bakery/s.jsonl", "{\"cwd\":\"/home/lea/bakery\"}\n");
  folder.write("projects/-home-lea-bakery-rye/s.jsonl", "{\"cwd\":\"/home/lea/bakery-rye\"}\n");
  std::filesystem::create_directory_symlink(folder / "projects/-home-lea-bakery/memory",
                                            folder / "projects/-home-lea-bakery-rye/memory");
  const auto found = read(read_claude_code);
  EXPECT_THAT(found.texts(), ElementsAre("The oven starts at four."));
  EXPECT_EQ(found.records.at(0).project, "bakery");
}

TEST_F(MemoryFiles, OfClaudeCodesListWhatNamesNoFileIsAFact) {
  folder.write("projects/-home-lea-bakery/memory/oven.md", "The oven starts at four.\n");
  folder.write("projects/-home-lea-bakery/memory/MEMORY.md",
               "# Memory\n\n- [Oven](oven.md): when it starts,\n  and why\n- **[Rye](old/rye.md)** is gone\n\n## Build commands\n\n"
               "- Use pnpm, never npm\n- The tests:\n  - need Redis\n- [x] moved to SQLite: [how](sqlite.md)\n- [Two [old] "
               "pans](pans.md)\n- [Docs](https://example.org/a.md) are stale\n");
  const auto found = read(read_claude_code);
  EXPECT_THAT(found.texts(),
              UnorderedElementsAre("The oven starts at four.", "Use pnpm, never npm", "The tests:\n- need Redis",
                                   "[x] moved to SQLite: [how](sqlite.md)", "[Docs](https://example.org/a.md) are stale"));
  for (const Record& record : found.records) {
    EXPECT_EQ(record.project, "bakery");
    if (record.text == "Use pnpm, never npm") {
      EXPECT_THAT(record.tags, ElementsAre("build-commands"));
    }
  }
}

TEST_F(MemoryFiles, OfClaudeCodeTheFolderThatItsUsersSettingsNameIsReadToo) {
  folder.write("home/.claude/settings.json", R"({"autoMemoryDirectory":"~/notes"})");
  folder.write("home/.claude/projects/-home-lea-bakery/memory/oven.md", "The oven starts at four.\n");
  folder.write("home/notes/MEMORY.md", "- Use pnpm\n- [Rye](rye.md)\n");
  folder.write("home/notes/rye.md", "---\ntype: feedback\n---\nUse rye.\n");
  folder.write("home/notes/.obsidian/plugin/README.md", "Of another program.\n");
  const auto read_as = [&](const path& root, const path& home, const path& vault = {}) {
    Read found;
    EXPECT_TRUE(read_claude_code({.root = root, .files = real_file_system(), .vault = vault, .home = home}, found));
    return found;
  };
  const path home = folder / "home", claude = home / ".claude";
  EXPECT_THAT(read_as(claude, home).texts(), ElementsAre("The oven starts at four.", "Use pnpm", "Use rye."));
  // What was named may be somebody else's: what its settings say of other places is told, and not followed.
  const auto named = read_as(claude, {});
  EXPECT_THAT(named.texts(), ElementsAre("The oven starts at four."));
  EXPECT_THAT(named.skipped, ElementsAre(Pair("a folder that autoMemoryDirectory names: give it as PATH", 1)));
  EXPECT_THAT(read_as(home / "notes", {}).texts(), ElementsAre("Use pnpm", "Use rye."));
  EXPECT_THAT(read_as(claude, home, home).texts(), ElementsAre("The oven starts at four."));
  folder.write("home/.claude/settings.json", R"({"autoMemoryDirectory":"~/gone"})");
  EXPECT_THAT(read_as(claude, home).skipped,
              ElementsAre(Pair("a folder that autoMemoryDirectory names, and that is not there", 1)));
  folder.write("home/.claude/settings.json", "{ not JSON");
  EXPECT_THAT(read_as(claude, home).texts(), ElementsAre("The oven starts at four."));
}

TEST_F(MemoryFiles, ANoteWithLinesThatWindowsEndedIsReadLikeAnyOther) {
  folder.write("hermes/memories/MEMORY.md", "The oven is old\r\n\xC2\xA7\r\nIt needs an hour.\r\nTwo in winter.\r\n");
  EXPECT_THAT(read_with(read_hermes, folder / "hermes").texts(),
              ElementsAre("The oven is old", "It needs an hour.\nTwo in winter."));
  folder.write("claude/projects/-home-lea-bakery/memory/oven.md",
               "---\r\nname: oven\r\nmetadata:\r\n  type: project\r\n---\r\n\r\nIt starts\r\nat four.\r\n");
  const auto found = read_with(read_claude_code, folder / "claude");
  EXPECT_THAT(found.texts(), ElementsAre("It starts\nat four."));
  EXPECT_THAT(found.records.at(0).tags, ElementsAre("project"));
  folder.write("notes/Oven.md", "# Oven\r\n\r\n- [fact] It starts\r\n- [fact] It ends\r\n");
  EXPECT_THAT(read_with(read_basic_memory, folder / "notes").texts(), ElementsAre("It starts", "It ends"));
  folder.write("mem/.memsearch/memory/2026-11-18.md",
               "## Session 09:12\r\n\r\n### 09:12\r\n<!-- session:s1 turn:t1 -->\r\n- Slept\r\n");
  EXPECT_EQ(read_with(read_memsearch, folder / "mem").records.at(0).key, "s1:t1");
}

TEST_F(MemoryFiles, ANoteInUtf16IsReadByItsMark) {
  std::string bytes = "\xFF\xFE";
  for (const char c : std::string_view("# Oven\n\n- [fact] It starts at four.\n")) (bytes += c) += '\0';
  folder.write("oven.md", bytes);
  EXPECT_THAT(read(read_basic_memory).texts(), ElementsAre("It starts at four."));
  folder.write("memories/MEMORY.md", bytes);
  EXPECT_THAT(read(read_hermes).texts(), ElementsAre("# Oven\n\n- [fact] It starts at four."));
}

TEST_F(MemoryFiles, OfOpenClawTheEndsOfLinesAreTagsDatesAndWhatIsNoMoreSo) {
  folder.write("USER.md",
               "# User\n\n- Answer briefly. (observed 2026-11-02, active)\n- Write long. (observed 2026-09-01, superseded)\n");
  folder.write("MEMORY.md", "# Long-term\n\n- Standup is at ten <!-- trigger: standup, big meeting --> <!-- importance: 4 -->\n");
  folder.write("memory/2026-11-18.md", "# 2026-11-18\n\n## Work\n\n- Lea bakes.\n\n## Home\n\nA filter was ordered.\n");
  folder.write("memory/2026-11-18-oven.md", "# Session: 2026-11-18 21:04\n\nThe oven was cleaned.\n");
  folder.write("memory/imports/x.md", "- of another\n");
  folder.write("DREAMS.md", "- dreamt\n");
  const auto found = read(read_openclaw);
  EXPECT_THAT(found.texts(), UnorderedElementsAre("Answer briefly.", "Write long.", "Standup is at ten", "Lea bakes.",
                                                  "A filter was ordered.", "The oven was cleaned."));
  for (const Record& record : found.records) {
    EXPECT_EQ(record.is_superseded, record.text == "Write long.") << record.text;
    if (record.text == "Standup is at ten") {
      EXPECT_THAT(record.tags, ElementsAre("long-term", "standup", "big-meeting", "importance-4"));
    }
    if (record.text == "Answer briefly.") {
      EXPECT_EQ(record.at, parse_time("2026-11-02"));
    }
    if (record.text == "Lea bakes.") {
      EXPECT_EQ(record.at, parse_time("2026-11-18"));
    }
  }
}

TEST_F(MemoryFiles, OfOpenClawEachPersonsUserFileIsReadAndNothingElseBesideIt) {
  folder.write("users/lea/USER.md", "- Bakes at night. (observed 2026-11-02, active)\n");
  folder.write("users/lea/NOTES.md", "- of another kind\n");
  const auto found = read(read_openclaw);
  ASSERT_THAT(found.texts(), ElementsAre("Bakes at night."));
  EXPECT_THAT(found.records[0].tags, ElementsAre("user"));
  EXPECT_EQ(found.records[0].at, parse_time("2026-11-02"));
}

TEST_F(MemoryFiles, OfOpenClawTheSourceBehindALineIsItsProvenanceAndDatesIt) {
  folder.write("MEMORY.md",
               "- Standup is at ten <!-- importance: 4 --> Source: memory/2026-11-18.md#L3-L5\n"
               "- The oven is new. Source: notes/oven.md#L2\n"
               "- Source: the baker, who knows #L1\n");
  const auto found = read(read_openclaw);
  ASSERT_THAT(found.texts(), ElementsAre("Standup is at ten", "The oven is new.", "Source: the baker, who knows #L1"));
  EXPECT_EQ(found.records[0].provenance, "memory/2026-11-18.md#L3-L5");
  EXPECT_EQ(found.records[0].at, parse_time("2026-11-18"));
  EXPECT_FALSE(found.records[0].is_date_of_file);
  EXPECT_EQ(found.records[1].provenance, "notes/oven.md#L2");
  EXPECT_TRUE(found.records[1].is_date_of_file);
  EXPECT_EQ(found.records[2].provenance, "");
}

TEST_F(MemoryFiles, OfMemsearchTheItemsUnderAHeadingAreOneSummary) {
  folder.write(
      ".memsearch/memory/2026-11-18.md",
      "## Session 09:12\n\n### 09:12\n<!-- session:s1 turn:t1 transcript:/x.jsonl -->\n- Cleaned the oven\n- Ordered rye\n\n"
      "### 09:40\n<!-- session:s1 transcript:/x.jsonl -->\n- Asked for flour\n");
  const auto found = read(read_memsearch);
  ASSERT_THAT(found.texts(), ElementsAre("- Cleaned the oven\n- Ordered rye", "- Asked for flour"));
  EXPECT_TRUE(found.records[0].is_summary);
  EXPECT_EQ(found.records[0].session, "s1");
  EXPECT_NE(found.records[0].key, found.records[1].key);
  EXPECT_LT(*found.records[0].at, *found.records[1].at);
}

TEST_F(MemoryFiles, OfMemsearchATimeIsThatOfTheClockOnTheWall) {
  const char* const before = ::getenv("TZ");
  const std::string kept = before ? before : "";
  folder.write(".memsearch/memory/2026-07-18.md", "### 09:12\n- Cleaned the oven\n");
  ASSERT_EQ(::setenv("TZ", "XXX+5", 1), 0);  // five hours behind that of Greenwich
  const auto found = read(read_memsearch);
  before ? ::setenv("TZ", kept.c_str(), 1) : ::unsetenv("TZ");
  ::tzset();
  ASSERT_EQ(found.records.size(), 1u);
  EXPECT_EQ(found.records[0].at, parse_time("2026-07-18T14:12:00Z"));
}

TEST_F(MemoryFiles, OfHermesWhatStandsTwiceIsOneMemory) {
  folder.write("memories/MEMORY.md", "The oven is old\n\xC2\xA7\nThe oven is old\n");
  folder.write("memories/USER.md", "The oven is old\n");
  for (const Record& record : read(read_hermes).records) EXPECT_EQ(record.key, "") << "so its text is its id";
}

TEST_F(MemoryFiles, OfLettaSkillsAreNoMemory) {
  folder.write("agents/a1/memory/system/human.md", "---\ndescription: the person\n---\n\nLea bakes.\n\nShe likes rye.\n");
  folder.write("agents/a1/memory/skills/oven/SKILL.md", "How to clean it.\n");
  const auto found = read(read_letta);
  EXPECT_THAT(found.texts(), ElementsAre("Lea bakes.", "She likes rye."));
  EXPECT_THAT(found.records[0].tags, ElementsAre("human"));
}

TEST_F(MemoryFiles, OfLettaWhatItsFrontMatterSaysOfABlockIsNoFact) {
  const std::string keys = "description: |\n  What is known\n  of the baker\nread_only: true\nlimit: 5000\nmetadata:\n  seen: 3\n";
  folder.write("agents/a1/memory/system/human.md", "---\n" + keys + "---\nLea bakes.\n");
  folder.write("agents/a1/memory/system/empty.md", "---\n" + keys + "---\n");
  folder.write("agents/a2/memory/human.md", "---\n" + keys + "---\n\nLea bakes.\n");
  const auto found = read(read_letta);
  EXPECT_THAT(found.texts(), ElementsAre("Lea bakes.", "Lea bakes."));  // of two agents
  for (const Record& record : found.records) EXPECT_THAT(record.tags, ElementsAre("human"));
}

TEST_F(MemoryFiles, OfHermesEntriesOfSeveralLinesStayWhole) {
  folder.write("memories/MEMORY.md", "The oven is old\n\xC2\xA7\nIt needs an hour.\nTwo in winter.\n\xC2\xA7\n[BLOCKED: x]");
  folder.write("memories/USER.md", "Likes rye");
  const auto found = read(read_hermes);
  EXPECT_THAT(found.texts(), ElementsAre("The oven is old", "It needs an hour.\nTwo in winter.", "Likes rye"));
  EXPECT_THAT(found.skipped, ElementsAre(Pair("a placeholder for an entry that was blocked there", 1)));
}

TEST_F(MemoryFiles, OfBasicMemoryObservationsAndRelationsAreToldFromOtherItems) {
  folder.write(
      "Oven.md",
      "---\ntitle: Oven\ntags: [bakery]\npermalink: bakery/oven\ncreated: 2026-10-03T08:00:00+02:00\n---\n\n# Oven\n\nProse.\n\n"
      "- [decision] Use stone #stone (since 2020)\n- plain with #tag\n- [ ] to do\n- [-] given up\n- [x] done #not\n- [00:01:02] a "
      "time\n"
      "- [a link](http://x)\n- without anything\n- heats [[Bread Room]] (daily)\n- \"part of\" [[Bakery]]\n- see also [[Flour]]\n"
      "- [owner] [[Ana]] bakes\n");
  const auto found = read(read_basic_memory);
  EXPECT_THAT(found.texts(), ElementsAre("Use stone #stone (since 2020)", "plain with #tag", "Oven heats Bread Room (daily)",
                                         "Oven part of Bakery", "[[Ana]] bakes"));
  EXPECT_THAT(found.records[0].tags, ElementsAre("bakery", "stone", "decision"));
  EXPECT_EQ(found.records[0].at, parse_time("2026-10-03T06:00:00Z"));
  EXPECT_EQ(found.skipped.at("an item that is no observation"), 7u);
}

TEST_F(MemoryFiles, WhatFrontMatterAndHeadingsSayOfATextIsSaidOfItsRecord) {
  const std::string front = "\n---\ndescription: of Lea #private\nmetadata:\n  tags: [bakery]\n---\n";
  const std::string body = "# Health #heart\n\n## Teeth\n\n- [fact] She has all.\n\nSleep #bed\n-----\n\n- [fact] It is short.\n";
  const std::map<std::string, Reader> readers{{"claude/projects/-home-lea/memory/health.md", read_claude_code},
                                              {"codex/memories/MEMORY.md", read_codex_memories},
                                              {"openclaw/MEMORY.md", read_openclaw},
                                              {"openclaw2/USER.md", read_openclaw},
                                              {"openclaw3/memory/2026-11-18.md", read_openclaw},
                                              {"memsearch/.memsearch/memory/2026-11-18.md", read_memsearch},
                                              {"letta/agents/a1/memory/human.md", read_letta},
                                              {"hermes/memories/MEMORY.md", read_hermes},
                                              {"notes/Health.md", read_basic_memory}};
  for (const auto& [name, reader] : readers) {
    folder.write(name, front + body);
    const auto found = read_with(reader, folder / name.substr(0, name.find('/')));
    const bool is_whole = reader == read_claude_code || reader == read_hermes;  // its headings are part of the text
    ASSERT_EQ(found.records.size(), is_whole ? 1U : 2U) << name;
    for (const Record& record : found.records) {
      EXPECT_THAT(record.tags, testing::IsSupersetOf({"private", "bakery"})) << name;
      EXPECT_EQ(is_whole, record.text.contains("# Health #heart")) << name;
      EXPECT_THAT(record.tags, testing::Not(testing::Contains(testing::AnyOf("health-heart", "sleep-bed")))) << name;
    }
    if (is_whole) continue;
    EXPECT_THAT(found.records[0].tags, testing::Contains("heart")) << name;
    EXPECT_THAT(found.records[1].tags, testing::Contains("bed")) << name;
  }
}

TEST_F(MemoryFiles, WhatACommentSaysOfATextIsSaidOfItsRecord) {
  const std::map<std::string, Reader> readers{{"codex/memories/MEMORY.md", read_codex_memories},
                                              {"openclaw/MEMORY.md", read_openclaw},
                                              {"openclaw2/memory/2026-11-18.md", read_openclaw},
                                              {"letta/agents/a1/memory/human.md", read_letta},
                                              {"notes/Health.md", read_basic_memory}};
  const std::string item = "- [fact] She sleeps.\n";
  const std::vector<std::string> bodies = {"<!-- tags: private -->\n" + item, "<!-- #private -->\n\n" + item,
                                           "- [fact] <!-- #private --> She sleeps.\n", item + "\n<!-- tags: private -->\n"};
  for (const std::string& body : bodies)
    for (const auto& [name, reader] : readers) {
      folder.write(name, "# Lea\n\n- [fact] She bakes.\n\n" + body);
      const auto found = read_with(reader, folder / name.substr(0, name.find('/')));
      ASSERT_EQ(found.records.size(), 2u) << name << body;
      EXPECT_THAT(found.records[0].tags, Not(Contains("private"))) << name << body;
      EXPECT_THAT(found.records[1].tags, Contains("private")) << name << body;
    }
  folder.write("memsearch/.memsearch/memory/2026-11-18.md",
               "## Session 09:12\n\n### 09:12\n<!-- session:s1 turn:t1 -->\n"
               "<!-- tags: private -->\n- Slept\n\n### 09:40\n- Baked\n");
  const auto found = read_with(read_memsearch, folder / "memsearch");
  ASSERT_EQ(found.records.size(), 2u);
  EXPECT_THAT(found.records[0].tags, Contains("private"));
  EXPECT_EQ(found.records[0].session, "s1");
  EXPECT_THAT(found.records[1].tags, Not(Contains("private")));
}

TEST_F(MemoryFiles, OfOpenClawACommentThatNamesTagsGivesThem) {
  folder.write("MEMORY.md", "- She is ill <!-- tags: health, private -->\n");
  EXPECT_THAT(read(read_openclaw).records.at(0).tags, ElementsAre("health", "private"));
}

TEST_F(MemoryFiles, OfMemsearchALineThatBeginsWithATagIsNoHeading) {
  folder.write(".memsearch/memory/2026-11-18.md", "### 09:12\n- Went to the dentist\n#private\n");
  EXPECT_THAT(read(read_memsearch).texts(), ElementsAre("- Went to the dentist\n#private"));
}

TEST_F(MemoryFiles, AFolderThatCannotBeReadIsToldAndTheRestGoesOn) {
  folder.write("memory/2026-11-18.md", "- Lea bakes.\n");
  folder.write("memory/shut/2026-11-19.md", "- She swims.\n");
  folder.write("projects/p/s.jsonl",
               R"({"type":"user","message":{"role":"user","content":"Hello"},"uuid":"u1","promptSource":"x"})");
  folder.write("projects/shut/s.jsonl", "{}\n");
  for (const char* shut : {"memory/shut", "projects/shut"})
    std::filesystem::permissions(folder / shut, std::filesystem::perms::none);
  const AsNobody nobody(folder.path());
  for (const Reader reader : {read_openclaw, read_basic_memory})
    EXPECT_EQ(read(reader).skipped["a folder that cannot be read"], 2U);
  EXPECT_THAT(read(read_openclaw).texts(), ElementsAre("Lea bakes."));
  Read sessions;
  const auto done = read_claude_transcripts({folder.path(), real_file_system()}, sessions);
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, testing::HasSubstr("projects/shut"));
  EXPECT_THAT(sessions.said(), ElementsAre("Hello|"));
}

TEST_F(MemoryFiles, ALinkOutOfTheFolderIsNotFollowed) {
  folder.write("secret.md", "- [secret] of another place #x\n");
  folder.write("notes/a.md", "- [fact] here\n");
  std::filesystem::create_symlink(folder / "secret.md", folder / "notes/b.md");
  EXPECT_THAT(read_with(read_basic_memory, folder / "notes").texts(), ElementsAre("here"));
}

}  // namespace
}  // namespace loci::importers
