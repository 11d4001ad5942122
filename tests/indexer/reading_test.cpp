// What an IndexReader gives: terms that are found, lists, pages, filters.
#include <gmock/gmock.h>

#include "tests/indexer/indexed_vault.h"
#include "vault/logs/logs.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

std::vector<std::string> ids(const Result<std::vector<Entry>>& entries) {
  EXPECT_TRUE(entries) << entries.error().message;
  std::vector<std::string> found;
  for (const auto& entry : *entries) found.push_back(entry.id);
  return found;
}

std::string dated(const std::string& id, const std::string& at, const std::string& more = {}) {
  return "<!--m {\"id\":\"" + id + "\",\"at\":\"" + at + "\"" + (more.empty() ? "" : "," + more) + "}-->\ntext of " + id + "\n\n";
}

TEST(WordsInTheIndex, AreFoundInEveryFormTheyTake) {
  IndexedVault vault;
  vault.write("a.md",
              "The deployments failed.\n\nDéjà vu in München\n\nset foo_bar to v1.2.3 in /usr/lib/x.so\n\nwrite me@host.org\n\n"
              "東京タワーに行きました\n\nparty 🎉 time\n\nJohn's getUserName call\n");
  vault.reconcile();
  const auto count = [&](const char* words, TermKind kind = TermKind::word) { return vault.found(words, kind).size(); };
  for (const char* word :
       {"deployment", "Deployments", "FAILING",  "deja",   "munchen",     "MÜNCHEN",  "foo_bar",    "foo",  "bar",
        "v1.2.3",     "v1.2",        "/usr/lib", "x.so",   "me@host.org", "host.org", "東京",       "京タ", "タ",
        "行きました", "🎉",          "john",     "John's", "getusername", "user",     "getUserName"})
    EXPECT_EQ(count(word), 1u) << word;
  for (const char* word : {"bar_foo", "tokio", "京東", "🎂", "org.host"}) EXPECT_EQ(count(word), 0u) << word;
  for (const char* prefix : {"deploym", "deployments", "fail", "foo_b", "東", "mün"})
    EXPECT_EQ(count(prefix, TermKind::prefix), 1u) << prefix;
  EXPECT_EQ(count("usr lib", TermKind::phrase), 1u);
  EXPECT_EQ(count("lib usr", TermKind::phrase), 0u);
}

std::vector<int> weights_of(const Matches& matches) {
  std::vector<int> weights;
  for (const Matches::Cell& cell : matches.cells) weights.push_back(cell.weight);
  return weights;
}

std::vector<int> in_contexts_of(const Matches& matches) {
  std::vector<int> counts;
  for (const Matches::Cell& cell : matches.cells) counts.push_back(cell.in_context);
  return counts;
}

TEST(WordsInTheIndex, AreFoundInHeadingsAndTagsToo) {
  IndexedVault vault;
  vault.write("a.md", "# Kitchen plans\n\nbuy an oven #shopping\n");
  vault.reconcile();
  auto reader = vault.reader();
  const auto matches = reader.match("\"kitchen\" OR \"oven\" OR \"shop\"").value();
  ASSERT_EQ(matches.terms, 3u);
  ASSERT_THAT(matches.rows, SizeIs(1));
  EXPECT_THAT(weights_of(matches), ElementsAre(0, 20, 20));
  EXPECT_THAT(in_contexts_of(matches), ElementsAre(1, 0, 1));
  const auto columns = reader.columns(matches.rows[0]);
  EXPECT_EQ(columns.text_length, 4u);
  EXPECT_EQ(columns.context_length, 3u);
}

TEST(AMatch, CountsEachPhraseInEachEntry) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "redis and redis and cache") + fact("f2", "cache") + fact("f3", "neither"));
  vault.reconcile();
  auto reader = vault.reader();
  const auto matches = reader.match("\"redi\" OR \"cach\" OR \"redi and\"").value();
  EXPECT_THAT(matches.rows, ElementsAre(vault.entry("f1").row, vault.entry("f2").row));
  EXPECT_THAT(weights_of(matches), ElementsAre(40, 20, 40, 0, 20, 0));
  EXPECT_EQ(reader.document_frequency("cach").value(), 2u);
  EXPECT_EQ(reader.document_frequency("none").value(), 0u);
}

TEST(AMatch, AddsUpTheFormsOfATermByWhatTheyWeigh) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "the rotations went on") + fact("f2", "a rotation"));
  vault.reconcile();
  auto reader = vault.reader();
  const PhraseMeaning meanings[] = {{0, 11, false, false}, {0, 9, true, true}, {1, 16, false, false}};
  const auto matches = reader.match("\"rotat\" OR \"=rotations\" OR \"went\"", meanings).value();
  ASSERT_EQ(matches.terms, 2u);
  EXPECT_THAT(weights_of(matches), ElementsAre(20, 16, 11, 0));
  EXPECT_TRUE(matches.of(0)[0].exact);
  EXPECT_FALSE(matches.of(0)[1].exact);
  EXPECT_FALSE(matches.of(1)[0].exact);
  EXPECT_FALSE(reader.match("\"rotat\"", meanings));
}

TEST(AMatch, TellsWhatATextBeginsWithAndWhichTermsStandNearEachOther) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("f1", "redis is a fast cache") + fact("f2", "the cache in front of all of redis") +
                                  fact("f3", "cache or redis"));
  vault.reconcile();
  auto reader = vault.reader();
  const auto matches = reader.match("\"redi\" OR \"cach\"").value();
  ASSERT_THAT(matches.rows, SizeIs(3));
  EXPECT_TRUE(matches.of(0)[0].leads);
  EXPECT_FALSE(matches.of(0)[1].leads);
  EXPECT_FALSE(matches.of(0)[0].beside_next);  // three words between them
  EXPECT_FALSE(matches.of(1)[0].beside_next);
  EXPECT_TRUE(matches.of(2)[1].leads);
  EXPECT_TRUE(matches.of(2)[0].beside_next);
}

TEST(AMatch, RefusesWhatIsNoExpressionAndGoesOn) {
  IndexedVault vault;
  vault.write("a.md", "word\n");
  vault.reconcile();
  auto reader = vault.reader();
  for (const char* broken : {"", "\"", "AND", "x:", "*", "("}) EXPECT_FALSE(reader.match(broken)) << broken;
  std::string many = "\"w0\"";
  for (int i = 1; i < 200; ++i) many += " OR \"w" + std::to_string(i) + "\"";
  static_cast<void>(reader.match(many));
  EXPECT_THAT(reader.match("\"word\"")->rows, SizeIs(1));
}

TEST(AnEntry, IsFoundByItsIdOrAnyBeginningOfIt) {
  IndexedVault vault;
  vault.write("archive/a.md", fact("ab", "one") + fact("abc", "two") + fact("abd", "three") + fact("b", "four"));
  vault.reconcile();
  auto reader = vault.reader();
  EXPECT_THAT(ids(reader.find("ab")), ElementsAre("ab"));
  EXPECT_THAT(ids(reader.find("a")), ElementsAre("ab", "abc", "abd"));
  EXPECT_THAT(ids(reader.find("a", 2)), ElementsAre("ab", "abc"));
  EXPECT_THAT(ids(reader.find("c")), IsEmpty());
  EXPECT_THAT(ids(reader.find("")), IsEmpty());
}

TEST(Recent, IsNewestFirstThenByTurnThenById) {
  IndexedVault vault;
  const std::string noon = "2026-05-01T12:00:00Z";
  vault.write("archive/a.md", dated("a", noon) + dated("b", noon, R"("kind":"turn","session":"s","turn":2)") +
                                  dated("c", noon, R"("kind":"turn","session":"s","turn":1)") +
                                  dated("d", noon, R"("kind":"turn","session":"s","turn":2)") + dated("e", "2026-05-02T00:00:00Z") +
                                  dated("f", "2026-04-30T00:00:00Z"));
  vault.write("notes/n.md", "undated\n");
  vault.reconcile();
  auto reader = vault.reader();
  const auto all = ids(reader.recent({}, 100));
  ASSERT_THAT(all, SizeIs(7));
  EXPECT_THAT(std::vector(all.begin(), all.end() - 1), ElementsAre("e", "d", "b", "c", "a", "f"));
}

TEST(Recent, GoesOnBehindACursor) {
  IndexedVault vault;
  std::string day;
  for (int i = 10; i < 60; ++i) day += dated("e" + std::to_string(i), "2026-05-01T10:" + std::to_string(i) + ":00Z");
  vault.write("archive/a.md", day);
  vault.reconcile();
  auto reader = vault.reader();
  std::vector<std::string> paged;
  for (std::string cursor;;) {
    const auto page = ids(reader.recent({}, 7, cursor));
    if (page.empty()) break;
    paged.insert(paged.end(), page.begin(), page.end());
    cursor = page.back();
  }
  EXPECT_EQ(paged, ids(reader.recent({}, 100)));
  EXPECT_THAT(paged, SizeIs(50));
  EXPECT_EQ(reader.recent({}, 7, "gone").error().code, ErrorCode::not_found);
}

class Filters : public testing::Test {
 protected:
  Filters() {
    vault_.write("archive/2026-05-01.md",
                 dated("f1", "2026-05-01T10:00:00Z", R"("tags":["Red","big"],"project":"atlas","source":"agent")") +
                     dated("f2", "2026-05-02T10:00:00Z", R"("tags":["red/dark"],"project":"zeus","task":"t1")") +
                     dated("t1", "2026-05-03T10:00:00Z", R"("kind":"turn","session":"s1","turn":1)") +
                     dated("x1", "2026-05-04T10:00:00Z", R"("tags":["red"])"));
    vault_.write("user.md", "about the person\n");
    vault_.write(".loci/tombstones/aaaa.jsonl",
                 format(Tombstone{vault_.clock.now(), "x1", "", Tombstone::Reason::deleted, "user", ""}));
    vault_.reconcile();
  }
  // The same through all three ways in.
  std::vector<std::string> passing(const EntryFilter& filter) {
    auto reader = vault_.reader();
    auto listed = ids(reader.list(filter, 100));
    auto recent = ids(reader.recent(filter, 100));
    std::vector<std::string> matching;
    const auto rows = reader.rows_matching(filter);
    for (const RowId row : rows.value()) matching.push_back(reader.entry(row)->id);
    for (auto* each : {&listed, &recent, &matching}) std::ranges::sort(*each);
    EXPECT_EQ(listed, recent);
    EXPECT_EQ(listed, matching);
    return listed;
  }

  IndexedVault vault_;
};

TEST_F(Filters, HoldAllThatTheyName) {
  EXPECT_THAT(passing({}), SizeIs(4));
  EntryFilter filter;
  filter.tags = {"red"};
  EXPECT_THAT(passing(filter), ElementsAre("f1", "f2"));
  filter.tags = {"red", "BIG"};
  EXPECT_THAT(passing(filter), ElementsAre("f1"));
  filter.project = "zeus";
  EXPECT_THAT(passing(filter), IsEmpty());
  filter.tags.clear();
  EXPECT_THAT(passing(filter), ElementsAre("f2"));
}

TEST_F(Filters, NameColumnsToo) {
  EntryFilter filter;
  filter.kinds = {EntryKind::turn};
  EXPECT_THAT(passing(filter), ElementsAre("t1"));
  filter = {};
  filter.layers = {Layer::L0, Layer::L2};
  EXPECT_THAT(passing(filter), SizeIs(2));
  filter = {};
  filter.sources = {Source::agent};
  EXPECT_THAT(passing(filter), ElementsAre("f1"));
  filter = {};
  filter.session = "s1";
  EXPECT_THAT(passing(filter), ElementsAre("t1"));
  filter = {};
  filter.task = "t1";
  EXPECT_THAT(passing(filter), ElementsAre("f2"));
  filter = {};
  filter.file = "user.md";
  EXPECT_THAT(passing(filter), SizeIs(1));
  filter.file = "none.md";
  EXPECT_THAT(passing(filter), IsEmpty());
}

TEST_F(Filters, OfTimeIncludeTheFirstMomentAndNotTheLast) {
  EntryFilter filter;
  filter.since = parse_time("2026-05-01T10:00:00Z");
  filter.until = parse_time("2026-05-03T10:00:00Z");
  EXPECT_THAT(passing(filter), ElementsAre("f1", "f2"));
  filter.since.reset();
  EXPECT_THAT(passing(filter), ElementsAre("f1", "f2"));  // without the undated one
  filter.until.reset();
  filter.since = parse_time("2026-05-02");
  EXPECT_THAT(passing(filter), ElementsAre("f2", "t1"));
}

TEST_F(Filters, LetInactiveEntriesThroughOnlyWhenAsked) {
  EntryFilter filter;
  filter.tags = {"red"};
  filter.inactive = true;
  EXPECT_THAT(passing(filter), ElementsAre("f1", "f2", "x1"));
}

TEST(AList, IsByFileAndLineAndGoesOnBehindACursor) {
  IndexedVault vault;
  vault.write("b.md", "b one\n\nb two\n\nshared\n");
  vault.write("a.md", "shared\n\na two\n");
  vault.reconcile();
  auto reader = vault.reader();
  std::vector<std::string> texts;
  for (std::string cursor;;) {
    const auto page = reader.list({}, 1, cursor).value();
    if (page.empty()) break;
    texts.push_back(page.front().text);
    cursor = page.front().id;
  }
  EXPECT_THAT(texts, ElementsAre("shared", "a two", "b one", "b two"));
}

TEST(Sessions, AreLatestFirstWithTheirCounts) {
  IndexedVault vault;
  vault.write("archive/sessions/a.md",
              dated("t1", "2026-05-01T10:00:00Z", R"("kind":"turn","session":"s1","turn":0)") +
                  dated("t2", "2026-05-01T11:00:00Z", R"("kind":"turn","session":"s1","turn":1,"project":"atlas")") +
                  dated("f1", "2026-05-01T09:00:00Z", R"("session":"s1","turn":1)") +
                  dated("t3", "2026-05-02T10:00:00Z", R"("kind":"turn","session":"s2","turn":0)"));
  vault.reconcile();
  auto reader = vault.reader();
  const auto sessions = reader.sessions(10).value();
  ASSERT_THAT(sessions, SizeIs(2));
  EXPECT_EQ(sessions[0].id, "s2");
  EXPECT_EQ(sessions[1].id, "s1");
  EXPECT_EQ(sessions[1].entries, 3);
  EXPECT_EQ(sessions[1].turns, 2);
  EXPECT_EQ(sessions[1].first, parse_time("2026-05-01T09:00:00Z"));
  EXPECT_EQ(sessions[1].last, parse_time("2026-05-01T11:00:00Z"));
  EXPECT_EQ(sessions[1].project, "atlas");
  EXPECT_THAT(reader.sessions(1).value(), SizeIs(1));
  EXPECT_THAT(ids(reader.session("s1")), ElementsAre("t1", "f1", "t2"));
  EXPECT_THAT(ids(reader.session("none")), IsEmpty());
}

}  // namespace
}  // namespace loci
