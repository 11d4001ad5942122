#include "memory/import.h"

#include "memory/correct.h"
#include "memory/export.h"
#include "memory/forget.h"
#include "memory/json_shapes.h"
#include "memory/purge.h"
#include "memory/restore.h"
#include "memory/stores.h"
#include "parser/text_hash.h"
#include "tests/memory/memory_fixture.h"
#include "tests/support/faulty_file_system.h"
#include "vault/logs/vault_logs.h"

namespace loci {
namespace {

TEST(ParseExport, WhatIsNoneSaysWhere) {
  const std::pair<std::string, std::string> cases[] = {
      {"{\"v\":1,\"entries\":3}", "\"entries\" is no array"},
      {"{\"v\":1,\"entries\":[{\"id\":\"a\"}]}", "entry 1 has no \"text\""},
      {"{\"id\":\"a\",\"text\":\"x\"}\nnot json\n", "line 2: "},
  };
  for (const auto& [bytes, message] : cases) {
    const auto entries = parse_export(bytes);
    ASSERT_FALSE(entries) << bytes;
    EXPECT_EQ(entries.error().code, ErrorCode::usage);
    EXPECT_EQ(entries.error().message.substr(0, message.size()), message);
  }
}

TEST(ParseExport, WhatWasForgottenIsLeftOut) {
  const auto entries =
      parse_export("{\"id\":\"a\",\"text\":\"x\",\"status\":\"inactive\"}\n{\"id\":\"b\",\"text\":\"y\",\"status\":\"active\"}\n");
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 1u);
  EXPECT_EQ(entries->front().entry.id, "b");
}

class ImportTest : public MemoryTest {
 protected:
  static constexpr const char* durable = "consolidated/memory.md";

  ImportTest() { clock.advance(parse_time("2026-03-01T12:00:00Z").value() - clock.now()); }

  static std::vector<ExportedEntry> exported(Memory& memory) {
    EXPECT_TRUE(memory.bring_up_to_date());
    std::string lines;
    EXPECT_TRUE(for_each_exported(memory, [&](const Json& entry) {
      lines += to_string(entry) + "\n";
      return true;
    }));
    auto entries = parse_export(lines);
    EXPECT_TRUE(entries) << entries.error().message;
    return std::move(*entries);
  }

  // The vault that is written so, exported.
  std::vector<ExportedEntry> exported_of(const std::map<std::string, std::string>& files) {
    for (const auto& [file, bytes] : files) folder.write("elsewhere/" + file, bytes);
    Memory memory = Memory::open(folder / "elsewhere", environment_in(folder), real_file_system(), clock).value();
    return exported(memory);
  }

  static std::string entry(const std::string& metadata, const std::string& text) {
    return "<!--m {" + metadata + "}-->\n" + text + "\n\n";
  }

  // Two facts, settled into entries; the second one says something else than its fact.
  static std::map<std::string, std::string> two_settled(const std::string& second = "Tea at five.") {
    const std::string hash = stored_text_hash("Boats sail."), tea = stored_text_hash("Drinks tea at five.");
    return {{"archive/2026-01-02.md", entry(R"("id":"f1","at":"2026-01-02T03:00:00Z")", "Boats sail.") +
                                          entry(R"("id":"f2","at":"2026-01-02T04:00:00Z")", "Drinks tea at five.")},
            {durable, entry(R"("id":"c1","from":["f1"])", "Boats sail.") +
                          entry(R"("id":"c2","sum":")" + sum_from_hash(text_hash("Tea at five.")) +
                                    R"(","source":"agent","from":["f2"],"history":["Tea at four."])",
                                second)},
            {".loci/ledger/there.jsonl", R"({"gen":1,"run":"r","at":"2026-01-03T00:00:00Z","fact":"f1","fact_hash":")" + hash +
                                             R"(","outcome":"added","entry":"c1","entry_hash":")" + hash + "\"}\n" +
                                             R"({"gen":1,"run":"r","at":"2026-01-03T00:00:00Z","fact":"f2","fact_hash":")" + tea +
                                             R"(","outcome":"added","entry":"c2","entry_hash":")" +
                                             stored_text_hash("Tea at five.") + "\"}\n"}};
  }

  static Imported import(Memory& memory, const std::vector<ExportedEntry>& entries) {
    auto imported = import_entries(memory, entries, false);
    EXPECT_TRUE(imported) << imported.error().message;
    return imported ? std::move(*imported) : Imported{};
  }

  // What was left out, and how it comes back: "f1 deleted restore f1".
  static std::vector<std::string> left_out(const Imported& imported) {
    std::vector<std::string> out;
    for (const LeftOut& one : imported.left_out)
      out.push_back(one.id + " " + std::string(name_of(one.why)) + (one.restore.empty() ? "" : " restore " + one.restore));
    return out;
  }

  // Everything about every active entry that an import has to keep.
  static std::vector<std::string> all_of(Memory& memory) {
    EXPECT_TRUE(memory.bring_up_to_date());
    std::vector<std::string> all;
    const auto listed = memory.reader().value()->list(EntryFilter{}, 10000).value();
    for (const Entry& one : listed) {
      Json json = entry_to_json(one);
      for (const char* key : {"line", "line_end", "places", "section"}) json.set(key, Json());
      json.set("pending", one.pending);
      json.set("edited", one.edited);
      all.push_back(to_string(json));
    }
    std::ranges::sort(all);
    return all;
  }
};

// A record of another memory, as an importer hands it over.
std::vector<ExportedEntry> record(const std::string& text) {
  ExportedEntry one;
  one.is_record = one.tells_settled = true;
  one.entry.id = "i-0123456789abcdef01234567";
  one.entry.text = text;
  one.entry.hash = stored_text_hash(text);
  one.entry.source = Source::agent;
  one.entry.place = Place::archive;
  return {one};
}

TEST_F(ImportTest, ANewerTextOfARecordSupersedesTheOlderAndAnOlderExportChangesNothing) {
  Memory memory = open();
  EXPECT_EQ(import(memory, record("Ana lives in Graz.")).archived, 1u);
  for (const char* text : {"Ana lives in Vienna.", "Ana lives in Linz."}) {
    EXPECT_EQ(import_entries(memory, record(text), true)->updated, 1u);
    const Imported imported = import(memory, record(text));
    EXPECT_EQ(imported.updated, 1u);
    EXPECT_EQ(imported.known + imported.archived + imported.left_out.size(), 0u);
    EXPECT_EQ(texts(memory), Texts{text});
  }
  for (const char* text : {"Ana lives in Graz.", "Ana lives in Vienna.", "Ana lives in Linz."})
    EXPECT_EQ(import(memory, record(text)).known, 1u) << text;
  EXPECT_EQ(texts(memory), Texts{"Ana lives in Linz."});
  EXPECT_EQ(find_entry(memory, record("")[0].entry.id, true)->text, "Ana lives in Graz.") << "the history is kept";
}

TEST_F(ImportTest, WhatAPersonSaidOfARecordSinceStays) {
  Memory memory = open();
  const std::string id = record("")[0].entry.id;
  import(memory, record("Ana lives in Graz."));
  const auto corrected = correct(memory, id, "Ana lives in Steyr.");
  ASSERT_TRUE(corrected);
  EXPECT_EQ(left_out(import(memory, record("Ana lives in Vienna."))), (std::vector<std::string>{id + " changed"}));
  EXPECT_EQ(texts(memory), Texts{"Ana lives in Steyr."});
  ASSERT_TRUE(forget(memory, {corrected->id}, {}));
  EXPECT_EQ(left_out(import(memory, record("Ana lives in Vienna."))), (std::vector<std::string>{id + " changed"}));
  EXPECT_EQ(texts(memory), Texts{});
}

TEST_F(ImportTest, ARecordThatWasForgottenOrEditedHereStaysSo) {
  Memory memory = open();
  const std::string id = record("")[0].entry.id;
  import(memory, record("Ana lives in Graz."));
  const auto found = find_entry(memory, id);
  ASSERT_TRUE(found);
  const std::string name = found->places.front().file;
  std::string bytes = read(name);
  write(name, bytes.replace(bytes.find("Graz"), 4, "Wels"));
  EXPECT_EQ(import(memory, record("Ana lives in Graz.")).known, 1u);
  EXPECT_EQ(left_out(import(memory, record("Ana lives in Vienna."))), (std::vector<std::string>{id + " changed"}));
  EXPECT_EQ(texts(memory), Texts{"Ana lives in Wels."});
  ASSERT_TRUE(forget(memory, {id}, {}));
  EXPECT_EQ(left_out(import(memory, record("Ana lives in Vienna."))), (std::vector<std::string>{id + " deleted restore " + id}));
}

TEST_F(ImportTest, AnExportedEntryReadsBackEqual) {
  write(
      "archive/2026-01-02.md",
      entry(
          R"("id":"f1","at":"2026-01-02T03:04:05.678Z","source":"correction","kind":"turn","session":"s","turn":3,"role":"user",)"
          R"("task":"t","project":"p","tags":["a","b"],"category":"c","confidence":0.25,"about":["k"],"corrects":"f0","mine":[1])",
          "said"));
  Memory memory = open();
  const auto again = exported(memory);
  const Entry wanted = find_entry(memory, "f1").value();
  ASSERT_EQ(again.size(), 1u);
  const Entry& read = again[0].entry;
  EXPECT_EQ(read.at, wanted.at);
  EXPECT_EQ(read.source, Source::correction);
  EXPECT_EQ(read.kind, EntryKind::turn);
  EXPECT_EQ(read.turn, 3);
  EXPECT_EQ(read.tags, wanted.tags);
  EXPECT_EQ(read.about, wanted.about);
  EXPECT_EQ(read.confidence, 0.25);
  EXPECT_EQ(read.corrects, "f0");
  EXPECT_EQ(read.hash, wanted.hash);
  ASSERT_TRUE(again[0].metadata);
  ASSERT_EQ(again[0].metadata->unknown.size(), 1u) << "a key that this version does not know";
  EXPECT_EQ(again[0].metadata->unknown[0].first, "mine");
}

TEST_F(ImportTest, AMemoryComesBackAsItWas) {
  const auto there = exported_of(two_settled());
  Memory elsewhere = Memory::open(folder / "elsewhere", environment_in(folder), real_file_system(), clock).value();
  Memory memory = open();
  const Imported imported = import(memory, there);
  EXPECT_EQ(imported.archived, 2u);
  EXPECT_EQ(imported.consolidated, 2u);
  EXPECT_EQ(all_of(memory), all_of(elsewhere));
  EXPECT_EQ(memory.reader().value()->facts().settled, 2);
  EXPECT_TRUE(read(durable).contains(R"("history":["Tea at four."])"));
  const auto before = folder.contents("vault");
  EXPECT_EQ(import(memory, there).known, 4u);
  EXPECT_EQ(folder.contents("vault"), before) << "a second import adds nothing";
}

TEST_F(ImportTest, WhatAPersonChangedIsStillTheirs) {
  const auto there = exported_of(two_settled("Tea at six, and never later."));
  Memory memory = open();
  import(memory, there);
  ASSERT_TRUE(memory.bring_up_to_date());
  const Entry tea = find_entry(memory, "c2").value();
  EXPECT_EQ(tea.text, "Tea at six, and never later.");
  EXPECT_TRUE(tea.edited);
  EXPECT_EQ(tea.source, Source::user);
  const auto logs = read_logs(memory.vault()).value();
  ASSERT_EQ(logs.ledger.size(), 2u);
  for (const LedgerEntry& line : logs.ledger)
    EXPECT_EQ(line.entry_hash, line.entry == "c2" ? "" : stored_text_hash("Boats sail.")) << "no log says that loci wrote it";
}

TEST_F(ImportTest, AFactThatIsPendingThereIsPendingHere) {
  auto files = two_settled();
  files["archive/2026-01-02.md"] += entry(R"("id":"f3","at":"2026-01-02T05:00:00Z")", "Owns a kite.");
  Memory memory = open();
  import(memory, exported_of(files));
  ASSERT_TRUE(memory.bring_up_to_date());
  EXPECT_TRUE(find_entry(memory, "f3")->pending);
  EXPECT_EQ(memory.reader().value()->facts().pending, 1);
}

TEST_F(ImportTest, WhatWasForgottenHereStaysOutByIdAndByText) {
  write("archive/2026-02-01.md", entry(R"("id":"mine","at":"2026-02-01T03:00:00Z")", "Boats sail."));
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"mine"}, {}));
  auto there = two_settled();
  there["archive/2026-03-01.md"] = entry(R"("id":"late","at":"2026-03-01T11:00:00Z")", "Boats sail.");
  const Imported imported = import(memory, exported_of(there));
  EXPECT_EQ(left_out(imported), (Texts{"f1 deleted restore mine", "late deleted restore mine", "c1 deleted restore mine"}));
  EXPECT_EQ(texts(memory), (Texts{"Drinks tea at five.", "Tea at five."}));
}

TEST_F(ImportTest, WhatAnAgentRemovedHereStaysOutByItsIdAndTheSameWordsOfOthersComeIn) {
  write("archive/2026-02-01.md", entry(R"("id":"mine","at":"2026-02-01T03:00:00Z","source":"agent")", "Boats sail."));
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"mine"}, {.actor = Actor::agent}));
  auto there = two_settled();
  there["archive/2026-02-01.md"] = entry(R"("id":"mine","at":"2026-02-01T03:00:00Z")", "Boats sail.");
  const Imported imported = import(memory, exported_of(there));
  EXPECT_EQ(left_out(imported), Texts{"mine deleted restore mine"});
  EXPECT_EQ(texts(memory), (Texts{"Boats sail.", "Boats sail.", "Drinks tea at five.", "Tea at five."}));
}

TEST_F(ImportTest, WhatWasForgottenHereComesInOnceItIsRestored) {
  write("archive/2026-02-01.md", entry(R"("id":"mine","at":"2026-02-01T03:00:00Z")", "Boats sail."));
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"mine"}, {}));
  const auto there = exported_of(two_settled());
  ASSERT_EQ(import(memory, there).left_out.size(), 2u);
  ASSERT_TRUE(restore(memory, "mine"));
  EXPECT_EQ(left_out(import(memory, there)), Texts{});
  EXPECT_EQ(std::ranges::count(texts(memory), "Boats sail."), 2) << "the fact, and the entry that it went into there";
}

TEST_F(ImportTest, WhatWasPurgedHereStaysOutByItsId) {
  write("archive/2026-02-01.md", entry(R"("id":"f1","at":"2026-02-01T03:00:00Z")", "Boats sail."));
  Memory memory = open();
  ASSERT_TRUE(purge(memory, entries_to_purge(memory, {"f1"}, {}).value(), memory_stores()));
  EXPECT_EQ(left_out(import(memory, exported_of(two_settled()))), (Texts{"f1 purged", "c1 rests-on-removed"}));
  EXPECT_FALSE(read(durable).contains("Boats"));
}

TEST_F(ImportTest, WhatIsToBeKeptOutIsNotTakenInNorWhatWasMadeOfIt) {
  Memory memory = open();
  const auto imported = import_entries(memory, exported_of(two_settled()), false, {"f1"});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(left_out(*imported), (Texts{"f1 kept-out", "c1 kept-out"}));
  for (const auto& [file, bytes] : folder.contents("vault")) EXPECT_FALSE(bytes.contains("Boats sail")) << file;
}

TEST_F(ImportTest, AnEntryThatAForgottenFactWentIntoStaysOutAndItsOtherFactsArePending) {
  auto files = two_settled();
  files[durable] = entry(R"("id":"c1","sum":")" + sum_from_hash(text_hash("Boats sail; tea at five.")) + R"(","from":["f1","f2"])",
                         "Boats sail; tea at five.");
  for (size_t at; (at = files[".loci/ledger/there.jsonl"].find("\"c2\"")) != std::string::npos;)
    files[".loci/ledger/there.jsonl"].replace(at, 4, "\"c1\"");
  write("archive/2026-02-01.md", entry(R"("id":"mine","at":"2026-02-01T03:00:00Z")", "Boats sail."));
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"mine"}, {}));
  const Imported imported = import(memory, exported_of(files));
  EXPECT_EQ(left_out(imported), (Texts{"f1 deleted restore mine", "c1 rests-on-removed restore mine"}));
  EXPECT_EQ(texts(memory), (Texts{"Drinks tea at five."}));
  EXPECT_TRUE(find_entry(memory, "f2")->pending);
}

TEST_F(ImportTest, APersonsWordsComeInThoughAFactUnderThemWasForgotten) {
  auto files = two_settled("Tea at six, and never later.");
  write("archive/2026-02-01.md", entry(R"("id":"mine","at":"2026-02-01T03:00:00Z")", "Drinks tea at five."));
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"mine"}, {}));
  EXPECT_EQ(left_out(import(memory, exported_of(files))), (Texts{"f2 deleted restore mine"}));
  EXPECT_EQ(texts(memory), (Texts{"Boats sail.", "Boats sail.", "Tea at six, and never later."}));
}

TEST_F(ImportTest, OneOfTwoCorrectionsThatSwappedTheirTextsComesIn) {
  write("archive/2026-02-01.md", entry(R"("id":"mine","at":"2026-02-01T03:00:00Z")", "Boats sail."));
  Memory memory = open();
  ASSERT_TRUE(correct(memory, "mine", "Boats sink."));
  const auto there =
      exported_of({{"archive/2026-01-02.md", entry(R"("id":"a","at":"2026-01-02T03:00:00Z","source":"correction")", "Boats sail.")},
                   {"archive/2026-01-03.md", entry(R"("id":"b","at":"2026-01-03T03:00:00Z","source":"agent")", "Other.")}});
  EXPECT_EQ(left_out(import(memory, there)), Texts{});
}

TEST_F(ImportTest, ANoteWithoutADateGetsNone) {
  const auto there = exported_of({{"harbour.md", "The boat lies in Kiel.\n"}, {"2026-01-05 walk.md", "It rained.\n"}});
  Memory memory = open();
  import(memory, there);
  ASSERT_TRUE(memory.bring_up_to_date());
  EXPECT_EQ(find_entry(memory, id_of(memory, "The boat lies in Kiel."))->at, std::nullopt);
  EXPECT_EQ(utc_date(*find_entry(memory, id_of(memory, "It rained."))->at), "2026-01-05");
  EXPECT_TRUE(folder.has("vault/archive/undated.md"));
  EXPECT_EQ(import(memory, there).known, 2u);
}

TEST_F(ImportTest, ADateThatIsMoreThanADayAheadBecomesNow) {
  const auto there = exported_of(
      {{"archive/2026-01-02.md",
        entry(R"("id":"far","at":"2093-01-01T00:00:00Z")", "Far.") + entry(R"("id":"near","at":"2026-03-02T11:00:00Z")", "Near.")},
       {durable, entry(R"("id":"c1","from":["far"],"first_seen":"2093-01-01","updated":"2026-03-02")", "Far, and durable.")}});
  Memory memory = open();
  import(memory, there);
  ASSERT_TRUE(memory.bring_up_to_date());
  EXPECT_EQ(find_entry(memory, "far")->at, clock.now());
  EXPECT_EQ(find_entry(memory, "near")->at, parse_time("2026-03-02T11:00:00Z"));
  EXPECT_EQ(find_entry(memory, "c1")->first_seen, "2026-03-01");
  EXPECT_EQ(find_entry(memory, "c1")->updated, "2026-03-02");
}

TEST_F(ImportTest, KilledAnywhereAndDoneAgainItEndsWithTheSameEntries) {
  auto files = two_settled("Tea at six, and never later.");
  files["harbour.md"] = "The boat lies in Kiel.\n";
  const auto there = exported_of(files);
  std::vector<std::string> wanted, calls;
  {
    FaultyFileSystem disk;
    Memory memory = Memory::open(folder / "vault", environment_in(folder), disk, clock).value();
    ASSERT_TRUE(memory.bring_up_to_date());
    disk.fail_nothing();
    import(memory, there);
    calls = disk.calls();
    wanted = all_of(memory);
  }
  const auto changes_a_file = [](const std::string& call) {
    return call.starts_with("write_once") || call.starts_with("exchange") || call.starts_with("rename");
  };
  for (size_t call = 0; call < calls.size(); ++call) {
    if (!changes_a_file(calls[call])) continue;
    std::filesystem::remove_all(folder / "vault");
    std::filesystem::create_directories(folder / "vault");
    {
      FaultyFileSystem disk;
      Memory memory = Memory::open(folder / "vault", environment_in(folder), disk, clock).value();
      ASSERT_TRUE(memory.bring_up_to_date());
      disk.fail_from(call, ENOSPC);
      (void)import_entries(memory, there, false);
    }
    Memory memory = open();
    import(memory, there);
    EXPECT_EQ(all_of(memory), wanted) << calls[call];
    EXPECT_EQ(read_logs(memory.vault())->ledger.size(), 2u) << calls[call];
  }
}

TEST(TurnsOf, QuestionAndAnswerAreOneTurn) {
  const auto said = [](const char* id, const char* session, std::int64_t number, const char* role, const char* text) {
    Entry entry;
    entry.id = id;
    entry.session = session;
    entry.turn = number;
    entry.role = role;
    entry.text = text;
    return entry;
  };
  const auto turns = turns_of({said("d", "s", 1, "assistant", "A1"), said("c", "s", 1, "user", "Q1"),
                               said("x", "other", 1, "user", "Q"), said("a", "s", 0, "", "Q0")});
  ASSERT_EQ(turns.size(), 3u);
  EXPECT_EQ(to_string(turn_to_json(turns[0])), R"({"id":"c","session":"s","turn":1,"user":"Q1","assistant":"A1","at":null})");
  EXPECT_EQ(turns[1].session, "other");
  EXPECT_EQ(turns[2].user, "Q0");
  EXPECT_EQ(turns[2].assistant, "");
}

}  // namespace
}  // namespace loci
