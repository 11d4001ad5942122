// Every store that there is, filled by what people and programs do, with one text in all of them: after a purge it is nowhere.
#include <gmock/gmock.h>

#include "agents/spool.h"
#include "capture/turn.h"
#include "consolidate/consolidator.h"
#include "consolidate/kept_answers.h"
#include "consolidate/kept_keys.h"
#include "consolidate/runs/failures.h"
#include "consolidate/runs/store.h"
#include "context/kept_session.h"
#include "daemon/stores.h"
#include "edits/evidence.h"
#include "edits/understand.h"
#include "embeddings/vector_file.h"
#include "memory/add.h"
#include "memory/doctor.h"
#include "memory/forget.h"
#include "memory/purge.h"
#include "memory/purge_record.h"
#include "memory/restore.h"
#include "model/model_use.h"
#include "parser/text_hash.h"
#include "tests/memory/memory_fixture.h"
#include "tests/support/faulty_file_system.h"
#include "vault/changes/file_transaction_note.h"
#include "vault/logs/recall_log.h"

namespace loci {
namespace {

using testing::IsEmpty;

class EveryStore : public MemoryTest {
 protected:
  static constexpr const char* secret = "The vault door answers to quokka4711.";
  static constexpr const char* state_root = "home/.local/state/loci";

  EveryStore() {
    folder.write("home/.config/loci/config.toml", "[capture]\nturns = \"summary\"\n");
    write("MEMORY.md", "Mine.\n\n<!-- loci:core begin -->\n<!-- loci:core end -->\n");
    write("consolidated/other.md", standing("c-hand") + standing("c-other"));
    fill();
    write("user.md", std::string("# Me\n\n") + secret + "\n\nI like tea.\n");
    write("note.md", std::string("Intro.\n\n") + secret + "\n\nOutro.\n");
    write("note.loci-conflict-20260101T000000Z.md", std::string(secret) + "\n");
  }

  static std::string standing(const std::string& id) { return "<!--m {\"id\":\"" + id + "\"}-->\n" + secret + "\n\n"; }

  static NewEntry said(const std::string& text) {
    NewEntry fact;
    fact.metadata.source = Source::user;
    fact.text = text;
    return fact;
  }

  void fill() {
    Memory memory = open();
    const Vault& vault = memory.vault();
    ASSERT_TRUE(
        log_retrieval(vault, {.query = "quokka4711", .session = {}, .turn = {}, .ids = {id_from_hash(hash)}, .details = {}}));
    clock.advance(std::chrono::hours(25));
    ASSERT_TRUE(fold_recall_log(vault));

    reword_by_hand(memory);
    const auto added = add(memory, {said(secret), said("Owns a kite.")});
    ASSERT_TRUE(added);
    fact = added->entries.front().id;
    TurnInput turn;
    turn.session = "s1";
    turn.user = "by the way, the vault door answers to quokka4711";
    ASSERT_TRUE(store_turn(memory, turn));
    turn.session = "s2";
    ASSERT_TRUE(enqueue_turn(vault, turn));
    write(".loci/spool/late.json", R"({"what":"turn","session":"s2","user":")" + turn.user + "\"}");
    ASSERT_TRUE(keep_block(vault, "s3", std::string("Known: ") + secret, {{secret, {}}}));
    Fact failed;
    failed.id = fact;
    failed.hash = hash;
    ConsolidateOptions now;
    now.force = true;
    ASSERT_TRUE(consolidate(memory, {}, now));
    ASSERT_TRUE(KeptAnswers(vault).keep({}, {std::string("{\"text\":\"") + secret + "\"}", {}}));
    KeptKeys keys;
    keys.add(failed, {"door"});
    ASSERT_TRUE(keys.write(vault, {failed}));
    ASSERT_TRUE(note_failures(vault, {failed}, {"r", 1, clock.now()}, "no answer"));
    ASSERT_TRUE(forget(memory, {"c-hand"}, {}));
    ASSERT_TRUE(restore(memory, "c-hand"));
    ModelUse use;
    use.last_error = std::string("cannot answer \"") + secret + "\"";
    ASSERT_TRUE(write_model_use(real_file_system(), vault.state_folder(), use));
    ASSERT_TRUE(make_folders(real_file_system(), vector_folder(vault.state_folder())));
    ASSERT_TRUE(add_vectors(real_file_system(), vault.state_folder(), "small", {{{hash, {1, 0}}}}));
    FileTransaction unfinished{.id = "t1"};
    unfinished.files = {{"consolidated/other.md", "what somebody has changed since\n", standing("c-new")}};
    ASSERT_TRUE(make_folders(real_file_system(), transactions_folder(vault)));
    ASSERT_TRUE(write_note(vault, unfinished));
  }

  void reword_by_hand(Memory& memory) {
    ASSERT_TRUE(memory.take_in({}));
    ASSERT_TRUE(understand(memory));
    std::string bytes = read("consolidated/other.md");
    bytes.replace(bytes.rfind(secret), std::string_view(secret).size(), "The vault door has no password.");
    write("consolidated/other.md", bytes);
    ASSERT_TRUE(memory.take_in({}));
    ASSERT_TRUE(understand(memory, {"consolidated/other.md"}));
    clock.advance(sync_settles);  // the file is older than what was written on this clock: another sync tool is waited for
    ASSERT_TRUE(understand(memory));
  }

  struct File {
    StoreRoot root;
    std::string name;  // relative to it
    std::string bytes;
  };
  std::vector<File> all_files(const Vault& vault) const {
    std::vector<File> files;
    for (const StoreRoot root : {StoreRoot::vault, StoreRoot::state}) {
      const path& start = root == StoreRoot::vault ? vault.root() : vault.state_folder();
      for (const auto& item : std::filesystem::recursive_directory_iterator(start))
        if (item.is_regular_file())
          files.push_back({root, item.path().lexically_relative(start), read_file(real_file_system(), item.path()).value()});
    }
    return files;
  }

  bool holds(const std::string& bytes) const {
    return bytes.contains("quokka4711") || bytes.contains(hash) || bytes.contains(id_from_hash(hash)) ||
           bytes.contains("\"sum\":\"" + sum_from_hash(hash));
  }
  std::vector<std::string> files_that_hold(const Vault& vault) const {
    std::vector<std::string> found;
    for (const File& file : all_files(vault))
      if (holds(file.bytes)) found.push_back(file.name);
    return found;
  }

  Result<Purged> purge_the_secret(Memory& memory) const {
    const auto entries = TRY(entries_to_purge(memory, {fact}, {}));
    return purge(memory, entries, all_stores());
  }

  const std::string hash = stored_text_hash(secret);
  std::string fact;
};

TEST_F(EveryStore, IsRegisteredAndHoldsTheTextUntilItIsPurged) {
  Memory memory = open();
  const std::vector<Store> stores = all_stores();
  std::set<std::string_view> with_text;
  for (const File& file : all_files(memory.vault())) {
    const Store* store = store_of(stores, file.root, file.name);
    ASSERT_TRUE(store) << file.name << " belongs to no store: register it in daemon/stores.cpp";
    EXPECT_FALSE(store->place.empty() && file.name.starts_with(".loci/"))
        << file.name << " is no memory file: register its store in daemon/stores.cpp";
    if (holds(file.bytes)) with_text.insert(store->name);
  }
  for (const Store& store : stores)
    EXPECT_TRUE(!store.purge || with_text.contains(store.name)) << store.name << ": nothing here fills it";

  const auto purged = purge_the_secret(memory);
  ASSERT_TRUE(purged) << purged.error().message;
  EXPECT_THAT(purged->notes, IsEmpty());
  EXPECT_THAT(purged->still_in, IsEmpty());
  EXPECT_THAT(files_that_hold(memory.vault()), IsEmpty());
  const auto report = examine_vault(memory, false, stores);
  ASSERT_TRUE(report);
  for (const Problem& problem : report->problems) EXPECT_NE(problem.code, "purged-text") << problem.file;
}

TEST_F(EveryStore, DoctorTakesOutWhatComesBackUnderThePurgedId) {
  Memory memory = open();
  ASSERT_TRUE(purge_the_secret(memory));
  const std::string late = std::filesystem::relative(memory.vault().state_folder() / "runs/late/before/abc", folder.path());
  folder.write(late, standing(fact));
  const auto report = examine_vault(memory, false, all_stores());
  ASSERT_TRUE(report);
  EXPECT_EQ(std::ranges::count(report->problems, "purged-text", &Problem::code), 1);
  ASSERT_TRUE(examine_vault(memory, true, all_stores()));
  EXPECT_FALSE(folder.has(late));
}

TEST_F(EveryStore, WhatARewriteLeftBehindGoesToo) {
  Memory memory = open();
  const std::string left = std::filesystem::relative(memory.vault().state_folder() / "purge.json.tmp-1", folder.path());
  folder.write(left, std::string("{\"entries\":[{\"text\":\"") + secret);
  ASSERT_TRUE(purge_the_secret(memory));
  EXPECT_FALSE(folder.has(left));
}

TEST_F(EveryStore, APurgeThatWasKilledAnywhereIsFinishedByTheNextOne) {
  std::filesystem::create_directories(folder / "saved");
  const auto copy = [&](const std::string& from, const std::string& to) {
    std::filesystem::remove_all(folder / to);
    std::filesystem::copy(folder / from, folder / to, std::filesystem::copy_options::recursive);
  };
  copy("vault", "saved/vault");
  copy(state_root, "saved/state");
  // Kills the purge at this call; npos: never. The calls that it made.
  const auto purge_until = [&](size_t call) {
    copy("saved/vault", "vault");
    copy("saved/state", state_root);
    FaultyFileSystem disk;
    Memory memory = Memory::open(folder / "vault", environment_in(folder), disk, clock).value();
    const auto entries = entries_to_purge(memory, {fact}, {});
    EXPECT_TRUE(entries);
    if (call == std::string::npos)
      disk.fail_nothing();
    else
      disk.fail_from(call, ENOSPC);
    (void)purge(memory, *entries, all_stores());
    return disk.calls();
  };
  const std::vector<std::string> calls = purge_until(std::string::npos);
  int kills = 0;
  for (size_t call = 0; call < calls.size(); ++call) {
    const bool changes =
        calls[call].starts_with("rename") || calls[call].starts_with("exchange") || calls[call].starts_with("remove");
    if (!changes || ++kills % 4 != 1) continue;  // each takes half a second
    purge_until(call);
    Memory memory = open();
    const auto purged = purge_the_secret(memory);
    ASSERT_TRUE(purged) << calls[call] << ": " << purged.error().message;
    EXPECT_TRUE(purged->complete) << calls[call];
    EXPECT_THAT(files_that_hold(memory.vault()), IsEmpty()) << calls[call];
    EXPECT_THAT(read_purge_record(memory.vault()).value(), IsEmpty()) << calls[call];
  }
  EXPECT_GT(kills, 20);
}

}  // namespace
}  // namespace loci
