// What a person is told of agents' changes, and what an agent is told of its own.
#include "memory/agents_changes.h"

#include <gmock/gmock.h>

#include "memory/change_shapes.h"
#include "memory/correct.h"
#include "memory/forget.h"
#include "memory/may_send.h"
#include "memory/remember.h"
#include "memory/restore.h"
#include "parser/text_hash.h"
#include "tests/memory/memory_fixture.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr const char* day = "archive/2026-01-02.md";
constexpr const char* durable = "consolidated/memory.md";

std::string entry(const std::string& metadata, const std::string& text) { return "<!--m {" + metadata + "}-->\n" + text + "\n\n"; }

std::string folded(const std::string& id, const std::string& source, const std::string& from, const std::string& text,
                   const std::string& more = {}) {
  return entry(R"("id":")" + id + R"(","source":")" + source + R"(","from":[)" + from + R"(],"sum":")" +
                   sum_from_hash(stored_text_hash(text)) + '"' + more,
               text);
}

class ToldOfChanges : public MemoryTest {
 protected:
  static Result<Forgotten> forget_as_agent(Memory& memory, const std::vector<std::string>& ids) {
    return forget(memory, ids, {.actor = Actor::agent});
  }
  static Texts unseen(Memory& memory) {
    Texts before;
    const auto changes = unseen_agents_changes(memory).value();
    for (const AgentsChange& change : changes) before.push_back(change.before);
    return before;
  }
};

TEST_F(ToldOfChanges, APersonsEntryThatWentWithAnAgentsIsListed) {
  write(day,
        entry(R"("id":"p1","source":"user")", "Never flies.") + entry(R"("id":"p2","source":"correction")", "Rides by night."));
  write(durable, folded("c1", "agent", R"("p1","p2")", "Takes the night train."));
  Memory memory = open();
  ASSERT_TRUE(forget_as_agent(memory, {"c1"}));
  EXPECT_THAT(unseen(memory), UnorderedElementsAre("Never flies.", "Rides by night."));
  EXPECT_THAT(problems_of(unseen_agents_changes(memory).value())[0].message, HasSubstr("loci restore"));
  ASSERT_TRUE(restore(memory, "c1"));
  EXPECT_THAT(unseen(memory), IsEmpty());
}

TEST_F(ToldOfChanges, AnEntryOfEqualWordsOfAnAgentAndAPersonIsNotAnAgentsToEnd) {
  write(day, entry(R"("id":"a1","source":"agent")", "The key hangs left.") +
                 entry(R"("id":"p1","source":"user")", "The **key** hangs left.") +
                 entry(R"("id":"a2","source":"agent")", "The bike is green.") +
                 entry(R"("id":"a3","source":"agent")", "The bike is green.") +
                 entry(R"("id":"p4","source":"user")", "Tea is at four.") +
                 entry(R"("id":"a4","source":"agent")", "Tea is at four."));
  write(durable, folded("c1", "agent", R"("a1","p1")", "The key hangs left.") +
                     folded("c2", "agent", R"("a2","a3")", "The bike is green.") +
                     folded("c3", "user", R"("a4","p4")", "Tea is at four."));
  Memory memory = open();
  for (const char* id : {"c1", "c3"}) {
    const auto refused = forget_as_agent(memory, {id});
    ASSERT_FALSE(refused) << id;
    EXPECT_EQ(refused.error().code, ErrorCode::refused);
    EXPECT_THAT(refused.error().hint, HasSubstr("quote"));
    const Edit otherwise{"It is otherwise.", std::nullopt};
    EXPECT_EQ(edit(memory, id, otherwise, Actor::agent).error().code, ErrorCode::refused);
    EXPECT_EQ(supersede(memory, id, otherwise, Actor::agent).error().code, ErrorCode::refused);
  }
  EXPECT_TRUE(forget_as_agent(memory, {"c2"}));
  EXPECT_TRUE(supersede(memory, "c1", Edit{"The key hangs right.", std::nullopt}, Actor::agent, Source::user)) << "their own words";
  EXPECT_TRUE(forget(memory, {"c3"}, {.actor = Actor::person}));
}

TEST_F(ToldOfChanges, WhatAnEntryAndItsFactBothSaidIsListedOnceAndACommandCountsOnce) {
  std::string facts, entries;
  for (int i = 0; i < 5; ++i) {
    const std::string number = std::to_string(i), text = "Number " + number + ".";
    facts += entry(R"("id":"p)" + number + R"(","source":"user")", text) +
             entry(R"("id":"q)" + number + R"(","source":"user")", "And " + text);
    entries += folded("c" + number, "user", "\"p" + number + "\",\"q" + number + '"', text);
  }
  write(day, facts);
  write(durable, entries);
  Memory memory = open();
  ASSERT_TRUE(forget_as_agent(memory, {"c0"}));
  EXPECT_THAT(unseen(memory), UnorderedElementsAre("Number 0.", "And Number 0."));
  clock.advance(std::chrono::seconds(1));
  ASSERT_TRUE(forget_as_agent(memory, {"c1"})) << "two commands, though four entries went";
  clock.advance(std::chrono::seconds(1));
  ASSERT_TRUE(forget_as_agent(memory, {"c2"}));
  EXPECT_EQ(forget_as_agent(memory, {"c3"}).error().code, ErrorCode::refused);
  EXPECT_EQ(mark_agents_changes_seen(memory).value(), 6U);
  EXPECT_TRUE(forget_as_agent(memory, {"c3"}));
}

TEST_F(ToldOfChanges, WhatSaysAPersonsWordsIsAPersonsWhoeverWroteItDown) {
  write(day, entry(R"("id":"p1","source":"user")", "Never flies.") + entry(R"("id":"a1","source":"agent")", "**Never flies.**") +
                 entry(R"("id":"a2","source":"agent")", "Flies at times.") + entry(R"("id":"p3","source":"user")", "Rows a boat.") +
                 entry(R"("id":"a3","source":"agent")", "Rows a boat."));
  write("archive/sessions/2026-01-02-s.md",
        entry(R"("id":"t1","source":"user","kind":"turn","session":"s","turn":0,"role":"user")", "I sail.") +
            entry(R"("id":"t2","source":"agent","kind":"turn","session":"s","turn":0,"role":"assistant")", "You row."));
  write(durable, folded("c1", "agent", R"("f8")", "I sail.") + folded("c2", "agent", R"("f9")", "You row."));
  Memory memory = open();
  ASSERT_TRUE(forget(memory, {"p3"}, {}));  // what a person ended themselves is nobody's word any more
  for (const char* id : {"a1", "a2", "c1", "c2"}) ASSERT_TRUE(forget_as_agent(memory, {id})) << id;
  EXPECT_THAT(unseen(memory), ElementsAre("**Never flies.**", "I sail."));
}

TEST_F(ToldOfChanges, OtherTagsOfWhatAPersonSaidAreListedCountAndCanBeTakenBack) {
  folder.write("home/.config/loci/config.toml", "[privacy]\nnever_send = [\"#private\"]\n");
  const std::string rows = "Rows a boat.", sails = "Sails.", bakes = "Bakes.", swims = "Swims.", dives = "Dives.";
  write(day, entry(R"("id":"p1","source":"user")", rows) + entry(R"("id":"p2","source":"user","tags":["sea"])", sails) +
                 entry(R"("id":"p3","source":"user")", swims));
  write(durable, folded("c1", "user", R"("p1")", rows) + folded("c3", "user", R"("p3")", swims));
  write("user.md", "Bakes.\n\nDives.\n");
  Memory memory = open();
  ASSERT_TRUE(memory.bring_up_to_date());
  const auto id = [&](const std::string& text) { return text == rows ? "c1" : text == swims ? "c3" : id_of(memory, text); };
  const auto tag = [&](const std::string& text, const std::string& tags) {
    clock.advance(std::chrono::seconds(1));
    return remember(memory, parse_remember_request(R"({"action":"update","target_id":")" + id(text) + R"(","content":")" + text +
                                                   R"(","tags":[)" + tags + "]}")
                                .value());
  };
  const auto tags_of = [&](const std::string& text) { return find_entry(memory, id_of(memory, text))->tags; };
  for (const std::string& text : {rows, sails, bakes}) {
    const std::string named = id(text);
    const Texts before = find_entry(memory, named)->tags;
    const auto tagged = tag(text, R"("private")");
    ASSERT_TRUE(tagged) << text << ": " << tagged.error().message;
    EXPECT_EQ(tagged->source, Source::user) << "it is still what a person said";
    EXPECT_THAT(tags_of(text), ElementsAre("private")) << text;
    EXPECT_EQ(find_entry(memory, id_of(memory, text))->source, Source::user);
    EXPECT_THAT(unseen(memory), ElementsAre(text));
    EXPECT_THAT(problems_of(unseen_agents_changes(memory).value())[0].message, HasSubstr("gave other tags to"));
    const auto restored = restore(memory, named);
    ASSERT_TRUE(restored) << text << ": " << restored.error().message;
    EXPECT_EQ(find_entry(memory, named)->tags, before) << text;
    EXPECT_TRUE(Sendable(memory).may_send(*find_entry(memory, named)).value()) << text;
    EXPECT_THAT(unseen(memory), IsEmpty()) << text;
  }
  ASSERT_TRUE(tag(bakes, R"("oven")"));
  ASSERT_TRUE(tag(sails, R"("oven")"));
  ASSERT_TRUE(tag(swims, R"("oven")"));
  const auto much = tag(dives, R"("private")");
  ASSERT_FALSE(much);
  EXPECT_EQ(much.error().code, ErrorCode::refused);
  EXPECT_TRUE(tag(sails, R"("oven")")) << "what changes nothing is no change";
  EXPECT_EQ(mark_agents_changes_seen(memory).value(), 3U);
  EXPECT_TRUE(tag(dives, R"("private")"));
}

class ToldToAgents : public ToldOfChanges {
 protected:
  void SetUp() override { folder.write("home/.config/loci/config.toml", "[privacy]\nnever_send = [\"#secret\", \"diary/\"]\n"); }
  static std::string told(const Forgotten& forgotten) { return to_string(forgotten_to_json(forgotten)); }
};

TEST_F(ToldToAgents, OfWhatSaysTheSameWhatIsPrivateIsLeftOut) {
  write(day, entry(R"("id":"a1","source":"agent")", "The key is below the third pot."));
  write("diary/may.md", "The key is below the third pot.\n");
  write("house.md", "# Doors #secret\n\nThe third pot is the key below.\n\n# Plants\n\nBelow the third pot is the key.\n");
  write("user.md", entry(R"("id":"u1","source":"user","tags":["secret"])", "The key is the third below pot."));
  Memory memory = open();
  const auto forgotten = forget_as_agent(memory, {"a1"});
  ASSERT_TRUE(forgotten);
  ASSERT_THAT(forgotten->still_say, SizeIs(1));
  EXPECT_EQ(forgotten->still_say.front().text, "Below the third pot is the key.");
  EXPECT_THAT(told(*forgotten), Not(HasSubstr("diary")));

  const auto by_person = forget(memory, {id_of(memory, "Below the third pot is the key.")}, {});
  ASSERT_TRUE(by_person);
  EXPECT_THAT(by_person->still_say, SizeIs(3)) << "a person is told everything";
}

TEST_F(ToldToAgents, OfWhatWentAlongOrStayedWhatIsPrivateIsNotNamed) {
  write(day, entry(R"("id":"a1","source":"agent")", "Water the fern."));
  write(durable, folded("c1", "agent", R"("a1")", "Water the fern on Mondays.", R"(,"tags":["secret"])") +
                     folded("c2", "agent", R"("a1","f9")", "Water the fern and the ivy.", R"(,"tags":["secret"])") +
                     folded("c3", "agent", R"("a1")", "Water that fern."));
  Memory memory = open();
  folder.write("vault/.git/MERGE_HEAD", "0000000000000000000000000000000000000000\n");  // nothing is rewritten now: notes say so
  folder.write("vault/.git/HEAD", "ref: refs/heads/main\n");
  const auto forgotten = forget_as_agent(memory, {"a1"});
  ASSERT_TRUE(forgotten) << forgotten.error().message;
  std::vector<std::string> ids;
  for (const Entry& one : forgotten->entries) ids.push_back(one.id);
  EXPECT_THAT(ids, UnorderedElementsAre("a1", "c3"));
  EXPECT_THAT(told(*forgotten), Not(testing::AnyOf(HasSubstr("c1"), HasSubstr("c2"), HasSubstr("memory.md:2"))));
}

TEST_F(ToldToAgents, OfAnUpdateWhatIsPrivateIsNotNamed) {
  write(day, entry(R"("id":"a1","source":"agent")", "Water the fern."));
  const std::string words = "Fern: a person's own words.";
  write(durable, entry(R"("id":"c1","source":"agent","from":["a1"],"tags":["secret"],"sum":"0000000000000000")", words));
  Memory memory = open();
  const auto updated = edit(memory, "a1", Edit{"Do not water the fern.", {}}, Actor::agent);
  ASSERT_TRUE(updated) << updated.error().message;
  EXPECT_THAT(to_string(corrected_to_json(*updated)), Not(HasSubstr("c1")));

  write(day, entry(R"("id":"a2","source":"agent")", "Water the fern."));
  write(durable, entry(R"("id":"c4","source":"agent","from":["a2"],"tags":["secret"],"sum":"0000000000000000")", words));
  const auto by_person = edit(memory, "a2", Edit{"Do not water the fern.", {}});
  ASSERT_TRUE(by_person) << by_person.error().message;
  EXPECT_THAT(to_string(corrected_to_json(*by_person)), HasSubstr("c4")) << "a person is told everything";
}

}  // namespace
}  // namespace loci
