// A vault in a temporary folder with its index, under a clock that a test moves. Files get the clock's time, so that no file is
// racy unless a test wants it.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <vector>

#include "indexer/indexer.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci {

class IndexedVault {
 public:
  explicit IndexedVault(FileSystem& files = real_file_system()) {
    std::filesystem::create_directories(folder / "vault");
    reopen(files);
  }
  // Reads its settings anew.
  void reopen(FileSystem& files = real_file_system()) {
    vault.emplace(Vault::open(folder / "vault", environment_in(folder), files, clock).value());
  }

  void write(const std::string& path, std::string_view bytes) {
    folder.write("vault/" + path, bytes);
    set_time(path);
  }
  void append(const std::string& path, std::string_view bytes) {
    folder.append("vault/" + path, bytes);
    set_time(path);
  }
  std::string read(const std::string& path) const { return folder.read("vault/" + path); }
  void remove(const std::string& path) { std::filesystem::remove(folder / ("vault/" + path)); }
  void rename(const std::string& from, const std::string& to) {
    std::filesystem::create_directories((folder / ("vault/" + to)).parent_path());
    std::filesystem::rename(folder / ("vault/" + from), folder / ("vault/" + to));
  }

  // The modification time of a file becomes the clock's, which moves on by a minute.
  void set_time(const std::string& path) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(clock.now().time_since_epoch()).count();
    const timespec times[] = {{seconds, 0}, {seconds, 0}};
    ::utimensat(AT_FDCWD, (folder / ("vault/" + path)).c_str(), times, 0);
    clock.advance(std::chrono::minutes(1));
  }

  ReconcileReport reconcile() {
    auto indexer = Indexer::open(*vault, std::chrono::milliseconds(0));
    EXPECT_TRUE(indexer) << indexer.error().message;
    auto report = indexer->reconcile();
    EXPECT_TRUE(report) << report.error().message;
    return report.value_or(ReconcileReport{});
  }
  ReconcileReport reconcile(const std::vector<std::string>& paths) {
    auto indexer = Indexer::open(*vault, std::chrono::milliseconds(0));
    EXPECT_TRUE(indexer) << indexer.error().message;
    auto report = indexer->reconcile(paths);
    EXPECT_TRUE(report) << report.error().message;
    return report.value_or(ReconcileReport{});
  }
  IndexReader reader() const {
    auto reader = IndexReader::open(vault->state_folder());
    EXPECT_TRUE(reader) << reader.error().message;
    return std::move(reader.value());
  }

  // The one entry with this id. Fails the test, with an empty entry, if there is none.
  Entry entry(const std::string& id) const {
    auto found = reader().find(id);
    EXPECT_TRUE(found) << found.error().message;
    EXPECT_TRUE(found && found->size() == 1) << id;
    if (found && found->size() == 1) return found->front();
    Entry none;
    none.places.emplace_back();
    return none;
  }
  // The texts of the active entries that have all these words next to each other, sorted.
  std::vector<std::string> found(const std::string& words, TermKind kind = TermKind::word) const {
    auto index = reader();
    const auto expression = index.expression_for(words, kind);
    std::vector<std::string> texts;
    if (expression.phrases == 0) return texts;
    const auto matches = index.match(expression.text);
    EXPECT_TRUE(matches) << matches.error().message;
    for (const RowId row : matches->rows) {
      const auto entry = index.entry(row);
      EXPECT_TRUE(entry) << entry.error().message;
      if (entry && entry->active) texts.push_back(entry->text);
    }
    std::ranges::sort(texts);
    return texts;
  }
  // What the index has of the files that a fresh one would not have, and the other way round; empty: nothing.
  std::string differences() const {
    const auto found = compare_with_fresh_scan(*vault);
    if (!found) return "cannot compare: " + found.error().message;
    std::string all;
    for (const auto& each : *found) all += each.id + " " + each.file + ":" + std::to_string(each.line) + " " + each.what + "\n";
    return all;
  }

  TemporaryFolder folder;
  ManualClock clock;
  std::optional<Vault> vault;
};

// A fact as code writes it, but for `sum`.
inline std::string fact(const std::string& id, const std::string& text, const std::string& more = {}) {
  return "<!--m {\"id\":\"" + id + "\",\"at\":\"2026-05-01T10:00:00Z\",\"source\":\"agent\"" + (more.empty() ? "" : "," + more) +
         "}-->\n" + text + "\n\n";
}

inline std::string turn(const std::string& id, const std::string& session, int number, const std::string& text) {
  return "<!--m {\"id\":\"" + id + "\",\"at\":\"2026-05-01T10:00:0" + std::to_string(number % 10) +
         "Z\",\"kind\":\"turn\",\"session\":\"" + session + "\",\"turn\":" + std::to_string(number) + "}-->\n" + text + "\n\n";
}

}  // namespace loci
