#include <minizip/zip.h>
#include <zlib.h>

#include "base/unicode.h"
#include "importers/readers.h"
#include "tests/importers/reading.h"

namespace loci::importers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

std::string node(const std::string& id, const std::string& parent, const std::string& role, const std::string& parts,
                 const std::string& time = "null", const std::string& more = "") {
  return "\"" + id + "\":{\"id\":\"" + id + "\",\"parent\":" + (parent.empty() ? "null" : "\"" + parent + "\"") +
         ",\"children\":[],\"message\":{\"id\":\"" + id + "\",\"author\":{\"role\":\"" + role + "\"},\"create_time\":" + time +
         ",\"content\":{\"content_type\":\"text\",\"parts\":" + parts + "}" + more + "}}";
}

std::string conversation(const std::string& id, const std::string& nodes, const std::string& current,
                         const std::string& time = "null") {
  return "{\"conversation_id\":\"" + id + "\",\"title\":\"T\",\"create_time\":" + time +
         ",\"update_time\":1750000000.0,\"current_node\":\"" + current + "\",\"mapping\":{" + nodes + "}}";
}

void write_zip(const path& file, const std::vector<std::pair<std::string, std::string>>& members) {
  zipFile zip = zipOpen64(file.c_str(), APPEND_STATUS_CREATE);
  for (const auto& [name, bytes] : members) {
    ASSERT_EQ(zipOpenNewFileInZip64(zip, name.c_str(), nullptr, nullptr, 0, nullptr, 0, nullptr, 8, 6, 0), 0);
    ASSERT_EQ(zipWriteInFileInZip(zip, bytes.data(), static_cast<unsigned>(bytes.size())), 0);
    zipCloseFileInZip(zip);
  }
  zipClose(zip, nullptr);
}

class Exports : public testing::Test {
 protected:
  Read chatgpt(const std::string& json) {
    folder.write("conversations.json", json);
    return read_with(read_chatgpt, folder.path());
  }
  TemporaryFolder folder;
};

TEST_F(Exports, ChatGptIsReadAlongTheBranchThatWasKept) {
  const auto read =
      chatgpt("[" +
              conversation("c",
                           node("a", "", "user", "[\"How long does rye take?\"]", "1740000000.25") + "," +
                               node("b", "a", "assistant", "[\"An hour.\"]", "1740000001") + "," +
                               node("c", "a", "assistant", "[\"Two hours.\",{\"content_type\":\"image_asset_pointer\"},null]") +
                               "," + node("d", "c", "user", "[\"Thanks\"]"),
                           "d") +
              "]");
  EXPECT_THAT(read.said(), ElementsAre("How long does rye take?|Two hours.\n[image_asset_pointer]", "Thanks|"));
  ASSERT_EQ(read.turns.size(), 2u);
  EXPECT_EQ(read.turns[0].session, "chatgpt-c");
  EXPECT_EQ(read.turns[0].at, parse_time("2025-02-19T21:20:00.250Z"));
  EXPECT_EQ(read.turns[1].at, read.turns[0].at);  // the latest time that is known
  EXPECT_EQ(read.turns[1].number, 1);
}

TEST_F(Exports, OfChatGptWhatWasSpokenIsItsWords) {
  const std::string sound = R"({"content_type":"audio_asset_pointer","asset_pointer":"sediment://f"})";
  const std::string words = R"({"content_type":"audio_transcription","text":"How long does rye take?","direction":"in"})";
  const std::string seen = R"({"content_type":"real_time_user_audio_video_asset_pointer","frames_asset_pointers":[]})";
  const auto read = chatgpt("[" +
                            conversation("c",
                                         node("a", "", "user", "[" + words + "," + seen + "]") + "," +
                                             node("b", "a", "assistant",
                                                  R"([{"content_type":"audio_transcription","text":"Two hours."},)" + sound + "]") +
                                             "," + node("c", "b", "user", "[" + sound + "]"),
                                         "c") +
                            "]");
  EXPECT_THAT(read.said(), ElementsAre("How long does rye take?|Two hours.", "[audio_asset_pointer]|"));
}

TEST_F(Exports, WhatATitleMarksIsATagOfEachTurn) {
  std::string json =
      "[" + conversation("c", node("a", "", "user", "[\"One?\"]") + "," + node("b", "a", "user", "[\"Two?\"]"), "b") + "]";
  json.replace(json.find("\"T\""), 3, "\"Doctor (#private), #health\"");
  folder.write("claude/conversations.json",
               R"([{"uuid":"u","name":"Doctor \\#private","chat_messages":[{"uuid":"m","sender":"human","text":"One?"}]}])");
  for (const SaidTurn& turn : chatgpt(json).turns) EXPECT_THAT(turn.tags, ElementsAre("private", "health"));
  const auto read = read_with(read_claude_ai, folder / "claude");
  ASSERT_EQ(read.turns.size(), 1u);
  EXPECT_THAT(read.turns[0].tags, ElementsAre("private"));
}

TEST_F(Exports, OfMem0CategoriesOfAnyShapeAreTags) {
  for (const char* categories : {R"("private")", R"(["work","private"])", R"({"private":true})", R"({"a":{"b":["private"]}})",
                                 R"({"name":"work, private"})", R"([{"name":"private"}])", R"({"work":{"private":{}}})"}) {
    folder.write("m.json", R"({"results":[{"id":"1","memory":"A secret","categories":)" + std::string(categories) + "}]}");
    const auto read = read_with(read_mem0, folder / "m.json");
    ASSERT_EQ(read.records.size(), 1u) << categories;
    EXPECT_THAT(read.records[0].tags, testing::Contains("private")) << categories;
  }
}

TEST_F(Exports, ChatGptsToolsSystemAndHiddenMessagesAreLeftOut) {
  const auto read =
      chatgpt("[" +
              conversation("c",
                           node("s", "", "system", "[\"You are helpful.\"]") + "," + node("t", "s", "tool", "[\"42\"]") + "," +
                               node("h", "t", "user", "[\"hidden\"]", "null",
                                    ",\"metadata\":{\"is_visually_hidden_from_conversation\":true}") +
                               "," + node("r", "h", "assistant", "[\"to a tool\"]", "null", ",\"recipient\":\"python\"") + "," +
                               node("u", "r", "user", "[\"Seen.\"]", "null", ",\"recipient\":\"all\""),
                           "u") +
              "]");
  EXPECT_THAT(read.said(), ElementsAre("Seen.|"));
  EXPECT_EQ(read.turns[0].at,
            parse_time("2025-06-15T15:06:40Z"));  // when the conversation was last written, for want of a better one
}

TEST_F(Exports, ACircleOrAMissingNodeEndsTheWay) {
  const auto read = chatgpt(
      "[" + conversation("c", node("a", "b", "user", "[\"one\"]") + "," + node("b", "a", "assistant", "[\"two\"]"), "a") + "," +
      conversation("d", node("a", "gone", "user", "[\"three\"]"), "a") + "," + conversation("e", "", "nowhere") + "]");
  EXPECT_THAT(read.said(), ElementsAre("|two", "one|", "three|"));
  EXPECT_THAT(read.skipped, ElementsAre(Pair("a conversation without messages", 1)));
}

TEST_F(Exports, ClaudeAiIsReadWithItsAttachmentsAndWithoutItsThoughts) {
  folder.write("conversations.json",
               R"([{"uuid":"v","created_at":"2026-08-01T10:00:00.000000Z","chat_messages":[
                 {"uuid":"m","sender":"human","text":"Read it","content":[],"created_at":"2026-08-01T10:00:01.5Z",
                  "attachments":[{"file_name":"a.txt","extracted_content":"Eggs, rye"}]},
                 {"uuid":"n","sender":"assistant","text":"","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"A list."}]}]}])");
  const auto read = read_with(read_claude_ai, folder / "conversations.json");
  EXPECT_THAT(read.said(), ElementsAre("Read it\n\nAttached a.txt:\n\nEggs, rye|A list."));
  EXPECT_EQ(read.turns[0].session, "claude-ai-v");
  EXPECT_EQ(read.turns[0].at, parse_time("2026-08-01T10:00:01.5Z"));
}

TEST_F(Exports, OfClaudeAiWhatItRemembersIsAFactATitleAndWhatChangesThereSupersedesIt) {
  const auto memories = [](const std::string& work) {
    return R"([{"conversations_memory":"Lea bakes.\n\n**Work context**\n\n)" + work +
           R"(\n\n- Opens at four\n- Closes at noon\n\n**Personal context**\n\nShe **likes** rye. #private",)"
           R"("project_memories":{"p1":"# Notes\n\nThe oven is old.","p2":"","p3":7},"account_uuid":"me"}])";
  };
  const std::string conversations = R"([{"uuid":"v","name":"","chat_messages":[{"uuid":"m","sender":"human","text":"Hello"}]}])";
  folder.write("folder/conversations.json", conversations);
  folder.write("folder/memories.json", memories("Has a bakery."));
  folder.write("folder/projects.json", R"([{"uuid":"p1","name":"Bakery"},{"uuid":"p2","name":"Other"}])");
  const auto read = read_with(read_claude_ai, folder / "folder");
  EXPECT_THAT(read.said(), ElementsAre("Hello|"));
  ASSERT_THAT(read.texts(), ElementsAre("Lea bakes.", "Has a bakery.\n- Opens at four\n- Closes at noon",
                                        "She **likes** rye. #private", "The oven is old."));
  EXPECT_THAT(read.records[1].tags, ElementsAre("work-context"));
  EXPECT_EQ(read.records[3].project, "Bakery");
  for (const Record& record : read.records) EXPECT_TRUE(record.at && record.is_date_of_file);

  write_zip(folder / "e.zip", {{"projects/p1.json", R"({"uuid":"p1","name":"Bakery"})"},
                               {"memories.json", memories("Has two bakeries.")},
                               {"conversations.json", conversations}});
  const auto later = read_with(read_claude_ai, folder / "e.zip");
  ASSERT_EQ(later.records.size(), read.records.size());
  for (size_t i = 0; i < read.records.size(); ++i) EXPECT_EQ(later.records[i].key, read.records[i].key);
  EXPECT_TRUE(later.records[1].text.starts_with("Has two bakeries."));
  EXPECT_EQ(later.records[3].project, "Bakery");

  write_zip(folder / "m.zip", {{"memories/me.json", R"({"conversations_memory":"Lea bakes.","project_memories":null})"}});
  EXPECT_THAT(read_with(read_claude_ai, folder / "m.zip").texts(), ElementsAre("Lea bakes."));
  EXPECT_THAT(read_with(read_claude_ai, folder / "folder/memories.json").texts().size(), 4u);
}

TEST_F(Exports, Mem0ComesAsAListOrUnderAKeyWithOrWithoutZones) {
  const std::string one =
      R"({"id":"a","memory":"Likes rye","metadata":{"categories":["food"]},"created_at":"2026-05-01T10:00:00+02:00"})";
  const std::string two =
      R"({"id":"b","memory":"Swims","metadata":null,"created_at":"2026-05-02T10:00:00","updated_at":"2026-06-01T10:00:00"})";
  for (const std::string& text :
       {"[" + one + "," + two + "]", R"({"results":[)" + one + "," + two + "]}", R"({"memories":[)" + one + "," + two + "]}"}) {
    folder.write("m.json", text);
    const auto read = read_with(read_mem0, folder / "m.json");
    ASSERT_THAT(read.texts(), ElementsAre("Likes rye", "Swims")) << text;
    EXPECT_THAT(read.records[0].tags, ElementsAre("food"));
    EXPECT_EQ(read.records[0].at, parse_time("2026-05-01T08:00:00Z"));
    EXPECT_EQ(read.records[1].at, parse_time("2026-06-01T10:00:00Z"));
    EXPECT_EQ(read.records[1].key, "b");
  }
}

TEST_F(Exports, Mem0sCategoriesAndTagsAreTagsWhereverAndHoweverTheyAreWritten) {
  for (const char* said :
       {R"("metadata":{"category":"private"})", R"("metadata":{"tags":["health","#private"]})", R"("categories":"health, private")",
        R"("tags":"private")", R"("metadata":{"more":{"Tags":"health private"}})", R"("category":["private"])",
        R"("metadata":{"categories":[["private"]]})", R"("metadata":[{"tag":"private"}])"}) {
    folder.write("m.json", R"([{"id":"a","memory":"She is ill",)" + std::string(said) + "}]");
    const auto read = read_with(read_mem0, folder / "m.json");
    ASSERT_EQ(read.records.size(), 1U) << said;
    EXPECT_THAT(read.records[0].tags, testing::Contains("private")) << said;
  }
}

TEST_F(Exports, AZipFileIsReadAsItWasDownloadedInShardsToo) {
  write_zip(folder / "e.zip",
            {{"user.json", "{}"},
             {"export/conversations-001.json", "[" + conversation("d", node("a", "", "user", "[\"second\"]"), "a") + "]"},
             {"export/conversations-000.json", "[" + conversation("c", node("a", "", "user", "[\"first\"]"), "a") + "]"}});
  EXPECT_THAT(read_with(read_chatgpt, folder / "e.zip").said(), ElementsAre("first|", "second|"));
}

TEST_F(Exports, WhatLiesBesideTheConversationsIsNoMemory) {
  const std::string said = R"([{"uuid":"c","name":"Rye","chat_messages":[{"uuid":"m","sender":"human","text":"Hello."}]}])";
  write_zip(folder / "e.zip", {{"projects.json", R"([{"uuid":"p","name":"Bakery","docs":[{"content":"Of a project."}]}])"},
                               {"projects/p.json", R"({"uuid":"p","name":"Bakery"})"},
                               {"users.json", R"([{"uuid":"u","full_name":"Lea","email_address":"lea@example.org"}])"},
                               {"conversations.json", said}});
  const auto read = read_with(read_claude_ai, folder / "e.zip");
  EXPECT_THAT(read.said(), ElementsAre("Hello.|"));
  EXPECT_THAT(read.texts(), testing::IsEmpty());
}

TEST_F(Exports, CodeOfChatGptsStandsInAFence) {
  folder.write(
      "conversations.json",
      R"([{"id":"c","current_node":"b","mapping":{"a":{"message":{"id":"a","author":{"role":"user"},"content":{"content_type":)"
      R"("text","parts":["Sum?",null]}}},"b":{"parent":"a","message":{"id":"b","author":{"role":"assistant"},"content":)"
      R"({"content_type":"code","text":"1 + 1"}}}}}])");
  EXPECT_THAT(read_with(read_chatgpt, folder / "conversations.json").said(), ElementsAre("Sum?|```\n1 + 1\n```"));
}

// As Info-ZIP and Python write a member of more than 4 GiB: its sizes stand in the zip64 field, whatever they are.
std::string zip64_of(const std::string& name, const std::string& bytes, std::uint64_t size_said) {
  const auto number = [](std::uint64_t value, int length) {
    std::string out;
    for (; length > 0; --length, value >>= 8) out += static_cast<char>(value & 0xFF);
    return out;
  };
  const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  const std::string common = number(0, 6) + number(checksum, 4) + number(0xFFFFFFFF, 4) + number(0xFFFFFFFF, 4) +
                             number(name.size(), 2) + number(20, 2);  // stored, without a time
  const std::string extra = number(1, 2) + number(16, 2) + number(size_said, 8) + number(bytes.size(), 8);
  const std::string local = "PK\x03\x04" + number(45, 2) + number(0, 2) + common + name + extra + bytes;
  const std::string list = "PK\x01\x02" + number(45, 2) + number(45, 2) + number(0, 2) + common + number(0, 14) + name + extra;
  return local + list + "PK\x05\x06" + number(0, 4) + number(1, 2) + number(1, 2) + number(list.size(), 4) +
         number(local.size(), 4) + number(0, 2);
}

TEST_F(Exports, AMemberWhoseSizesNeed64BitsIsReadAndOneThatIsNotWholeSaysSo) {
  const std::string whole = "[" + conversation("c", node("a", "", "user", "[\"large\"]"), "a") + "]";
  folder.write("e.zip", zip64_of("conversations.json", whole, whole.size()));
  EXPECT_THAT(read_with(read_chatgpt, folder / "e.zip").said(), ElementsAre("large|"));
  folder.write("e.zip", zip64_of("conversations.json", whole, std::uint64_t{5} << 30));
  Read read;
  const auto done = read_chatgpt({folder / "e.zip", real_file_system()}, read);
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("conversations.json in it is damaged; was it downloaded whole?"));
}

TEST_F(Exports, AMemberThatWasChangedSinceItWasPackedSaysSo) {
  const std::string whole = "[" + conversation("c", node("a", "", "user", "[\"oven\"]"), "a") + "]";
  std::string zip = zip64_of("conversations.json", whole, whole.size());
  zip.replace(zip.find("oven"), 4, "even");
  folder.write("e.zip", zip);
  Read read;
  const auto done = read_chatgpt({folder / "e.zip", real_file_system()}, read);
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("conversations.json in it is damaged"));
}

TEST_F(Exports, AnEncryptedMemberSaysSo) {
  std::string zip = zip64_of("conversations.json", "[]", 2);
  for (const char* start : {"PK\x03\x04", "PK\x01\x02"}) zip[zip.find(start) + (start[2] == 1 ? 8 : 6)] = 1;
  folder.write("e.zip", zip);
  Read read;
  const auto done = read_chatgpt({folder / "e.zip", real_file_system()}, read);
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("conversations.json in it is encrypted"));
  EXPECT_THAT(done.error().hint, HasSubstr("unpack the zip file"));
}

TEST_F(Exports, AFileInUtf16IsReadByItsMark) {
  const std::string json = "[" + conversation("c", node("a", "", "user", "[\"r\u00f6st \U0001F35E\"]"), "a") + "]";
  for (const bool is_little : {true, false}) {
    std::string bytes;
    const auto add = [&](char16_t unit) {
      const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xFF);
      (bytes += is_little ? low : high) += is_little ? high : low;
    };
    add(0xFEFF);
    for (size_t at = 0; at < json.size();) {
      const char32_t code = decode_code_point(json, at);
      if (code > 0xFFFF) add(static_cast<char16_t>(0xD800 + ((code - 0x10000) >> 10)));
      add(code > 0xFFFF ? static_cast<char16_t>(0xDC00 + ((code - 0x10000) & 0x3FF)) : static_cast<char16_t>(code));
    }
    EXPECT_THAT(chatgpt(bytes).said(), ElementsAre("r\u00f6st \U0001F35E|"));
  }
  EXPECT_THAT(chatgpt("\xEF\xBB\xBF" + json).said(), ElementsAre("r\u00f6st \U0001F35E|"));
}

TEST_F(Exports, AFileThatCannotBeReadDoesNotKeepTheOthersOut) {
  const std::string whole = "[" + conversation("c", node("a", "", "user", "[\"whole\"]"), "a") + "]";
  const std::string half = "[" + conversation("d", node("a", "", "user", "[\"before\"]"), "a") + ",{\"mapping\":";
  write_zip(folder / "e.zip", {{"conversations-0.json", half}, {"conversations-1.json", "null"}, {"conversations-2.json", whole}});
  folder.write("export/conversations-0.json", half);
  folder.write("export/conversations-1.json", whole);
  for (const char* name : {"e.zip", "export"}) {
    Read read;
    const auto done = read_chatgpt({folder / name, real_file_system()}, read);
    ASSERT_FALSE(done) << name;
    EXPECT_EQ(done.error().message, "conversations-0.json: it ends in the middle of a record");
    EXPECT_THAT(read.said(), ElementsAre("before|", "whole|")) << name;
  }
}

TEST_F(Exports, WhatIsNoExportSaysSo) {
  Read read;
  folder.write("broken.zip", "PK\x03\x04 and then nothing");
  folder.write("empty/readme.txt", "");
  for (const auto& [file, message] :
       {std::pair("broken.zip", "zip file cannot be read"), std::pair("empty", "has no conversations.json")}) {
    const auto done = read_chatgpt({folder / file, real_file_system()}, read);
    ASSERT_FALSE(done) << file;
    EXPECT_THAT(done.error().message, HasSubstr(message));
  }
  EXPECT_THAT(read.turns, IsEmpty());
}

}  // namespace
}  // namespace loci::importers
