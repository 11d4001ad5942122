#include "panel/page.h"

#include <gtest/gtest.h>

#include "panel/page_bytes.h"

namespace loci {
namespace {

HttpResponse ask_for(const std::string& path, const std::string& if_none_match = {}) {
  HttpRequest request;
  request.method = "GET";
  request.path = path;
  request.if_none_match = if_none_match;
  return page_response(request);
}

TEST(Page, TheRootIsThePage) {
  const auto response = ask_for("/");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "text/html; charset=utf-8");
  EXPECT_TRUE(response.body.contains("<div id=\"app\">"));
}

TEST(Page, WhatACallerHasIsNotSentAgain) {
  const std::string etag = ask_for("/app.js").headers.at("ETag");
  EXPECT_EQ(etag.size(), 66U);
  const auto again = ask_for("/app.js", etag);
  EXPECT_EQ(again.status, 304);
  EXPECT_TRUE(again.body.empty());
  EXPECT_EQ(ask_for("/app.js", "\"old\"").status, 200);
  EXPECT_NE(ask_for("/style.css").headers.at("ETag"), etag);
}

TEST(Page, EveryFileIsGuardedByThePolicy) {
  for (const auto& [name, bytes] : page_bytes()) {
    const auto response = ask_for(name == "index.html" ? "/" : "/" + std::string(name));
    ASSERT_EQ(response.status, 200) << name;
    EXPECT_EQ(response.body, bytes) << name;
    EXPECT_TRUE(response.headers.at("Content-Security-Policy").contains("default-src 'none'")) << name;
    EXPECT_FALSE(response.headers.at("Content-Security-Policy").contains("unsafe")) << name;
    EXPECT_EQ(response.headers.at("Referrer-Policy"), "no-referrer") << name;
  }
}

TEST(Page, ItsVersionIsAHashOfItsFiles) {
  EXPECT_EQ(page_version().size(), 16U);
  EXPECT_EQ(page_version(), page_version());
}

TEST(Page, OnlyItsOwnFilesAreThere) {
  for (const char* path : {"/index.html", "/app.js/", "/../app.js", "/htm-preact.LICENSE", "/panel.json", ""}) {
    EXPECT_FALSE(is_page_file(path)) << path;
    EXPECT_EQ(ask_for(path).status, 404) << path;
  }
}

TEST(Page, NothingOfItLeadsElsewhere) {
  for (const auto& [name, bytes] : page_bytes()) {
    if (name == "htm-preact.js") continue;
    for (const std::string_view banned :
         {"innerHTML", "dangerouslySetInnerHTML", "eval(", "new Function", "document.write", "src=\"http"})
      EXPECT_FALSE(bytes.contains(banned)) << name << ": " << banned;
  }
}

}  // namespace
}  // namespace loci
