// More callers than there is room for.
#include <sys/resource.h>

#include <cstdlib>
#include <thread>

#include "base/synchronized.h"
#include "tests/http/server_fixture.h"

namespace loci {
namespace {

using namespace std::chrono_literals;

// 1,000 slow callers; 10,000 where LOCI_TEST_SCALE is 10.
size_t slow_callers() {
  const char* scale = std::getenv("LOCI_TEST_SCALE");
  return 1'000 * static_cast<size_t>(std::max(1, scale ? std::atoi(scale) : 1));
}

// As many as the limit of open files permits: both ends of a connection are in this process.
size_t permitted(size_t wanted, size_t reserve) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return std::min(wanted, static_cast<size_t>(limit.rlim_cur) - std::min<size_t>(limit.rlim_cur, reserve));
}

class CrowdTest : public ServerTest {
 protected:
  bool answers() const {
    RawClient caller = client();
    return caller.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n") && status_of(caller.read_response()) == 200;
  }
};

TEST_F(CrowdTest, SlowCallersKeepNobodyElseOut) {
  start(options());
  std::vector<RawClient> crowd;
  const size_t count = permitted(slow_callers(), 1'000);
  for (size_t i = 0; i < count; ++i) {
    crowd.push_back(client());
    ASSERT_TRUE(crowd.back().connected()) << i;
    crowd.back().send(i % 3 == 0 ? "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: " : i % 3 == 1 ? "P" : "");
    if (i % 100 == 0) {
      EXPECT_TRUE(answers()) << "beside " << i << " slow callers";
    }
  }
  EXPECT_TRUE(answers());
  EXPECT_LE(server->counters().open, 512U);
  EXPECT_GE(server->counters().evicted, count - 512);
}

TEST_F(CrowdTest, TheOneThatWaitsLongestMakesRoom) {
  auto wanted = options();
  wanted.max_connections = 3;
  start(std::move(wanted));
  RawClient first = client(), second = client(), third = client();
  for (RawClient* caller : {&first, &second, &third, &first}) {  // so the second has waited longest
    ASSERT_TRUE(caller->send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    EXPECT_EQ(status_of(caller->read_response()), 200);
  }
  EXPECT_TRUE(answers());
  EXPECT_TRUE(second.is_closed());
  ASSERT_TRUE(first.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  EXPECT_EQ(status_of(first.read_response()), 200);
}

TEST_F(CrowdTest, CallersThatDoNotReadMakeRoomToo) {
  auto wanted = options();
  wanted.max_connections = 2;
  start(std::move(wanted), [](const HttpRequest& request, const Respond& respond) {
    HttpResponse response;
    if (request.path == "/large") response.body.assign(size_t{8} << 20, 'x');
    respond(response);
  });
  std::vector<RawClient> deaf;
  for (int i = 0; i < 2; ++i) {
    deaf.push_back(client());
    ASSERT_TRUE(deaf.back().send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n"));
  }
  ASSERT_TRUE(eventually([&] { return server->counters().requests == 2; }));
  EXPECT_TRUE(answers());
}

TEST_F(CrowdTest, WhileEveryConnectionIsServedTheNextOneWaits) {
  auto wanted = options();
  wanted.max_connections = 2;
  Synchronized<std::vector<Respond>> held;
  start(std::move(wanted), [&](const HttpRequest&, Respond respond) {
    held.change([&](std::vector<Respond>& all) { all.push_back(std::move(respond)); });
  });
  std::vector<RawClient> callers;
  for (size_t i = 0; i < 3; ++i) {
    callers.push_back(client());
    ASSERT_TRUE(callers.back().send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
    ASSERT_TRUE(eventually([&] { return server->counters().requests == std::min<size_t>(i + 1, 2); }));
  }
  const auto take = [&](size_t count) {
    std::vector<Respond> taken;
    held.wait(
        std::chrono::steady_clock::now() + 10s, [&](const auto& all) { return all.size() >= count; },
        [&](auto& all) { taken.swap(all); });
    return taken;
  };
  auto two = take(2);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(server->counters().open, 2U);
  two.front()({});
  ASSERT_EQ(take(1).size(), 1U);  // and drops it, which answers it
  two.back()({});
  for (RawClient& caller : callers) EXPECT_NE(status_of(caller.read_response()), 0);
}

TEST_F(CrowdTest, WithoutDescriptorsItGoesOnOnceThereAreSome) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer looks at memory through a pipe, and takes it for damaged when it gets none";
#endif
  start(options());
  ASSERT_TRUE(answers());
  ASSERT_TRUE(eventually([&] { return server->counters().open == 0; }));  // or it would count for one of those below
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  std::vector<RawClient> waiting;
  for (int i = 0; i < 20; ++i) waiting.push_back(client());
  ASSERT_TRUE(eventually([&] { return server->counters().open == 20; }));
  RawClient late = client();
  ASSERT_TRUE(eventually([&] { return server->counters().open == 21; }));
  // accept() takes a descriptor for a moment even when nobody waits: the thread must be done with it.
  server->ping();
  ASSERT_TRUE(eventually([&] { return server->pongs() == 1; }));
  // Room for one descriptor more, which the caller takes.
  Fd lowest(::dup(0));
  const rlimit few{static_cast<rlim_t>(lowest.get()) + 1, before.rlim_max};
  lowest.reset();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  RawClient caller = client();
  const auto done = caller.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto response = caller.read_response();
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_TRUE(done);
  EXPECT_EQ(status_of(response), 200) << "an idle caller was closed to make room";
  EXPECT_GE(server->counters().evicted, 1U);
}

}  // namespace
}  // namespace loci
