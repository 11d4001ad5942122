// A memory with a conversation in it.
#pragma once

#include <gmock/gmock.h>

#include "capture/extract.h"
#include "capture/task.h"
#include "capture/turn.h"
#include "memory/forget.h"
#include "tests/memory/memory_fixture.h"
#include "tests/support/scripted_model.h"

namespace loci {

class CaptureTest : public MemoryTest {
 protected:
  void configure(std::string_view toml) { folder.write("home/.config/loci/config.toml", toml); }

  std::int64_t say(Memory& memory, const std::string& user, const std::string& assistant = "", const std::string& project = "") {
    TurnInput turn;
    turn.session = "s1";
    turn.user = user;
    turn.assistant = assistant;
    turn.project = project;
    const auto stored = store_turn(memory, turn);
    EXPECT_TRUE(stored) << stored.error().message;
    return stored ? stored->turn : -1;
  }

  static std::vector<Entry> entries(Memory& memory, std::vector<EntryKind> kinds, bool inactive = false) {
    EXPECT_TRUE(memory.bring_up_to_date());
    EntryFilter filter;
    filter.kinds = std::move(kinds);
    filter.inactive = inactive;
    return memory.reader().value()->list(filter, 10'000).value();
  }
  static std::vector<Entry> facts(Memory& memory) { return entries(memory, {EntryKind::fact}); }
  static std::vector<Entry> summaries(Memory& memory) { return entries(memory, {EntryKind::session_summary}); }

  // One fact as the model proposes it.
  static std::string proposed(const std::string& text, const std::string& kind = "fact", const std::string& quote = "",
                              std::optional<std::int64_t> turn = {}, std::int64_t corrects = 0) {
    Json fact = Json::object();
    if (turn) fact.set("turn", *turn);
    fact.set("text", text);
    fact.set("about", Json::Array{"topic"});
    fact.set("kind", kind);
    fact.set("corrects", corrects);
    fact.set("quote", quote);
    return to_string(fact);
  }
  static std::string answer_of(std::initializer_list<std::string> facts) {
    std::string list;
    for (const std::string& fact : facts) list += (list.empty() ? "" : ",") + fact;
    return "{\"facts\":[" + list + "]}";
  }
  static std::string summary_of(const std::string& text) {
    Json summary = Json::object();
    summary.set("summary", text);
    return to_string(summary);
  }

  // Everything that the state folder holds of turns.
  std::string kept_in_state() {
    std::string all;
    for (const auto& [file, bytes] : folder.contents("home/.local/state"))
      if (file.contains("/turns/")) all += bytes;
    return all;
  }

  static constexpr std::string_view nothing = R"({"facts":[]})";
};

}  // namespace loci
