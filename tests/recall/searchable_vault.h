// A small vault with its index, and questions to it.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "indexer/indexer.h"
#include "recall/search.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci {

struct EntryToWrite {
  std::string id, text;
  std::string more = {};  // further metadata: R"("source":"agent","kind":"turn")"
  std::string at = "2026-11-20T08:00:00Z";
};

inline std::string markdown_of(const std::vector<EntryToWrite>& entries) {
  std::string text;
  for (const EntryToWrite& entry : entries)
    text += "<!--m {\"id\":\"" + entry.id + "\",\"at\":\"" + entry.at + "\"" + (entry.more.empty() ? "" : "," + entry.more) +
            "}-->\n" + entry.text + "\n\n";
  return text;
}

class SearchableVault {
 public:
  SearchableVault() { std::filesystem::create_directories(folder_ / "vault"); }

  // Opens the index anew: what was written before is found.
  void write(const std::string& file, std::string_view text) {
    folder_.write("vault/" + file, text);
    reader_.reset();
  }
  void write(const std::string& file, const std::vector<EntryToWrite>& entries) { write(file, markdown_of(entries)); }

  SearchResult search(std::string_view text, SearchOptions options = {}) {
    auto result = loci::search(reader(), parse_query(text), options, clock.now());
    EXPECT_TRUE(result) << text << ": " << result.error().message;
    return result ? std::move(*result) : SearchResult{};
  }

  std::vector<std::string> ids(std::string_view text, SearchOptions options = {}) {
    std::vector<std::string> found;
    for (const Hit& hit : search(text, std::move(options)).hits) found.push_back(hit.entry.id);
    return found;
  }

  // A new index from the files alone.
  void rebuild() {
    reader_.reset();
    std::filesystem::remove_all(folder_ / "home");
  }

  IndexReader& reader() {
    if (!reader_) {
      const Vault vault = Vault::open(folder_ / "vault", environment_in(folder_), real_file_system(), clock).value();
      {
        auto indexer = Indexer::open(vault, std::chrono::seconds(5));
        EXPECT_TRUE(indexer) << indexer.error().message;
        EXPECT_TRUE(indexer->reconcile());
      }
      reader_ = std::make_unique<IndexReader>(IndexReader::open(vault.state_folder()).value());
    }
    return *reader_;
  }

  ManualClock clock;

 private:
  TemporaryFolder folder_;
  std::unique_ptr<IndexReader> reader_;
};

}  // namespace loci
