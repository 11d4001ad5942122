// The guard in its place: what gets through to the handler, over real sockets.
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <cstring>
#include <filesystem>

#include "http/guard.h"
#include "tests/http/server_fixture.h"

namespace loci {
namespace {

class GuardedServerTest : public ServerTest {
 protected:
  void start_guarded() {
    auto wanted = options();
    wanted.listen = "localhost:0";
    auto started = HttpServer::start(std::move(wanted), echo, [this](const std::string& host, std::uint16_t port) {
      return [guard = HttpGuard{token, port, host}](const HttpRequest& request) { return guard.refuse(request); };
    });
    ASSERT_TRUE(started) << started.error().message;
    server = std::move(*started);
  }

  static std::string header(const std::string& name, const std::string& value) {
    return value.empty() ? "" : name + ": " + value + "\r\n";
  }

  const std::string token = make_token();
};

TEST_F(GuardedServerTest, OfAllCombinationsOverTcpOnlyTheRightOneGetsThrough) {
  start_guarded();
  const std::string own = "127.0.0.1:" + std::to_string(server->tcp_port());
  size_t passed = 0;
  for (const std::string& route :
       {std::string("GET /memory/search"), std::string("DELETE /memory/entries/x"), std::string("GET /healthz")})
    for (const std::string& host : {own, std::string("evil.example"), std::string("127.0.0.1:1"), std::string()})
      for (const std::string& origin : {std::string(), "http://" + own, std::string("null"), std::string("http://evil.example")})
        for (const std::string& authorization : {"Bearer " + token, "Bearer " + std::string(64, '0'), std::string()}) {
          RawClient caller = RawClient::on_loopback(server->tcp_port());
          ASSERT_TRUE(caller.send(route + " HTTP/1.1\r\n" + header("Host", host) + header("Origin", origin) +
                                  header("Authorization", authorization) + "\r\n"));
          const int expected = host.empty()                                ? 400
                               : host != own                               ? 421
                               : !origin.empty() && !origin.ends_with(own) ? 403
                               : authorization != "Bearer " + token        ? 401
                                                                           : 200;
          EXPECT_EQ(status_of(caller.read_response()), expected) << route << ' ' << host << ' ' << origin << ' ' << authorization;
          passed += expected == 200;
        }
  EXPECT_EQ(server->counters().requests, passed) << "nothing else reached the handler";
}

TEST_F(GuardedServerTest, TheUnixSocketNeedsNoTokenButTakesNoBrowser) {
  start_guarded();
  EXPECT_EQ(ask("POST", "/memory/entries", "{}").status, 200);
  RawClient browser = client();
  ASSERT_TRUE(browser.send("GET / HTTP/1.1\r\nHost: loci\r\nOrigin: http://localhost\r\n\r\n"));
  EXPECT_EQ(status_of(browser.read_response()), 403);
}

TEST_F(GuardedServerTest, ABodyThatDoesNotSayWhatItIsIsRefused) {
  start_guarded();
  RawClient caller = client();
  ASSERT_TRUE(caller.send("POST / HTTP/1.1\r\nHost: loci\r\nContent-Length: 2\r\n\r\n{}"));
  EXPECT_EQ(status_of(caller.read_response()), 415);
  ASSERT_TRUE(caller.send("POST / HTTP/1.1\r\nHost: loci\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"));
  EXPECT_EQ(status_of(caller.read_response()), 200);
  EXPECT_EQ(server->counters().requests, 1U);
}

TEST_F(GuardedServerTest, AProcessOfAnotherUserIsTurnedAwayWhateverTheSocketsMode) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  start_guarded();
  for (path open = socket; open != folder.path().parent_path(); open = open.parent_path())
    std::filesystem::permissions(open, std::filesystem::perms(0777));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, socket.c_str(), sizeof address.sun_path - 1);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {  // only system calls from here on: the other threads' locks may be held
    constexpr uid_t nobody = 65534;
    char byte = 0;
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (::setresuid(nobody, nobody, nobody) != 0) ::_exit(2);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) ::_exit(3);
    (void)::send(fd, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", 27, MSG_NOSIGNAL);
    ::_exit(::recv(fd, &byte, 1, 0) <= 0 ? 0 : 4);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(server->counters().requests, 0U);
  EXPECT_EQ(server->counters().refused, 1U);
}

}  // namespace
}  // namespace loci
