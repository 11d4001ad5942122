#include "vault/purge/purge_json.h"

#include <gtest/gtest.h>

#include "parser/text_hash.h"

namespace loci {
namespace {

constexpr const char* code = "The alarm code is 4711.";

TEST(PurgeJson, HashesGoAndSoDoAllWordsAboutWhatIsPurged) {
  const std::string hash = stored_text_hash(code);
  const PurgedText text({PurgedEntry{"f1", code, hash}});
  Json json = Json(Json::Object{
      {"entries", Json(Json::Array{Json(Json::Object{
                      {"id", "c-1"},
                      {"before", ""},
                      {"after", "Code: 4711"},
                      {"facts", Json(Json::Array{Json(Json::Object{{"id", "f1"}, {"hash", hash}, {"text", "other words"}})})}})})},
      {"other", "Likes tea."}});
  ASSERT_TRUE(purge_json(json, text));
  EXPECT_EQ(to_string(json),
            "{\"entries\":[{\"id\":\"c-1\",\"before\":\"\",\"after\":\"(purged)\",\"facts\":[{\"id\":\"f1\",\"hash\":\"" +
                std::string(32, '0') + "\",\"text\":\"(purged)\"}]}],\"other\":\"Likes tea.\"}");
  Json again = json;
  EXPECT_FALSE(purge_json(again, text));
}

TEST(PurgeJson, ANameThatIsAnIdMadeOfTheTextGoes) {
  const std::string hash = stored_text_hash(code);
  Json counts = Json(Json::Object{{id_from_hash(hash), 3}, {"y", 1}});
  ASSERT_TRUE(purge_json(counts, PurgedText({{id_from_hash(hash), code, hash}})));
  EXPECT_EQ(to_string(counts), "{\"y\":1}");
}

TEST(PurgeJsonLines, WhatDoesNotChangeStaysByteForByteAndATornLineGoesOnlyIfItHoldsTheText) {
  const PurgedText text({PurgedEntry{"f1", code, {}}});
  const std::string kept = "{ \"spaced\" : 1 }\n{\"torn\":\"other\n";
  const auto stays = [](Json&) { return PurgedLine::stays; };
  EXPECT_EQ(purge_json_lines(kept + "{\"torn\":\"" + code, text, stays), kept);
  EXPECT_EQ(purge_json_lines(kept, text, [](Json&) { return PurgedLine::goes; }), "{\"torn\":\"other\n");
}

TEST(PurgeJsonFile, OneThatCannotBeReadGoesOnlyIfItHoldsTheText) {
  const PurgedText text({PurgedEntry{"f1", "the \"quoted\" code", {}}});
  EXPECT_EQ(purge_json_file("{\"torn", text), "{\"torn");
  EXPECT_EQ(purge_json_file("{\"torn\":\"the \\\"quoted\\\" code", text), std::nullopt);
}

}  // namespace
}  // namespace loci
