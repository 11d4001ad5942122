#include "recall/query.h"

#include <gmock/gmock.h>

#include "base/unicode.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "word", "\"a phrase\"", "pre*"
std::vector<std::string> shown(const std::vector<QueryTerm>& terms) {
  std::vector<std::string> out;
  for (const QueryTerm& term : terms) {
    const std::string quote = term.phrase ? "\"" : "";
    out.push_back(quote + term.text + quote + (term.prefix ? "*" : ""));
  }
  return out;
}

struct TermsRow {
  std::string typed;
  std::vector<std::string> terms;
  std::vector<std::string> excluded = {};
};

class QueryTerms : public testing::TestWithParam<TermsRow> {};

TEST_P(QueryTerms, AreWhatWasTyped) {
  const auto& [typed, terms, excluded] = GetParam();
  const SearchQuery query = parse_query(typed);
  EXPECT_EQ(shown(query.terms), terms) << typed;
  EXPECT_EQ(shown(query.excluded), excluded) << typed;
}

INSTANTIATE_TEST_SUITE_P(
    Words, QueryTerms,
    testing::Values(TermsRow{"", {}}, TermsRow{"   \t\n", {}}, TermsRow{"*", {}}, TermsRow{"?!", {}},
                    TermsRow{"zebrafish passphrase", {"zebrafish", "passphrase"}},
                    TermsRow{"what is the zebrafish quasar passphrase?", {"zebrafish", "quasar", "passphrase"}},
                    TermsRow{"Redis redis REDIS", {"Redis"}}, TermsRow{"red,green;blue (white)", {"red", "green", "blue", "white"}},
                    TermsRow{"coffee/tea", {"coffee", "tea"}}, TermsRow{std::string("ze\0bra", 6), {"zebra"}},
                    TermsRow{"caf\xff\xfe"
                             "bar",
                             {"caf", "bar"}},
                    TermsRow{"Crème brûlée", {"Crème", "brûlée"}}));

INSTANTIATE_TEST_SUITE_P(FunctionWords, QueryTerms,
                         testing::Values(TermsRow{"to be or not to be", {"to", "be", "or", "not"}}, TermsRow{"NOT", {"NOT"}},
                                         TermsRow{"what's up", {"up"}}, TermsRow{"What’s the plan", {"plan"}},
                                         TermsRow{"don't panic", {"panic"}}, TermsRow{"\"the who\"", {"\"the who\""}},
                                         TermsRow{"wie ist das Passwort", {"Passwort"}}, TermsRow{"où est l'hôtel", {"hôtel"}}));

INSTANTIATE_TEST_SUITE_P(Identifiers, QueryTerms,
                         testing::Values(TermsRow{"alpha-one", {"alpha", "one"}}, TermsRow{"e-mail a-b", {"e-mail", "a-b"}},
                                         TermsRow{"foo_bar", {"foo_bar"}}, TermsRow{"v1.2.3.", {"v1.2.3"}},
                                         TermsRow{"(me@example.org)", {"me@example.org"}},
                                         TermsRow{"src/main.cpp", {"src/main.cpp"}}, TermsRow{"/etc/hosts", {"etc/hosts"}},
                                         TermsRow{"std::vector", {"std", "vector"}},
                                         TermsRow{"Caroline's cat", {"Caroline", "cat"}}, TermsRow{"O'Brien", {"O'Brien"}},
                                         TermsRow{"user:x", {"user:x"}}, TermsRow{"https://a.org/b", {"https", "a.org/b"}},
                                         TermsRow{"tag:", {"tag"}}));

INSTANTIATE_TEST_SUITE_P(Marks, QueryTerms,
                         testing::Values(TermsRow{"\"blue green\" deploy", {"\"blue green\"", "blue", "green", "deploy"}},
                                         TermsRow{"“blue green”", {"\"blue green\"", "blue", "green"}}, TermsRow{"\"", {}},
                                         TermsRow{"5\" pipe", {"5", "pipe"}}, TermsRow{"\"\" x", {"x"}},
                                         TermsRow{"say\"hi there\"now", {"say", "\"hi there\"", "hi", "now"}},
                                         TermsRow{"deploy -friday", {"deploy"}, {"\"friday\""}},
                                         TermsRow{"deploy -\"on friday\"", {"deploy"}, {"\"on friday\""}},
                                         TermsRow{"deploy -fri*", {"deploy"}, {"fri*"}},
                                         TermsRow{"x - b --force -", {"x", "b", "force"}}, TermsRow{"-x", {}, {"\"x\""}},
                                         TermsRow{"dep* *loy", {"dep*", "loy"}}, TermsRow{"the*", {"the*"}}));

INSTANTIATE_TEST_SUITE_P(UnspacedScripts, QueryTerms,
                         testing::Values(TermsRow{"猫", {"猫"}}, TermsRow{"部署时间", {"部署时间"}},
                                         TermsRow{"数据库部署时间", {"数据", "据库", "库部", "部署", "署时", "时间"}},
                                         TermsRow{"redis缓存", {"redis", "缓存"}}, TermsRow{"배포 서버", {"배포", "서버"}},
                                         TermsRow{"🦓🎉 party", {"🦓", "🎉", "party"}},
                                         TermsRow{"👨‍👩‍👧", {"👨", "👩", "👧"}}));

TEST(Query, FiltersAreReadAndAreNotTerms) {
  const SearchQuery query =
      parse_query("tag:deploy tag:#Ops project:\"big atlas\" source:user kind:turn kind:task-summary layer:l2 session:s1 redis");
  EXPECT_THAT(shown(query.terms), ElementsAre("redis"));
  EXPECT_THAT(query.filter.tags, ElementsAre("deploy", "Ops"));
  EXPECT_EQ(query.filter.project, "big atlas");
  EXPECT_THAT(query.filter.sources, ElementsAre(Source::user));
  EXPECT_THAT(query.filter.kinds, ElementsAre(EntryKind::turn, EntryKind::task_summary));
  EXPECT_THAT(query.filter.layers, ElementsAre(Layer::L2));
  EXPECT_EQ(query.filter.session, "s1");
  EXPECT_THAT(query.ignored, IsEmpty());
}

TEST(Query, DatesNameWholeDaysAndMonths) {
  const SearchQuery query = parse_query("since:2026-05 until:2026-06");
  EXPECT_EQ(query.filter.since, parse_time("2026-05-01"));
  EXPECT_EQ(query.filter.until, parse_time("2026-07-01"));
  EXPECT_THAT(query.terms, IsEmpty());
}

TEST(Query, DatesMayBeNamedByTheirDistance) {
  const SearchQuery query = parse_query("since:\"2 weeks ago\" until:yesterday deploy");
  EXPECT_THAT(query.since, ElementsAre("2 weeks ago"));
  EXPECT_THAT(query.until, ElementsAre("yesterday"));
  EXPECT_THAT(query.ignored, IsEmpty());
  EXPECT_TRUE(query.history);
}

TEST(Query, ATaskFiltersAsAProjectDoes) { EXPECT_EQ(parse_query("deploy task:mast").filter.task, "mast"); }

TEST(Query, OfTwoDatesTheNarrowerCounts) {
  const SearchQuery query = parse_query("since:2026-05 since:2026-07 until:2027 until:2026-08-01");
  EXPECT_EQ(query.filter.since, parse_time("2026-07"));
  EXPECT_EQ(query.filter.until, parse_time("2026-08-02"));
}

TEST(Query, AFilterThatMeansNothingIsToldAndDropped) {
  const SearchQuery query = parse_query("since:soon layer:L9 source:nobody kind:x -kind:y deploy");
  EXPECT_THAT(query.ignored, ElementsAre("since:soon", "layer:L9", "source:nobody", "kind:x", "-kind:y"));
  EXPECT_THAT(shown(query.terms), ElementsAre("deploy"));
  EXPECT_FALSE(query.history);
}

TEST(Query, ANegatedFilterLeavesItsEntriesOut) {
  const SearchQuery query = parse_query("deploy -tag:draft -kind:turn");
  ASSERT_EQ(query.without.size(), 2u);
  EXPECT_THAT(query.without[0].tags, ElementsAre("draft"));
  EXPECT_THAT(query.without[1].kinds, ElementsAre(EntryKind::turn));
  EXPECT_THAT(query.excluded, IsEmpty());
}

TEST(Query, ALayerADateOrAQuestionAboutThePastAsksForHistory) {
  EXPECT_TRUE(parse_query("layer:L2 deploy").history);
  EXPECT_TRUE(parse_query("since:2026 deploy").history);
  EXPECT_TRUE(parse_query("what did we decide about deploys").history);
  EXPECT_FALSE(parse_query("deploys on fridays").history);
}

TEST(Query, OnlyTheFirst64TermsCount) {
  std::string many;
  for (int i = 0; i < 300; ++i) many += "w" + std::to_string(i) + " ";
  const SearchQuery query = parse_query(many);
  EXPECT_EQ(query.terms.size(), max_query_terms);
  EXPECT_EQ(query.terms.back().text, "w63");
}

TEST(Query, OnlyTheFirst4096BytesCountAndNoCharacterIsCut) {
  const SearchQuery query = parse_query(std::string(4094, ' ') + "a語");
  ASSERT_EQ(query.terms.size(), 1u);  // three bytes more would be 4,098
  EXPECT_EQ(query.terms[0].text, "a");
  EXPECT_THAT(parse_query(std::string(5000, ' ') + "late").terms, IsEmpty());
}

}  // namespace
}  // namespace loci
