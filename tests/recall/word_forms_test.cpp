#include "recall/word_forms.h"

#include <gmock/gmock.h>

namespace loci {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

TEST(WordForms, NameTheIrregularOnesBothWays) {
  EXPECT_THAT(other_forms("went"), UnorderedElementsAre("go", "gone"));
  EXPECT_THAT(other_forms("go"), UnorderedElementsAre("went", "gone"));
  EXPECT_THAT(other_forms("child"), Contains("children"));
  EXPECT_THAT(other_forms("colour"), UnorderedElementsAre("color"));
}

TEST(WordForms, APluralHasThoseOfItsSingular) {
  EXPECT_THAT(other_forms("pics"), Contains("photo"));
  EXPECT_THAT(other_forms("moms"), Contains("mother"));
}

TEST(WordForms, RegularWordsAndPartsOfWordsHaveNone) {
  for (const char* word : {"", "s", "paint", "ent", "wen", "go went", "|", "zebrafish"})
    EXPECT_THAT(other_forms(word), IsEmpty()) << word;
  EXPECT_THAT(other_forms("went"), Not(Contains("went")));
}

}  // namespace
}  // namespace loci
