// A vault whose context is asked for.
#pragma once

#include "context/context.h"
#include "tests/memory/memory_fixture.h"

namespace loci {

class ContextTest : public MemoryTest {
 protected:
  // An entry of a memory file; `more` as in ,"category":"preference"
  static std::string entry(const std::string& id, const std::string& text, const std::string& more = "") {
    return "<!--m {\"id\":\"" + id + "\"" + more + "}-->\n" + text + "\n\n";
  }
  static std::string turn(const std::string& id, int number, const std::string& role, const std::string& text,
                          const std::string& session = "s1") {
    return entry(id, text,
                 R"(,"at":"2026-11-18T09:00:00Z","kind":"turn","session":")" + session + R"(","turn":)" + std::to_string(number) +
                     R"(,"role":")" + role + "\"");
  }
  void settings(const std::string& toml) { folder.write("home/.config/loci/config.toml", toml); }

  static ContextRequest about(const std::string& message) {
    ContextRequest request;
    request.message = message;
    return request;
  }
  // Beside a hundred facts about other things, as in any memory: among a few, no word tells much.
  MessageBlock block(const ContextRequest& request) {
    if (!request.message.empty()) write("consolidated/others.md", others());
    Memory memory = open();
    EXPECT_TRUE(memory.bring_up_to_date());
    auto made = message_block(memory, request);
    EXPECT_TRUE(made) << made.error().message;
    return made ? std::move(*made) : MessageBlock{};
  }
  MessageBlock block(const std::string& message) { return block(about(message)); }
  // What stands under "Facts:".
  std::string facts(const ContextRequest& request) {
    const std::string text = block(request).text;
    const size_t begin = text.find("Facts:\n"), end = text.find("</memory-context>");
    return begin == std::string::npos ? "" : text.substr(begin + 7, end - begin - 7);
  }
  std::string facts(const std::string& message) { return facts(about(message)); }

  static std::string others() {
    std::string file;
    for (int i = 0; i < 100; ++i) {
      const std::string number = std::to_string(i);
      file += entry("other" + number, "Recipe " + number + " wants flour and a glass of water.");
    }
    return file;
  }

  std::string system(const std::string& session = "", bool compacted = false) {
    Memory memory = open();
    EXPECT_TRUE(memory.bring_up_to_date());
    auto made = session_block(memory, {session, "", "", compacted});
    EXPECT_TRUE(made) << made.error().message;
    return made ? *made : "";
  }
};

}  // namespace loci
