#include "daemon/stores.h"

#include <gmock/gmock.h>

#include "memory/add.h"
#include "memory/purge.h"
#include "tests/memory/memory_fixture.h"

namespace loci {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* secret = "The password is \"hunter2zebra\".";

class PurgeKept : public MemoryTest {
 protected:
  static constexpr const char* state_root = "home/.local/state";

  Purged purge_the_secret(Memory& memory) {
    NewEntry fact;
    fact.metadata.source = Source::user;
    fact.text = secret;
    const auto added = add(memory, {fact});
    EXPECT_TRUE(added);
    const auto entries = entries_to_purge(memory, {added->entries.front().id}, {});
    EXPECT_TRUE(entries);
    auto purged = purge(memory, *entries, all_stores());
    EXPECT_TRUE(purged);
    return std::move(*purged);
  }
  // Files of the state folder that hold the word.
  Texts state_files_with(const std::string& word) {
    Texts files;
    for (const auto& [file, bytes] : folder.contents(state_root))
      if (bytes.contains(word)) files.push_back(file);
    return files;
  }
  std::string in_state(const Memory& memory, const std::string& file) {
    return std::filesystem::relative(memory.vault().state_folder() / file, folder.path()).string();
  }
};

TEST_F(PurgeKept, RecordsOfRunsAndFilesAsTheyWereLoseTheText) {
  Memory memory = open();
  const std::string record = to_string(Json(Json::Object{{"after", secret}, {"id", "c-1"}, {"file", "consolidated/memory.md"}}));
  folder.write(in_state(memory, "runs/r1/clusters.json"), record);
  folder.write(in_state(memory, "runs/r1/before/abc"), std::string("<!--m {\"id\":\"c-1\"}-->\n") + secret + "\n");
  folder.write(in_state(memory, "runs/r1/before/def"), "<!--m {\"id\":\"c-2\"}-->\nLikes tea.\n");
  folder.write(in_state(memory, "runs/r1/torn.json"), record.substr(0, record.size() - 3));
  const Purged purged = purge_the_secret(memory);
  EXPECT_TRUE(purged.complete);
  EXPECT_THAT(purged.still_in, IsEmpty());
  EXPECT_THAT(state_files_with("hunter2zebra"), IsEmpty());
  const auto left = parse_json(folder.read(in_state(memory, "runs/r1/clusters.json")));
  ASSERT_TRUE(left);
  EXPECT_EQ(left->text_at("after"), "(purged)");
  EXPECT_EQ(left->text_at("file"), "consolidated/memory.md");
  EXPECT_THAT(folder.read(in_state(memory, "runs/r1/before/def")), HasSubstr("Likes tea."));
  EXPECT_THAT(purged.state_files, testing::Contains(HasSubstr("clusters.json")));
}

TEST_F(PurgeKept, WordsOfTurnsLoseWhatSaysItEvenInOtherWords) {
  Memory memory = open();
  const auto line = [](int turn, const std::string& said) {
    return to_string(Json(Json::Object{{"turn", turn}, {"user", said}, {"assistant", "noted"}})) + "\n";
  };
  folder.write(in_state(memory, "turns/0123.jsonl"), line(0, "\"hunter2zebra\" is the password") +
                                                         line(1, "We deploy on Fridays.") + line(2, secret) +
                                                         "{\"turn\":3,\"user\":\"The password is \\\"hunter2zebra\\\".");
  EXPECT_THAT(purge_the_secret(memory).still_in, IsEmpty());
  EXPECT_THAT(state_files_with("hunter2zebra"), IsEmpty());
  EXPECT_THAT(folder.read(in_state(memory, "turns/0123.jsonl")), HasSubstr("We deploy on Fridays."));
}

}  // namespace
}  // namespace loci
