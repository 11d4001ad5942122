// A vault that an observer looks at, with clocks that a test moves. Every test of a row of the table runs twice: with one process
// throughout, and with the daemon restarted between the edit and what follows from it.
#pragma once

#include <optional>

#include "edits/observer.h"
#include "memory/vault_logs.h"
#include "parser/text_hash.h"
#include "tests/memory/memory_fixture.h"
#include "vault/logs/logs.h"

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

  // The index takes in what changed, as the daemon does, and the observer is told.
  Observed look(const std::vector<std::string>& changed = {}) {
    if (!changed.empty()) {
      EXPECT_TRUE(memory->take_in(changed));
    }
    auto observed = observer.look(*memory, changed, {clock.now(), steady});
    if (observed) return std::move(*observed);
    ADD_FAILURE() << observed.error().message;
    return {};
  }

  Observed save(const std::string& name, const std::string& bytes) {
    write(name, bytes);
    return look({name});
  }

  void pass(std::chrono::milliseconds time) {
    clock.advance(time);
    steady += time;
  }

  void restart() {
    observer = EditObserver();
    memory.emplace(open());
    steady = std::chrono::steady_clock::time_point(std::chrono::hours(1));
  }

  // What is pending has been so for long enough.
  Observed settle() {
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

  // git's own files, as far as anybody looks at them.
  void commit(const std::string& hash) {
    write(".git/HEAD", "ref: refs/heads/main\n");
    write(".git/refs/heads/main", hash + "\n");
  }

  std::optional<Memory> memory;
  EditObserver observer;
  std::chrono::steady_clock::time_point steady{std::chrono::hours(7)};
};

class Rows : public EditsTest, public testing::WithParamInterface<bool> {
 protected:
  void perhaps_restart() {
    if (GetParam()) restart();
  }
};

}  // namespace loci
