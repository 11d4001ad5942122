#include "importers/times.h"

#include "importers/readers.h"
#include "tests/importers/reading.h"

namespace loci::importers {
namespace {

using testing::ElementsAre;
using testing::Pair;

struct Written {
  const char* json;
  const char* means;  // empty: no time
};

constexpr Written table[] = {
    {R"("2026-11-18T09:12:13.5Z")", "2026-11-18T09:12:13.500Z"},
    {R"("2026-11-18T09:12:13+02:00")", "2026-11-18T07:12:13.000Z"},
    {R"("2026-11-18T09:12:13.123456")", "2026-11-18T09:12:13.123Z"},  // no zone is UTC
    {R"("2026-11-18 09:12")", "2026-11-18T09:12:00.000Z"},
    {R"("2026-11-18")", "2026-11-18T00:00:00.000Z"},
    {R"("1955-05-01")", "1955-05-01T00:00:00.000Z"},  // somebody copied an old diary
    {"1763457133", "2025-11-18T09:12:13.000Z"},
    {"1763457133.5", "2025-11-18T09:12:13.500Z"},
    {"1763457133500", "2025-11-18T09:12:13.500Z"},
    {"1763457133500000", "2025-11-18T09:12:13.500Z"},
    {"1763457133500000000", "2025-11-18T09:12:13.500Z"},
    {R"("1763457133")", "2025-11-18T09:12:13.000Z"},
    {R"("1763457133500")", "2025-11-18T09:12:13.500Z"},
    {"1", "1970-01-01T00:00:01.000Z"},
    {R"("9999-12-31T23:59:59Z")", "9999-12-31T23:59:59.000Z"},  // a time, if one that has not come yet
    {"0", ""},
    {"-1763457133", ""},
    {R"("-1763457133")", ""},
    {"1e300", ""},
    {R"("1970-01-01T00:00:00Z")", ""},
    {R"("0001-01-01T00:00:00Z")", ""},
    {R"("2026-02-30")", ""},
    {R"("2026-11-18T25:00:00Z")", ""},
    {R"("10000-01-01")", ""},
    {R"("18.11.2026")", ""},
    {R"("Nov 18, 2026")", ""},
    {R"("yesterday")", ""},
    {R"("nan")", ""},
    {"true", ""},
    {"[1763457133]", ""},
    {R"({"seconds": 1763457133})", ""},
};

TEST(Times, OfOtherProgramsAreReadByOneRule) {
  for (const auto& [json, means] : table) {
    const auto value = parse_json(json);
    ASSERT_TRUE(value) << json;
    const auto time = time_in(*value);
    EXPECT_EQ(time ? format_rfc3339(*time) : "", means) << json;
  }
}

TEST(Times, ThatAreNoneOrHaveNotComeYetAreNamedAndTheNextBestCounts) {
  Read read;
  read.last = *parse_time("2026-11-20");
  const auto json = parse_json(R"({"a": "soon", "b": "9999-12-31", "c": -5, "d": null, "e": "", "f": 1763457133})");
  for (const char* key : {"a", "b", "c", "d", "e", "g"}) EXPECT_FALSE(time_at(*json, key, read)) << key;
  EXPECT_TRUE(time_at(*json, "f", read));
  EXPECT_THAT(read.skipped,
              ElementsAre(Pair(testing::HasSubstr("has not come yet"), 1u), Pair(testing::HasSubstr("is no time"), 2u)));
}

// Of each format a record whose own time is odd: it is taken in, with the next best time or without any.
class OddTimes : public testing::Test {
 protected:
  std::vector<std::string> times_of(Reader reader, const path& root) {
    Read read;
    read.last = *parse_time("2026-11-20");
    EXPECT_TRUE(reader({root, real_file_system()}, read));
    std::vector<std::string> times;
    const auto add = [&](const std::optional<Instant>& at) { times.push_back(at ? format_rfc3339(*at).substr(0, 10) : "none"); };
    for (const Record& record : read.records) add(record.is_date_of_file ? std::optional<Instant>() : record.at);
    for (const SaidTurn& turn : read.turns) add(turn.at);
    skipped = read.skipped.size();
    return times;
  }

  TemporaryFolder folder;
  size_t skipped = 0;
};

TEST_F(OddTimes, CostNoRecord) {
  folder.write("mem0.json", R"([{"id":"1","memory":"Red.","updated_at":"9999-01-01","created_at":"2026-01-02"},
                                {"id":"2","memory":"Blue.","created_at":1763457133500},
                                {"id":"3","memory":"Green.","created_at":"some day"}])");
  EXPECT_THAT(times_of(read_mem0, folder / "mem0.json"), ElementsAre("2026-01-02", "2025-11-18", "none"));
  EXPECT_EQ(skipped, 2u);
  folder.write("claude/conversations.json",
               R"([{"uuid":"c","created_at":"2026-01-02T03:04:05Z","chat_messages":[
                   {"uuid":"m","sender":"human","text":"Hello.","created_at":"9999-01-01T00:00:00Z"}]}])");
  EXPECT_THAT(times_of(read_claude_ai, folder / "claude"), ElementsAre("2026-01-02"));
  folder.write("chatgpt/conversations.json",
               R"([{"id":"c","create_time":-1,"update_time":1763457133000000,"current_node":"a","mapping":{"a":{"message":
                   {"id":"m","author":{"role":"user"},"create_time":99999999999,"content":{"content_type":"text","parts":["Hello."]}}}}}])");
  EXPECT_THAT(times_of(read_chatgpt, folder / "chatgpt"), ElementsAre("2025-11-18"));
  EXPECT_EQ(skipped, 2u);
  folder.write("notes/a.md", "---\nmodified: 9999-01-01\ncreated: 2026-01-02\n---\n- [fact] The oven is hot.\n");
  folder.write("notes/b.md", "---\ncreated: long ago\n---\n- [fact] The oven is cold.\n");
  EXPECT_THAT(times_of(read_basic_memory, folder / "notes"), ElementsAre("2026-01-02", "none"));
  folder.write("openclaw/memory/9999-01-01.md", "Rye is out.\n");
  EXPECT_THAT(times_of(read_openclaw, folder / "openclaw"), ElementsAre("none"));
  folder.write("codex/sessions/rollout-1.jsonl",
               R"({"timestamp":"9999-01-01T00:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[)"
               R"({"type":"input_text","text":"Hello."}]}})"
               "\n");
  EXPECT_THAT(times_of(read_codex, folder / "codex"), ElementsAre("none"));
  EXPECT_EQ(skipped, 1u);
}

}  // namespace
}  // namespace loci::importers
