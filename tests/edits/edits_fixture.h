// A vault whose edits are understood, with a clock that a test moves. Every test of a row of the table runs twice: with one process
// throughout, and with another one for what follows from the edit.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <optional>

#include "edits/understand.h"
#include "memory/vault_logs.h"
#include "parser/text_hash.h"
#include "tests/memory/memory_fixture.h"
#include "vault/logs/logs.h"
#include "vault/rewrite/replace.h"

namespace loci {

inline std::string hash_of_text(const std::string& text) { return text_hash(text).substr(0, 32); }

// An entry as loci writes it, with the sum of its text.
inline std::string entry_of(const std::string& id, const std::string& text, const std::string& from = {}) {
  const std::string facts = from.empty() ? "" : R"(,"from":[")" + from + R"("])";
  return R"(<!--m {"id":")" + id + R"(","sum":")" + sum_from_hash(text_hash(text)) + R"(","source":"agent")" + facts + "}-->\n" +
         text + "\n\n";
}

class EditsTest : public MemoryTest {
 protected:
  static constexpr const char* file = "consolidated/memory.md";

  EditsTest() { memory.emplace(open()); }

  // The index takes in what changed, as the daemon does, and it is understood.
  Understood look(const std::vector<std::string>& changed = {}) {
    if (!changed.empty()) {
      EXPECT_TRUE(memory->take_in(changed));
    }
    auto understood = changed.empty() ? understand(*memory) : understand(*memory, changed);
    if (understood) return std::move(*understood);
    ADD_FAILURE() << understood.error().message;
    return {};
  }

  Understood save(const std::string& name, const std::string& bytes) {
    write(name, bytes);
    return look({name});
  }

  // As a run, or a command, rewrites it.
  void loci_writes(const std::string& name, const std::string& bytes) {
    const auto replaced = replace_file(memory->vault(), name, read(name), bytes);
    ASSERT_TRUE(replaced) << replaced.error().message;
  }

  void set_saved_at(const std::string& name, Instant at) {
    const auto ms = at.time_since_epoch().count();
    const timespec times[2] = {{ms / 1000, ms % 1000 * 1'000'000}, {ms / 1000, ms % 1000 * 1'000'000}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (folder / "vault" / name).c_str(), times, 0), 0);
  }

  void pass(std::chrono::milliseconds time) { clock.advance(time); }

  void restart() { memory.emplace(open()); }

  // What is pending has been so for long enough.
  Understood settle() {
    look();
    pass(std::chrono::minutes(10));
    return look();
  }

  // `count` entries, e1 "fact number 1" and so on, without those that are left out.
  static std::string numbered(int count, const std::set<int>& without = {}, const std::string& text = "fact number ") {
    std::string bytes;
    for (int i = 1; i <= count; ++i)
      if (!without.contains(i)) bytes += entry_of("e" + std::to_string(i), text + std::to_string(i));
    return bytes;
  }

  // The id of the active entry of consolidated/ that says this.
  std::string id_saying(const std::string& text) {
    EXPECT_TRUE(memory->bring_up_to_date());
    const std::vector<Entry> entries = memory->reader().value()->list(EntryFilter{}, 10000).value();
    const auto found =
        std::ranges::find_if(entries, [&](const Entry& entry) { return entry.text == text && entry.place == Place::consolidated; });
    if (found != entries.end()) return found->id;
    ADD_FAILURE() << "no entry says " << text;
    return {};
  }

  std::vector<Tombstone> tombstones() { return read_logs(memory->vault()).value().tombstones; }
  void settle_in_ledger(const std::string& run, const std::string& entry, const std::string& entry_hash,
                        const std::string& into = {}) {
    LedgerEntry line;
    line.generation = 1;
    line.run = run;
    line.at = clock.now();
    line.fact = "f-" + entry;
    line.fact_hash = hash_of_text("f-" + entry);
    line.outcome = into.empty() ? LedgerEntry::Outcome::added : LedgerEntry::Outcome::merged;
    line.entry = entry;
    line.entry_hash = entry_hash;
    line.into = into;
    ASSERT_TRUE(append_ledger(memory->vault(), {line}));
  }

  // `entry_hash`: of the text that stands again; empty: the entry went.
  void undo_in_ledger(const std::string& entry, const std::string& entry_hash) {
    LedgerEntry line;
    line.generation = 1;
    line.run = "undo";
    line.at = clock.now();
    line.fact = "f-" + entry;
    line.fact_hash = hash_of_text("f-" + entry);
    line.outcome = LedgerEntry::Outcome::undone;
    line.entry = entry;
    line.entry_hash = entry_hash;
    ASSERT_TRUE(append_ledger(memory->vault(), {line}));
  }

  std::optional<Memory> memory;
};

class Rows : public EditsTest, public testing::WithParamInterface<bool> {
 protected:
  void perhaps_restart() {
    if (GetParam()) restart();
  }
};

}  // namespace loci
