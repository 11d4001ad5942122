#include "panel/logins.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/hash.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"

namespace loci {
namespace {

class LoginsTest : public testing::Test {
 protected:
  Logins open() const { return Logins(real_file_system(), folder / "state/panel.json", clock); }

  static Logins::Login enter(Logins& logins) { return logins.exchange(logins.make_token(token_life)).value(); }

  static std::string proof_of(const std::string& key, const std::string& said) {
    return hex(as_bytes(hmac_sha256(hex(as_bytes(sha256(key)), 64), said)), 64);
  }

  TemporaryFolder folder;
  ManualClock clock;
};

TEST_F(LoginsTest, ATokenBecomesALoginOnce) {
  Logins logins = open();
  const std::string token = logins.make_token(token_life);
  EXPECT_EQ(token.size(), 64U);
  const auto login = logins.exchange(token);
  ASSERT_TRUE(login);
  EXPECT_TRUE(logins.holds(login->cookie, login->key));
  EXPECT_FALSE(logins.exchange(token)) << "a token that was seen somewhere must be worth nothing";
  EXPECT_TRUE(logins.holds(login->cookie, login->key)) << "and who tries it again must not end the login";
}

TEST_F(LoginsTest, ATokenEndsWithItsTime) {
  Logins logins = open();
  const std::string at_once = logins.make_token(token_life), printed = logins.make_token(printed_token_life);
  clock.advance(token_life);
  EXPECT_FALSE(logins.exchange(at_once));
  EXPECT_TRUE(logins.exchange(printed));
}

TEST_F(LoginsTest, WhatIsNoTokenIsNoLogin) {
  Logins logins = open();
  logins.make_token(token_life);
  for (const auto& wrong : {std::string(), std::string("0"), std::string(64, '0'), std::string(10'000, 'a')})
    EXPECT_FALSE(logins.exchange(wrong)) << wrong;
}

TEST_F(LoginsTest, CookieAndKeyBelongTogether) {
  Logins logins = open();
  const auto one = enter(logins), other = enter(logins);
  EXPECT_FALSE(logins.holds(one.cookie, other.key));
  EXPECT_FALSE(logins.holds(one.key, one.cookie));
  EXPECT_FALSE(logins.holds(one.cookie, ""));
  EXPECT_FALSE(logins.holds("", one.key));
  EXPECT_TRUE(logins.holds(other.cookie, other.key));
}

TEST_F(LoginsTest, ALoginEndsAfterTwelveHours) {
  Logins logins = open();
  const auto login = enter(logins);
  clock.advance(login_life - std::chrono::milliseconds(1));
  EXPECT_TRUE(logins.holds(login.cookie, login.key));
  clock.advance(std::chrono::milliseconds(1));
  EXPECT_FALSE(logins.holds(login.cookie, login.key));
  EXPECT_FALSE(logins.open_until());
}

TEST_F(LoginsTest, LoginsOutliveTheDaemonAndTokensDoNot) {
  Logins before = open();
  before.set_port(40'123);
  const auto login = enter(before);
  const std::string token = before.make_token(printed_token_life);
  Logins after = open();
  after.set_port(40'123);
  EXPECT_TRUE(after.holds(login.cookie, login.key));
  EXPECT_EQ(after.port(), 40'123);
  EXPECT_FALSE(after.exchange(token));
}

TEST_F(LoginsTest, NoneGoesOnWhereTheOldPortIsSomebodyElses) {
  Logins before = open();
  before.set_port(40'123);
  const auto login = enter(before);
  Logins after = open();
  after.set_port(40'124);
  EXPECT_FALSE(after.holds(login.cookie, login.key));
  EXPECT_FALSE(open().holds(login.cookie, login.key));
}

TEST_F(LoginsTest, TheFileHoldsNoSecretAndIsTheOwnersAlone) {
  Logins logins = open();
  const std::string token = logins.make_token(token_life);
  const auto login = logins.exchange(token).value();
  const std::string bytes = folder.read("state/panel.json");
  for (const std::string& secret : {token, login.cookie, login.key}) EXPECT_FALSE(bytes.contains(secret));
  struct stat info{};
  ASSERT_EQ(::stat((folder / "state/panel.json").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
}

TEST_F(LoginsTest, ABrokenFileIsNoLogin) {
  for (const char* bytes : {"", "{", "[]", R"({"port":70000,"logins":[{"until":"2026-11-22"}]})",
                            R"({"logins":[{"cookie":"a","key":"b","until":"2999-01-01"}]})"}) {
    folder.write("state/panel.json", bytes);
    Logins logins = open();
    EXPECT_FALSE(logins.open_until()) << bytes;
    EXPECT_EQ(logins.port(), 0) << bytes;
  }
}

TEST_F(LoginsTest, WhoComesWithTheCookieOfALoginGetsOneMoreKeyOfIt) {
  Logins logins = open();
  const auto first = enter(logins);
  const auto second = logins.exchange(logins.make_token(token_life), first.cookie).value();
  EXPECT_EQ(second.cookie, first.cookie) << "a browser has one cookie of that name: the tab that was open must go on";
  EXPECT_NE(second.key, first.key);
  EXPECT_TRUE(logins.holds(first.cookie, first.key));
  EXPECT_TRUE(logins.holds(first.cookie, second.key));
  Logins anew = open();
  EXPECT_TRUE(anew.holds(first.cookie, first.key));
  EXPECT_TRUE(anew.holds(first.cookie, second.key));
}

TEST_F(LoginsTest, ACookieOfNoLoginIsNotTakenOver) {
  Logins logins = open();
  const auto over = enter(logins);
  clock.advance(login_life);
  for (const std::string& cookie : {over.cookie, std::string(64, 'a'), std::string("x")})
    EXPECT_NE(logins.exchange(logins.make_token(token_life), cookie)->cookie, cookie);
}

TEST_F(LoginsTest, OfOneLoginEachKeyEndsInItsTime) {
  Logins logins = open();
  const auto first = enter(logins);
  clock.advance(std::chrono::hours(1));
  const auto second = logins.exchange(logins.make_token(token_life), first.cookie).value();
  clock.advance(login_life - std::chrono::hours(1));
  EXPECT_FALSE(logins.holds(first.cookie, first.key));
  EXPECT_TRUE(logins.holds(second.cookie, second.key));
}

TEST_F(LoginsTest, OfTooManyKeysTheOneThatWasUsedLongestAgoEnds) {
  Logins logins = open();
  const auto first = enter(logins);
  clock.advance(std::chrono::minutes(1));
  const auto second = enter(logins);
  for (size_t i = 2; i < most_keys; ++i) enter(logins);
  clock.advance(std::chrono::minutes(1));
  EXPECT_TRUE(logins.holds(first.cookie, first.key)) << "used now";
  for (size_t i = 2; i < most_keys; ++i) {
    clock.advance(std::chrono::minutes(1));
    enter(logins);
    EXPECT_TRUE(logins.holds(first.cookie, first.key)) << "a tab that is in use";
  }
  EXPECT_FALSE(logins.holds(second.cookie, second.key));
}

TEST_F(LoginsTest, ALoginIsEndedWithAllItsKeysAndNoOtherOne) {
  Logins logins = open();
  const auto one = enter(logins), other = enter(logins);
  const auto another = logins.exchange(logins.make_token(token_life), one.cookie).value();
  logins.end(one.cookie);
  EXPECT_FALSE(logins.holds(one.cookie, one.key));
  EXPECT_FALSE(logins.holds(one.cookie, another.key));
  EXPECT_TRUE(logins.proofs(one.cookie, "127.0.0.1:7777", "n1").live.empty());
  EXPECT_TRUE(logins.holds(other.cookie, other.key));
  Logins anew = open();
  EXPECT_FALSE(anew.holds(one.cookie, one.key)) << "the file says so, too";
}

TEST_F(LoginsTest, OnlyWhoKnowsAKeyCanProveIt) {
  Logins logins = open();
  const auto login = enter(logins), other = enter(logins);
  const auto another = logins.exchange(logins.make_token(token_life), login.cookie).value();
  const std::vector<std::string> expected{proof_of(login.key, "127.0.0.1:7777 n1"), proof_of(another.key, "127.0.0.1:7777 n1")};
  EXPECT_EQ(logins.proofs(login.cookie, "127.0.0.1:7777", "n1").live, expected);
  EXPECT_NE(logins.proofs(login.cookie, "127.0.0.1:7778", "n1").live, expected) << "said elsewhere it must not count here";
  EXPECT_EQ(logins.proofs(other.cookie, "127.0.0.1:7777", "n1").live, std::vector{proof_of(other.key, "127.0.0.1:7777 n1")});
  EXPECT_TRUE(logins.proofs("nobody", "127.0.0.1:7777", "n1").live.empty());
}

TEST_F(LoginsTest, ThatAKeyHasEndedIsProvedToo) {
  Logins logins = open();
  const auto is_told = [&](Logins& who, const Logins::Login& login) {
    const auto told = who.proofs("", "127.0.0.1:7777", "n1").ended;
    return std::ranges::find(told, proof_of(login.key, "127.0.0.1:7777 n1 ended")) != told.end();
  };
  const auto left = enter(logins), stays = enter(logins);
  EXPECT_FALSE(is_told(logins, left));
  logins.end(left.cookie);
  EXPECT_TRUE(is_told(logins, left)) << "a browser that logged out sends no cookie any more";
  EXPECT_FALSE(is_told(logins, stays));
  Logins anew = open();
  EXPECT_TRUE(is_told(anew, left)) << "a tab may ask the next daemon";
  for (size_t i = 0; i < most_keys; ++i) enter(logins);
  EXPECT_TRUE(is_told(logins, stays)) << "it went for one more";
  const auto old = enter(logins);
  clock.advance(login_life);
  EXPECT_TRUE(is_told(logins, old));
  enter(logins);
  EXPECT_TRUE(is_told(logins, old));
  EXPECT_EQ(logins.proofs("", "127.0.0.1:7777", "n1").ended.size(), most_keys);
}

TEST_F(LoginsTest, ItIsOpenForAsLongAsSomebodyMayCome) {
  Logins logins = open();
  EXPECT_FALSE(logins.open_until());
  const std::string token = logins.make_token(token_life);
  EXPECT_EQ(logins.open_until(), clock.now() + token_life);
  const auto login = logins.exchange(token).value();
  EXPECT_EQ(logins.open_until(), clock.now() + login_life);
  logins.end(login.cookie);
  EXPECT_FALSE(logins.open_until());
}

}  // namespace
}  // namespace loci
