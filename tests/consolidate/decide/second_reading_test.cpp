#include "consolidate/decide/second_reading.h"

#include <gmock/gmock.h>

#include "tests/consolidate/material_builder.h"

namespace loci {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using Kind = Operation::Kind;

class SecondReading : public testing::Test {
 protected:
  SecondReading() {
    material = material_of(
        {fact_of("I sing bass.", Source::user), fact_of("Ich singe Bass.", Source::user), fact_of("I sing in Ely.", Source::user)},
        {entry_of("Sings.", Source::user), entry_of("Sings well.", Source::agent)});
  }

  static Operation operation(Kind kind, std::vector<size_t> facts, std::string text = {}) {
    Operation one;
    one.kind = kind;
    one.facts = std::move(facts);
    one.text = std::move(text);
    return one;
  }

  Decision everything() const {
    Operation replace = operation(Kind::replace, {0}, "Sings bass, and well."), remove = operation(Kind::remove, {}),
              duplicate = operation(Kind::duplicate, {1}), add = operation(Kind::add, {2}, "I sing in Ely.");
    replace.target = 0;
    remove.target = 1;
    remove.into = 0;
    duplicate.same_as_entry = 0;
    return {{replace, remove, duplicate, add}, {}};
  }

  Material material;
};

TEST_F(SecondReading, WhatIsWordForWordIsNotReadAgain) {
  const Decision decision = everything();
  const auto found = operations_to_read(decision, material);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].operation, 0u);
  EXPECT_EQ(found[1].operation, 2u);
}

TEST_F(SecondReading, AMergeIsReadWithAllThatItTakesInAndADuplicateWithTheTextThatStays) {
  const Decision decision = everything();
  const std::string input = verify_request(operations_to_read(decision, material), material).input;
  EXPECT_THAT(input, HasSubstr("Sings well."));
  EXPECT_THAT(input, HasSubstr("\"kind\":\"CHANGE\""));
  EXPECT_THAT(input, HasSubstr("\"kept\":\"Sings bass, and well.\""));
  EXPECT_THAT(input, HasSubstr("\"date\":\"2026-11-21\",\"weekday\":\"Saturday\""));
}

TEST_F(SecondReading, ManyOperationsAreReadInPortions) {
  Decision decision;
  for (size_t i = 0; i < 90; ++i)
    decision.operations.push_back(operation(Kind::add, {0}, "Sings bass, says number " + std::to_string(i)));
  const auto portions = portions_to_read(operations_to_read(decision, material), material);
  EXPECT_THAT(portions, ElementsAre(SizeIs(40), SizeIs(40), SizeIs(10)));
}

TEST_F(SecondReading, ProblemsAreByOperationAndNothingElseIsTaken) {
  const auto problems = parse_problems(R"({"problems":[{"op":2,"what":"says more","why":"nobody said well"}]})", 2);
  ASSERT_TRUE(problems);
  EXPECT_THAT(*problems, ElementsAre(IsEmpty(), ElementsAre("says more: nobody said well")));
  for (const char* answer :
       {R"({"problems":[{"op":3,"what":"says more","why":""}]})", R"({"problems":[{"op":0,"what":"x","why":""}]})",
        R"({"problems":[{"op":"1","what":"x","why":""}]})", R"({"problems":{}})", "none"})
    EXPECT_FALSE(parse_problems(answer, 2)) << answer;
}

}  // namespace
}  // namespace loci
