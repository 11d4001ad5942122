// A vault in a temporary folder whose index is kept by this process, as a daemon keeps it, but without threads: whoever asks for
// something to be taken in does it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <mutex>

#include "memory/memory.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_environment.h"

namespace loci {

class LocalKeeper final : public IndexKeeper {
 public:
  explicit LocalKeeper(const Vault& vault) : indexer_(Indexer::open(vault, std::chrono::seconds(5)).value()) {
    EXPECT_TRUE(indexer_.reconcile());
  }

  Result<ReconcileReport> take_in(const std::vector<std::string>& written, std::chrono::milliseconds) override {
    const std::lock_guard lock(mutex_);
    if (busy) return fail(ErrorCode::locked, "the index is busy");
    asked.push_back(written);
    auto report = written.empty() ? indexer_.reconcile() : indexer_.reconcile(written);
    if (changed) changed();
    return report;
  }
  Status wait_until_clean(std::chrono::milliseconds patience) override {
    TRY(take_in({}, patience));
    return {};
  }
  Result<ReconcileReport> reindex(bool clear, const ProgressCallback&) override {
    const std::lock_guard lock(mutex_);
    auto report = clear ? indexer_.rebuild("asked for") : indexer_.reconcile();
    if (changed) changed();
    return report;
  }
  Result<Freshness> freshness() override { return Freshness{}; }
  bool holds_lock() const override { return true; }

  bool busy = false;
  std::function<void()> changed;
  std::vector<std::vector<std::string>> asked;  // the files of every take_in

 private:
  std::mutex mutex_;
  Indexer indexer_;
};

class KeptVaultTest : public testing::Test {
 protected:
  KeptVaultTest() { std::filesystem::create_directories(folder / "vault"); }

  // After this the index is kept; files that were written before are in it.
  void keep() {
    vault.emplace(Vault::open(folder / "vault", environment_in(folder), real_file_system(), clock).value());
    keeper = std::make_shared<LocalKeeper>(*vault);
  }

  Memory open(FileSystem& files = real_file_system()) {
    return Memory::open(folder / "vault", environment_in(folder), files, clock,
                        [this](const Vault&) -> std::shared_ptr<IndexKeeper> { return keeper; })
        .value();
  }

  // Everything in archive/, all files after one another.
  std::string archive() const {
    std::string bytes;
    for (const auto& [file, content] : folder.contents("vault/archive")) bytes += content;
    return bytes;
  }

  static size_t times(std::string_view text, std::string_view part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
    return count;
  }

  TemporaryFolder folder;
  ManualClock clock;
  std::optional<Vault> vault;
  std::shared_ptr<LocalKeeper> keeper;
};

}  // namespace loci
