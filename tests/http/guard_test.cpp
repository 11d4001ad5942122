#include "http/guard.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "tests/support/temporary_folder.h"

namespace loci {
namespace {

const std::string token(64, 'a');

HttpGuard guard() { return {token, 7777, "127.0.0.1"}; }

HttpRequest good_request() {
  HttpRequest request;
  request.method = "GET";
  request.path = "/memory/search";
  request.host = "127.0.0.1:7777";
  request.authorization = "Bearer " + token;
  return request;
}

// 0: not refused.
int verdict(const HttpGuard& guard, const HttpRequest& request) {
  const auto refused = guard.refuse(request);
  return refused ? refused->status : 0;
}

struct Choice {
  std::string value;
  int status;  // with which it is refused over TCP; 0: it passes
};

const std::vector<Choice> hosts = {
    {"127.0.0.1:7777", 0},        {"localhost:7777", 0},   {"LOCALHOST:7777", 0},        {"", 400},
    {"127.0.0.1", 421},           {"127.0.0.1:7778", 421}, {"127.0.0.1:77777", 421},     {"evil.example:7777", 421},
    {"127.0.0.1.evil:7777", 421}, {"localhost", 421},      {"localhost.:7777", 421},     {"0.0.0.0:7777", 421},
    {"[::1]:7777", 421},          {"127.0.0.2:7777", 421}, {"user@127.0.0.1:7777", 421}, {"127.0.0.1:7777 ", 421}};
const std::vector<Choice> origins = {{"", 0},
                                     {"http://127.0.0.1:7777", 0},
                                     {"http://localhost:7777", 0},
                                     {"null", 403},
                                     {"https://127.0.0.1:7777", 403},
                                     {"http://127.0.0.1", 403},
                                     {"http://127.0.0.1:7778", 403},
                                     {"http://evil.example", 403},
                                     {"http://127.0.0.1:7777.evil.example", 403},
                                     {"file://", 403}};
const std::vector<Choice> tokens = {{"Bearer " + token, 0},
                                    {"bearer " + token, 0},
                                    {"", 401},
                                    {"Bearer ", 401},
                                    {token, 401},
                                    {"Basic " + token, 401},
                                    {"Bearer " + std::string(63, 'a'), 401},
                                    {"Bearer " + std::string(63, 'a') + "b", 401},
                                    {"Bearer b" + std::string(63, 'a'), 401},
                                    {"Bearer " + token + "a", 401}};
const std::vector<std::pair<std::string, std::string>> routes = {{"GET", "/memory/search"},
                                                                 {"GET", "/memory/context"},
                                                                 {"GET", "/memory/recent"},
                                                                 {"GET", "/memory/sessions"},
                                                                 {"GET", "/memory/sessions/x"},
                                                                 {"GET", "/memory/entries"},
                                                                 {"GET", "/memory/entries/x"},
                                                                 {"GET", "/memory/status"},
                                                                 {"GET", "/memory/export"},
                                                                 {"GET", "/memory/used"},
                                                                 {"POST", "/memory/entries"},
                                                                 {"PATCH", "/memory/entries/x"},
                                                                 {"POST", "/memory/reindex"},
                                                                 {"GET", "/healthz"},
                                                                 {"DELETE", "/memory/entries/x"},
                                                                 {"GET", "/metrics"},
                                                                 {"HEAD", "/healthz"},
                                                                 {"OPTIONS", "/memory/search"},
                                                                 {"GET", "/"},
                                                                 {"GET", "/no/such/route"}};

TEST(Guard, OverTcpOnlyARightHostAndOriginAndTokenPassWhateverTheRoute) {
  size_t passed = 0;
  for (const auto& [method, path] : routes)
    for (const Choice& host : hosts)
      for (const Choice& origin : origins)
        for (const Choice& authorization : tokens) {
          HttpRequest request;
          request.method = method;
          request.path = path;
          request.host = host.value;
          request.origin = origin.value;
          request.authorization = authorization.value;
          const int expected = host.status ? host.status : origin.status ? origin.status : authorization.status;
          ASSERT_EQ(verdict(guard(), request), expected)
              << method << ' ' << path << " Host '" << host.value << "' Origin '" << origin.value << "' " << authorization.value;
          passed += expected == 0;
        }
  EXPECT_EQ(passed, routes.size() * 3 * 3 * 2);
}

TEST(Guard, OnTheUnixSocketNeitherHostNorTokenMatterButAnOriginIsRefused) {
  for (const auto& [method, path] : routes)
    for (const Choice& host : hosts)
      for (const Choice& origin : origins)
        for (const Choice& authorization : tokens) {
          HttpRequest request;
          request.local = true;
          request.method = method;
          request.path = path;
          request.host = host.value;
          request.origin = origin.value;
          request.authorization = authorization.value;
          const int expected = host.value.empty() ? 400 : origin.value.empty() ? 0 : 403;
          ASSERT_EQ(verdict(guard(), request), expected) << method << ' ' << path << ' ' << host.value << ' ' << origin.value;
        }
}

TEST(Guard, WithoutATokenOfItsOwnNobodyPassesOverTcp) {
  HttpGuard without = guard();
  without.token.clear();
  HttpRequest request = good_request();
  for (const char* authorization : {"", "Bearer", "Bearer "}) {
    request.authorization = authorization;
    EXPECT_EQ(verdict(without, request), 401);
  }
}

TEST(Guard, TheUsualPortMayBeLeftOut) {
  HttpRequest request = good_request();
  request.host = "[::1]";
  request.origin = "http://[::1]";
  EXPECT_EQ(verdict({token, 80, "[::1]"}, request), 0);
  EXPECT_EQ(verdict({token, 8080, "[::1]"}, request), 421);
}

TEST(Guard, ABodyHasToBeJsonAndOfLimitedSize) {
  HttpRequest request = good_request();
  request.method = "POST";
  for (const auto& [type, status] : std::vector<std::pair<std::string, int>>{{"application/json", 0},
                                                                             {"Application/JSON; charset=utf-8", 0},
                                                                             {"application/json ;x", 0},
                                                                             {"", 415},
                                                                             {"text/plain", 415},
                                                                             {"application/jsonx", 415},
                                                                             {"application/x-www-form-urlencoded", 415}}) {
    request.content_type = type;
    request.body = "{}";
    EXPECT_EQ(verdict(guard(), request), status) << type;
  }
  request.content_type = "application/json";
  request.body.assign(max_request_body, ' ');
  EXPECT_EQ(verdict(guard(), request), 0);
  request.body += ' ';
  EXPECT_EQ(verdict(guard(), request), 413);
}

TEST(Guard, ARefusalIsAnErrorShapeAndDoesNotTellTheToken) {
  HttpRequest request = good_request();
  request.authorization = "Bearer x";
  const auto refused = guard().refuse(request);
  ASSERT_TRUE(refused);
  EXPECT_TRUE(parse_json(refused->body)->find("error")->find("message"));
  EXPECT_EQ(refused->headers.at("WWW-Authenticate"), "Bearer");
  EXPECT_EQ(refused->body.find(token), std::string::npos);
}

TEST(Token, IsDifferentEveryTime) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string made = make_token();
    EXPECT_EQ(made.size(), 64U);
    EXPECT_EQ(made.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_TRUE(seen.insert(made).second);
  }
}

TEST(Token, IsMadeOnceAndReadByItsOwnerAlone) {
  const TemporaryFolder folder;
  const path file = folder / "config/token";
  const auto made = read_or_make_token(real_file_system(), file);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->size(), 64U);
  EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0600));
  EXPECT_EQ(*read_or_make_token(real_file_system(), file), *made);
}

TEST(Token, ThatOthersMayReadIsRefused) {
  const TemporaryFolder folder;
  folder.write("token", token + "\n");
  const path file = folder / "token";
  for (const auto mode : {0640, 0604, 0644, 0620}) {
    std::filesystem::permissions(file, std::filesystem::perms(mode));
    const auto read = read_or_make_token(real_file_system(), file);
    ASSERT_FALSE(read) << mode;
    EXPECT_EQ(read.error().code, ErrorCode::refused);
  }
  std::filesystem::permissions(file, std::filesystem::perms(0600));
  EXPECT_EQ(*read_or_make_token(real_file_system(), file), token);
}

TEST(Token, ThatIsNoneIsRefusedAndLeftAsItIs) {
  const TemporaryFolder folder;
  for (const std::string& bytes : {std::string(), std::string(63, 'a'), std::string(64, 'x'), std::string(65, 'a')}) {
    folder.write("token", bytes);
    std::filesystem::permissions(folder / "token", std::filesystem::perms(0600));
    EXPECT_FALSE(read_or_make_token(real_file_system(), folder / "token"));
    EXPECT_EQ(folder.read("token"), bytes);
  }
}

}  // namespace
}  // namespace loci
