// What a reader hands over, for tests.
#pragma once

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "importers/record.h"
#include "tests/support/temporary_folder.h"

namespace loci::importers {

struct Read final : Records {
  Status take(Record record) override {
    records.push_back(std::move(record));
    return {};
  }
  Status take(SaidTurn turn) override {
    turns.push_back(std::move(turn));
    return {};
  }
  bool keeps_out(const std::string& session, std::string_view, std::optional<Instant> at) override {
    return !paused.empty() && session == paused && at && *at <= paused_until;
  }
  Instant latest() const override { return last; }
  void skip(std::string_view why, std::string_view) override { ++skipped[std::string(why)]; }

  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const Record& record : records) all.push_back(record.text);
    return all;
  }
  // "user|assistant" of each turn.
  std::vector<std::string> said() const {
    std::vector<std::string> all;
    for (const SaidTurn& turn : turns) all.push_back(turn.user + "|" + turn.assistant);
    return all;
  }

  std::string paused;  // a session that is in a pause up to then; empty: none
  Instant paused_until;
  Instant last = Instant::max();
  std::vector<Record> records;
  std::vector<SaidTurn> turns;
  std::map<std::string, size_t> skipped;
};

using Reader = Status (*)(const ImportSource&, Records&);

inline Read read_with(Reader reader, const path& root) {
  Read read;
  const auto done = reader({root, real_file_system()}, read);
  EXPECT_TRUE(done) << done.error().message;
  return read;
}

}  // namespace loci::importers
