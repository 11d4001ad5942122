// Every combination of what a browser or a program may send, against what may pass.
#include "panel/panel_guard.h"

#include <gtest/gtest.h>

#include <vector>

namespace loci {
namespace {

constexpr const char* host = "127.0.0.1:7777";

PanelGuard guard() {
  return {host, "loci-a", [](std::string_view cookie, std::string_view key) { return cookie == "good" && key == "key"; }};
}

struct Choice {
  std::string value;
  bool passes;
};

const std::vector<Choice> hosts = {{host, true},
                                   {"", false},
                                   {"127.0.0.1", false},
                                   {"127.0.0.1:7778", false},
                                   {"localhost:7777", false},
                                   {"evil.example:7777", false},
                                   {"127.0.0.1:7777.", false},
                                   {"[::1]:7777", false}};
const std::vector<Choice> origins = {{"http://127.0.0.1:7777", true},
                                     {"null", false},
                                     {"http://127.0.0.1:7778", false},
                                     {"https://127.0.0.1:7777", false},
                                     {"http://localhost:7777", false},
                                     {"http://evil.example", false},
                                     {"http://127.0.0.1:7777.evil.example", false},
                                     {"file://", false}};
const std::vector<Choice> sites = {{"", true},           {"same-origin", true}, {"none", true},
                                   {"same-site", false}, {"cross-site", false}, {"else", false}};
const std::vector<Choice> cookies = {
    {"loci-a=good", true},   {"x=1; loci-a=good; y=2", true},    {"", false},       {"loci-a=bad", false}, {"loci-b=good", false},
    {"xloci-a=good", false}, {"loci-a=good; loci-a=bad", false}, {"loci-a=", false}};
const std::vector<Choice> keys = {{"key", true}, {"", false}, {"Key", false}, {"good", false}};

enum class May { ask_as_anybody, log_in, ask_logged_in, never };
struct Path {
  const char* path;
  May may;
};
const std::vector<Path> paths = {{"/", May::ask_as_anybody},
                                 {"/app.js", May::ask_as_anybody},
                                 {"/login", May::log_in},
                                 {"/memory/search", May::ask_logged_in},
                                 {"/memory/entries/a", May::ask_logged_in},
                                 {"/memory/events", May::ask_logged_in},
                                 {"/memory", May::never},
                                 {"/mcp", May::never},
                                 {"/hooks/stop", May::never},
                                 {"/metrics", May::never},
                                 {"/healthz", May::never},
                                 {"/panel", May::never},
                                 {"/favicon.ico", May::never}};

bool may_pass(May may, const std::string& method, bool own_site, bool has_origin, bool logged_in) {
  const bool reads = method == "GET" || method == "HEAD";
  if (may == May::never) return false;
  if (may == May::ask_as_anybody) return reads;
  if (may == May::log_in) return method == "POST" && own_site && has_origin;
  return own_site && logged_in && (reads || has_origin);
}

HttpRequest request_to(const std::string& path, const std::string& method) {
  HttpRequest request;
  request.path = path;
  request.method = method;
  request.host = host;
  request.origin = "http://127.0.0.1:7777";
  request.cookie = "loci-a=good";
  request.panel_key = "key";
  return request;
}

// One wrong value of each kind is enough where all are combined; the others are looked at one by one.
std::vector<Choice> first_ones(const std::vector<Choice>& all, size_t count) {
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

struct Combination {
  std::string method;
  Choice host, origin, site, cookie, key;
};

void check(const Path& path, const Combination& one) {
  HttpRequest request = request_to(path.path, one.method);
  request.host = one.host.value;
  request.origin = one.origin.value;
  request.fetch_site = one.site.value;
  request.cookie = one.cookie.value;
  request.panel_key = one.key.value;
  const bool expected =
      one.host.passes && one.origin.passes &&
      may_pass(path.may, one.method, one.site.passes, !one.origin.value.empty(), one.cookie.passes && one.key.passes);
  const auto refused = guard().refuse(request);
  ASSERT_EQ(!refused, expected) << one.method << ' ' << path.path << " host '" << one.host.value << "' origin '" << one.origin.value
                                << "' site '" << one.site.value << "' cookie '" << one.cookie.value << "' key '" << one.key.value
                                << "'";
}

TEST(PanelGuard, EveryCombinationOfHostOriginSiteCookieKeyAndRouteIsDecidedByTheTable) {
  auto some_origins = first_ones(origins, 3);
  some_origins.push_back({"", true});
  size_t rows = 0;
  for (const auto& path : paths)
    for (const char* method : {"GET", "HEAD", "POST", "PATCH", "DELETE", "PUT", "OPTIONS"})
      for (const auto& one_host : first_ones(hosts, 3))
        for (const auto& origin : some_origins)
          for (const auto& site : first_ones(sites, 4))
            for (const auto& cookie : first_ones(cookies, 4))
              for (const auto& key : first_ones(keys, 2)) {
                ASSERT_NO_FATAL_FAILURE(check(path, {method, one_host, origin, site, cookie, key}));
                ++rows;
              }
  EXPECT_EQ(rows, paths.size() * 7 * 3 * 4 * 4 * 4 * 2);
}

TEST(PanelGuard, EachWrongValueAloneIsEnoughToRefuse) {
  const Combination good{"POST", hosts[0], origins[0], sites[0], cookies[0], keys[0]};
  const auto vary = [&](Choice Combination::* part, const std::vector<Choice>& choices) {
    for (const Choice& choice : choices)
      for (const auto& path : paths) {
        Combination one = good;
        one.*part = choice;
        check(path, one);
      }
  };
  vary(&Combination::host, hosts);
  vary(&Combination::origin, origins);
  vary(&Combination::site, sites);
  vary(&Combination::cookie, cookies);
  vary(&Combination::key, keys);
}

TEST(PanelGuard, ABearerTokenOpensNothingHere) {
  HttpRequest request = request_to("/memory/search", "GET");
  request.cookie.clear();
  request.authorization = "Bearer " + std::string(64, 'a');
  EXPECT_EQ(guard().refuse(request)->status, 401);
}

TEST(PanelGuard, ABodyIsJson) {
  HttpRequest request = request_to("/memory/entries", "POST");
  request.body = "{}";
  for (const char* type : {"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx"}) {
    request.content_type = type;
    EXPECT_EQ(guard().refuse(request)->status, 415) << type;
  }
  request.content_type = "application/json";
  EXPECT_FALSE(guard().refuse(request));
}

TEST(PanelGuard, ARefusalSaysNothingOfTheMemory) {
  HttpRequest request = request_to("/memory/entries/secret-id", "GET");
  request.cookie.clear();
  EXPECT_FALSE(guard().refuse(request)->body.contains("secret-id"));
}

}  // namespace
}  // namespace loci
