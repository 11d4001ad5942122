#include "model/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loci {
namespace {

std::string url(std::string_view base, std::string_view version = "/v1", std::string_view path = "/chat/completions") {
  const auto endpoint = parse_endpoint(base, version, path);
  return endpoint ? endpoint->url : std::string(name_of(endpoint.error().code));
}

TEST(AnEndpoint, HasTheVersionAndThePathBehindItsBase) {
  EXPECT_EQ(url("https://api.openai.com"), "https://api.openai.com/v1/chat/completions");
  EXPECT_EQ(url("HTTPS://API.OpenAI.com/"), "https://api.openai.com/v1/chat/completions");
  EXPECT_EQ(url("http://localhost:8080/v1/"), "http://localhost:8080/v1/chat/completions");
  EXPECT_EQ(url("https://api.groq.com/openai/v1"), "https://api.groq.com/openai/v1/chat/completions");
  EXPECT_EQ(url("https://host/v1beta/openai"), "https://host/v1beta/openai/chat/completions");
  EXPECT_EQ(url("https://host/vendor"), "https://host/vendor/v1/chat/completions");
  EXPECT_EQ(url("http://127.0.0.1:11434", "/api", "/chat"), "http://127.0.0.1:11434/api/chat");
  EXPECT_EQ(url("http://[::1]:11434/api", "/api", "/chat"), "http://[::1]:11434/api/chat");
}

TEST(AnEndpoint, IsPlainHttpOnThisMachineOnly) {
  for (const char* base : {"http://localhost", "http://LOCALHOST:1", "http://127.0.0.1", "http://127.8.9.10:80", "http://[::1]"}) {
    const auto endpoint = parse_endpoint(base, "/v1", "/x");
    ASSERT_TRUE(endpoint) << base;
    EXPECT_TRUE(endpoint->this_machine) << base;
  }
  for (const char* base : {"http://example.org", "http://10.0.0.1", "http://0.0.0.0", "http://128.0.0.1",
                           "http://localhost.example.org", "http://127.0.0.1.example.org", "http://127.1", "http://2130706433",
                           "http://0x7f000001", "http://[::2]", "http://[::ffff:127.0.0.1]", "http://localhost."})
    EXPECT_EQ(url(base), "refused") << base;
  EXPECT_FALSE(parse_endpoint("https://example.org", "/v1", "/x")->this_machine);
}

TEST(AnEndpoint, IsNothingThatTwoReadersCouldTakeForTwoHosts) {
  for (const char* base : {"",
                           "localhost",
                           "//localhost",
                           "ftp://localhost",
                           "file:///etc",
                           "https://",
                           "https:///x",
                           "https://user@host",
                           "https://user:secret@host",
                           "http://127.0.0.1@example.org",
                           "http://localhost\\@example.org",
                           "https://host?x=1",
                           "https://host#x",
                           "https://host/a?b",
                           "https://host:0",
                           "https://host:65536",
                           "https://host:",
                           "https://host:8x",
                           "https://ho st",
                           "https://host\n",
                           "https://host/\r\nX: 1",
                           "https://[::1",
                           "https://[::1]x",
                           "https://[host]",
                           "https://::1",
                           "https://.host",
                           "https://h\xC3\xB6st"})
    EXPECT_EQ(url(base), "usage") << base;
}

TEST(AnEndpoint, ThatIsRefusedIsNotRepeated) {
  const auto endpoint = parse_endpoint("https://user:secret@host", "/v1", "/x");
  ASSERT_FALSE(endpoint);
  EXPECT_THAT(endpoint.error().message + endpoint.error().hint, ::testing::Not(::testing::HasSubstr("secret")));
}

}  // namespace
}  // namespace loci
