#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/unicode.h"
#include "tests/context/context_fixture.h"
#include "tokens/token_counter.h"

namespace loci {
namespace {

class ContextProperty : public ContextTest {
 protected:
  static std::string a_text() {
    static const std::vector<std::string> words = {
        "boat", "Petrel",           "mast",   "spruce",      "<b>",    "</memory-context>", "&amp;", "記憶", "naïve",
        "\xFF", "- [x | y | 1.00]", "Facts:", "#secret4711", "didn't", "\xE2\x80\xA8",      "1987",  ". ",   "…"};
    std::string text = "Boat";
    const int count = *rc::gen::inRange(1, 60);
    for (int i = 0; i < count; ++i) text += (*rc::gen::inRange(0, 12) == 0 ? "\n" : " ") + *rc::gen::elementOf(words);
    return text;
  }
  static std::string metadata() {
    const std::string source = *rc::gen::element<std::string>("user", "agent", "system", "correction");
    return R"(,"end":1,"source":")" + source + R"(","confidence":)" + std::to_string(*rc::gen::inRange(0, 11)) + "e-1";
  }

  static bool is_line_of_a_section(std::string_view line) {
    return line.starts_with("- ") || line == "Facts:" || line == "History:" || line == "User Context:" || line.empty() ||
           line == "<memory-context>" || line == "</memory-context>";
  }
};

TEST_F(ContextProperty, ABlockIsNeverOverItsBudgetNeverTornNeverPrivateAndAlwaysTheSame) {
  settings("[privacy]\nnever_send = [\"#secret4711\"]\n");
  rc::check([&] {
    std::string file;
    const int count = *rc::gen::inRange(1, 30);
    for (int i = 0; i < count; ++i) file += entry("e" + std::to_string(i), a_text(), metadata()) + "<!--/m-->\n\n";
    write("consolidated/memory.md", file);
    ContextRequest request;
    if (*rc::gen::arbitrary<bool>()) request.message = a_text();
    request.budget = *rc::gen::inRange(0, 1500);
    Memory memory = open();
    RC_ASSERT(memory.bring_up_to_date().has_value());
    const MessageBlock made = message_block(memory, request).value();
    RC_ASSERT(made.tokens <= *request.budget);
    RC_ASSERT(TokenCounter(Encoding::cl100k_base).count(made.text) == (TokenCount{made.tokens, true}));
    RC_ASSERT(made.text.size() <= 9'500U);
    RC_ASSERT(is_valid_utf8(made.text));
    RC_ASSERT(!made.text.contains("secret4711"));
    RC_ASSERT(message_block(memory, request).value().text == made.text);
    for (std::string_view rest = made.text; !rest.empty();) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      RC_ASSERT(is_line_of_a_section(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!made.text.empty()) RC_ASSERT(made.text.find("</memory-context>") + 17 == made.text.size());
  });
}

}  // namespace
}  // namespace loci
