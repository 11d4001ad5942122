// What stands in user.md and in a person's part of MEMORY.md, from one vault to another.
#include "memory/export.h"
#include "memory/forget.h"
#include "memory/import.h"
#include "memory/remember.h"
#include "tests/memory/memory_fixture.h"
#include "tests/support/faulty_file_system.h"
#include "vault/rewrite/init.h"
#include "vault/rewrite/user_file.h"

namespace loci {
namespace {

constexpr const char* core = "<!-- loci:core begin -->\n<!-- loci:core end -->\n";

class ImportOwnTest : public MemoryTest {
 protected:
  ImportOwnTest() { clock.advance(parse_time("2026-03-01T12:00:00Z").value() - clock.now()); }

  Memory elsewhere() { return Memory::open(folder / "elsewhere", environment_in(folder), real_file_system(), clock).value(); }

  enum class Form { json, markdown };

  std::vector<ExportedEntry> exported(Form form = Form::json) {
    Memory memory = elsewhere();
    EXPECT_TRUE(memory.bring_up_to_date());
    std::string bytes;
    const auto add = [&](const std::string& entry) {
      bytes += entry + "\n";
      return true;
    };
    EXPECT_TRUE(form == Form::markdown ? for_each_as_markdown(memory, add)
                                       : for_each_exported(memory, [&](const Json& entry) { return add(to_string(entry)); }));
    auto entries = parse_export(bytes);
    EXPECT_TRUE(entries) << entries.error().message;
    return std::move(*entries);
  }

  std::vector<ExportedEntry> exported_of(const std::map<std::string, std::string>& files, Form form = Form::json) {
    for (const auto& [file, bytes] : files) folder.write("elsewhere/" + file, bytes);
    return exported(form);
  }

  static Imported import(Memory& memory, const std::vector<ExportedEntry>& entries) {
    auto imported = import_entries(memory, entries, false);
    EXPECT_TRUE(imported) << imported.error().message;
    return imported ? std::move(*imported) : Imported{};
  }

  // And another time: nothing is added.
  Imported import_twice(const std::vector<ExportedEntry>& entries) {
    Memory memory = open();
    Imported imported = import(memory, entries);
    const auto before = folder.contents("vault");
    const Imported again = import(memory, entries);
    EXPECT_EQ(again.archived + again.consolidated + again.own.size(), 0u);
    EXPECT_EQ(again.known + again.left_out.size(), entries.size());
    EXPECT_EQ(folder.contents("vault"), before);
    return imported;
  }

  void make_vault() { ASSERT_TRUE(init_vault(folder / "vault", environment_in(folder), real_file_system(), clock)); }
};

const std::string user_file =
    "# User\n\nAna.\n\n## Work\n\n- Bakes bread.\n- Sells it:\n  - on Fridays\n\n1. Oven\n\n## Current focus\n\n> Rye.\n\n"
    "```\nrecipe\n```\n\n### Guests\n\nTwo\nlines.\n";
const std::string memory_file = std::string("# Memory\n\nThe key is under the mat.\n\n") + core + "\n## Boat\n\n- In Kiel.\n";

TEST_F(ImportOwnTest, TheTwoFilesComeBackAsTheyWere) {
  for (const Form form : {Form::json, Form::markdown}) {
    std::filesystem::remove_all(folder / "vault");
    write("user.md", "# User\n");
    write("MEMORY.md", std::string("# Memory\n\n") + core);
    const Imported imported = import_twice(exported_of({{"user.md", user_file}, {"MEMORY.md", memory_file}}, form));
    EXPECT_EQ(imported.own, (std::map<std::string, size_t>{{"MEMORY.md", 2}, {"user.md", 7}}));
    EXPECT_EQ(imported.archived, 0u);
    const std::string user = read("user.md");
    if (form == Form::json) {
      EXPECT_EQ(user, user_file);
    }
    EXPECT_EQ(measure_user_file(user).injected, measure_user_file(user_file).injected);
    EXPECT_EQ(read("MEMORY.md"), std::string("# Memory\n\n") + core + "\nThe key is under the mat.\n\n## Boat\n\n- In Kiel.\n");
  }
}

TEST_F(ImportOwnTest, AVaultThatWasJustMadeGetsThem) {
  const auto entries = exported_of({{"user.md", user_file}, {"MEMORY.md", memory_file}});
  make_vault();
  import_twice(entries);
  Memory memory = open();
  Memory there = elsewhere();
  EXPECT_EQ(texts(memory), texts(there));
  EXPECT_TRUE(
      read("user.md").contains("## Work\n\n<!-- Your work, your team, the tools you use. -->\n\n- Bakes bread.\n- Sells it:"));
  EXPECT_FALSE(folder.has("vault/archive/undated.md"));
}

TEST_F(ImportOwnTest, AByteOrderMarkIsNoPartOfALineAndCarriageReturnsAreThoseOfTheFile) {
  const auto entries = exported_of({{"user.md", "\xEF\xBB\xBF- Bakes.\r\n- Sails.\r\n"}});
  write("user.md", "\xEF\xBB\xBF# User\r\n\r\nIda.\r\n");
  import_twice(entries);
  EXPECT_EQ(read("user.md"), "\xEF\xBB\xBF# User\r\n\r\nIda.\r\n\r\n- Bakes.\r\n- Sails.\r\n");
}

TEST_F(ImportOwnTest, AFileThatIsMissingIsMade) {
  import_twice(exported_of({{"user.md", user_file}, {"MEMORY.md", memory_file}}));
  EXPECT_TRUE(read("MEMORY.md").contains(core)) << "as in a new vault";
  EXPECT_EQ(measure_user_file(read("user.md")).injected, measure_user_file(user_file).injected);
}

TEST_F(ImportOwnTest, OtherLinesStayAndThoseThatStandThereAlreadyAreNotAddedTwice) {
  const auto entries = exported_of({{"user.md", "## Work\n\n- Bakes bread.\n- Sails.\n"}});
  write("user.md", "Work\n----\n\n* Sings.\n\nBakes bread.\n");
  const Imported imported = import_twice(entries);
  EXPECT_EQ(imported.known, 1u);
  EXPECT_EQ(read("user.md"), "Work\n----\n\n* Sings.\n\nBakes bread.\n\n- Sails.\n");
}

TEST_F(ImportOwnTest, ALineStandsThereThoughAFactOrANoteSaysTheSame) {
  const auto entries =
      exported_of({{"archive/2026-01-02.md", "<!--m {\"id\":\"f1\",\"at\":\"2026-01-02T03:00:00Z\"}-->\nBakes bread.\n"},
                   {"user.md", "Bakes bread.\n"}});
  write("notes.md", "Bakes bread.\n");
  EXPECT_EQ(import_twice(entries).own.at("user.md"), 1u);
  EXPECT_TRUE(read("user.md").contains("-->\n\nBakes bread.\n\n## Work\n")) << "below the title";
}

TEST_F(ImportOwnTest, OneTextInBothFilesStandsInBoth) {
  const auto entries =
      exported_of({{"user.md", "# User\n\nBakes bread.\n"}, {"MEMORY.md", std::string("Bakes bread.\n\n") + core}});
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(import_twice(entries).own, (std::map<std::string, size_t>{{"MEMORY.md", 1}, {"user.md", 1}}));
}

TEST_F(ImportOwnTest, WhatUserMdHasNoRoomForIsAFactAndIsSaid) {
  const std::string large(700, 'a'), other(400, 'b');
  const auto entries = exported_of({{"user.md", large + "\n\n" + other + "\n\nShort.\n"}});
  const Imported imported = import_twice(entries);
  ASSERT_EQ(imported.no_room.size(), 1u);
  EXPECT_EQ(imported.no_room[0].text, other);
  EXPECT_EQ(imported.archived, 1u);
  EXPECT_EQ(imported.own.at("user.md"), 2u);
  Memory memory = open();
  EXPECT_EQ(texts(memory), (Texts{"Short.", large, other}));
  EXPECT_EQ(find_entry(memory, id_of(memory, other))->source, Source::user);
}

TEST_F(ImportOwnTest, WhatAnAgentWroteThereKeepsItsMetadataAndWhatAPersonChangedInItIsTheirs) {
  folder.write("elsewhere/user.md", "# User\n");
  {
    Memory there = elsewhere();
    RememberRequest request;
    request.layer = Layer::L0;
    request.section = "Food";
    request.tags = {"food"};
    for (const char* text : {"Ana likes tea.", "Ana likes rye."}) {
      request.content = text;
      ASSERT_TRUE(remember(there, request));
    }
  }
  std::string bytes = folder.read("elsewhere/user.md");
  folder.write("elsewhere/user.md", bytes.replace(bytes.find("likes rye"), 9, "loves rye"));
  const auto entries = exported();
  import_twice(entries);
  Memory memory = open(), there = elsewhere();
  ASSERT_TRUE(there.bring_up_to_date());
  for (const char* text : {"Ana likes tea.", "Ana loves rye."}) {
    const Entry here = find_entry(memory, id_of(memory, text)).value(), wanted = find_entry(there, id_of(there, text)).value();
    EXPECT_EQ(here.id, wanted.id);
    EXPECT_EQ(here.source, wanted.source);
    EXPECT_EQ(here.edited, wanted.edited);
    EXPECT_EQ(here.tags, wanted.tags);
    EXPECT_EQ(here.place, Place::user);
    EXPECT_EQ(here.section.back(), "Food");
  }
}

TEST_F(ImportOwnTest, WhatWasForgottenHereStaysOut) {
  write("user.md", "Sails.\n");
  {
    Memory memory = open();
    ASSERT_TRUE(forget(memory, {id_of(memory, "Sails.")}, {}));
  }
  const Imported imported = import_twice(exported_of({{"user.md", "Bakes.\n\nSails.\n"}}));
  EXPECT_EQ(imported.left_out.size(), 1u);
  Memory memory = open();
  EXPECT_EQ(texts(memory), Texts{"Bakes."});
}

TEST_F(ImportOwnTest, APromotedLineIsTheEntryThatItShows) {
  const std::string durable = "<!--m {\"id\":\"c1\",\"from\":[\"f1\"]}-->\nTea at five.\n";
  const auto entries = exported_of({{"consolidated/memory.md", durable},
                                    {"MEMORY.md",
                                     "<!-- loci:core begin -->\n<!--m {\"ref\":\"c1\"}-->\n- Tea at five.\n- Mine.\n"
                                     "<!-- loci:core end -->\n"}});
  EXPECT_EQ(entries.size(), 2u);
  const Imported imported = import_twice(entries);
  EXPECT_EQ(imported.consolidated, 1u);
  EXPECT_EQ(imported.archived, 0u);
  Memory memory = open();
  EXPECT_EQ(texts(memory), (Texts{"Mine.", "Tea at five."}));
}

TEST_F(ImportOwnTest, AFileWithGitsMarkersIsLeftAloneAndNothingIsTakenIn) {
  write("user.md", "<<<<<<< a\nBakes.\n=======\nSails.\n>>>>>>> b\n");
  const auto entries = exported_of({{"user.md", "Sings.\n"}, {"archive/2026-01-02.md", "A fact.\n"}});
  Memory memory = open();
  const auto before = folder.contents("vault");
  const auto imported = import_entries(memory, entries, false);
  ASSERT_FALSE(imported);
  EXPECT_EQ(imported.error().code, ErrorCode::refused);
  EXPECT_EQ(folder.contents("vault"), before);
}

TEST_F(ImportOwnTest, ADryRunSaysWhatItWouldDo) {
  const auto entries = exported_of({{"user.md", user_file}, {"MEMORY.md", memory_file}});
  make_vault();
  Memory memory = open();
  const auto before = folder.contents("vault");
  const auto imported = import_entries(memory, entries, true);
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->own, (std::map<std::string, size_t>{{"MEMORY.md", 2}, {"user.md", 7}}));
  EXPECT_EQ(folder.contents("vault"), before);
}

TEST_F(ImportOwnTest, AnExportOfAnEarlierVersionComesBackToo) {
  auto entries =
      parse_export(R"({"id":"h-1","text":"Bakes.","file":"user.md","line":3,"line_end":3,"section":["Work"],"source":"user"})"
                   "\n"
                   R"({"id":"h-2","text":"Sails.","file":"user.md","line":4,"line_end":4,"section":["Work"],"source":"user"})");
  ASSERT_TRUE(entries);
  write("user.md", "## Work\n");
  import_twice(*entries);
  EXPECT_EQ(read("user.md"), "## Work\n\nBakes.\n\nSails.\n");
}

TEST_F(ImportOwnTest, KilledAnywhereAndDoneAgainItEndsWithTheSameFiles) {
  const auto entries = exported_of({{"user.md", user_file + "\n\n" + std::string(990, 'x') + "\n"},
                                    {"MEMORY.md", memory_file},
                                    {"archive/2026-01-02.md", "A fact.\n"}});
  std::vector<std::string> calls;
  std::map<std::string, std::string> wanted;
  const auto files = [&] {
    std::map<std::string, std::string> found;
    for (const char* file : {"user.md", "MEMORY.md"}) found[file] = read(file);
    return found;
  };
  Texts all;
  {
    FaultyFileSystem disk;
    Memory memory = Memory::open(folder / "vault", environment_in(folder), disk, clock).value();
    ASSERT_TRUE(memory.bring_up_to_date());
    disk.fail_nothing();
    import(memory, entries);
    calls = disk.calls();
    wanted = files();
    all = texts(memory);
  }
  for (size_t call = 0; call < calls.size(); ++call) {
    const std::string& name = calls[call];
    if (!name.starts_with("write_once") && !name.starts_with("exchange") && !name.starts_with("rename")) continue;
    std::filesystem::remove_all(folder / "vault");
    std::filesystem::create_directories(folder / "vault");
    {
      FaultyFileSystem disk;
      Memory memory = Memory::open(folder / "vault", environment_in(folder), disk, clock).value();
      ASSERT_TRUE(memory.bring_up_to_date());
      disk.fail_from(call, ENOSPC);
      (void)import_entries(memory, entries, false);
    }
    Memory memory = open();
    import(memory, entries);
    EXPECT_EQ(files(), wanted) << name;
    EXPECT_EQ(texts(memory), all) << name;
  }
}

}  // namespace
}  // namespace loci
