#include "http/server.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cstring>
#include <filesystem>
#include <future>
#include <thread>

#include "tests/http/server_fixture.h"

namespace loci {
namespace {

using namespace std::chrono_literals;

std::string text_of(const HttpResponse& response, std::string_view key) {
  const auto json = parse_json(response.body);
  const Json* value = json ? json->find(key) : nullptr;
  return value && value->as_string() ? *value->as_string() : std::string();
}

TEST_F(ServerTest, HandsOverARequestAndItsResponseBack) {
  start(options());
  const auto response = ask("POST", "/memory/entries/a%20b?q=x+y", R"({"text":"é"})");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(text_of(response, "method"), "POST");
  EXPECT_EQ(text_of(response, "path"), "/memory/entries/a b");
  EXPECT_EQ(text_of(response, "body"), R"({"text":"é"})");
  const auto json = parse_json(response.body).value();
  EXPECT_EQ(*json.find("query")->find("q")->as_string(), "x y");
  EXPECT_TRUE(*json.find("local")->as_bool());
  EXPECT_TRUE(*json.find("cli")->as_bool());
  EXPECT_EQ(response.headers.at("Cache-Control"), "no-store");
  EXPECT_EQ(response.headers.at("X-Content-Type-Options"), "nosniff");
}

TEST_F(ServerTest, ListensOnLoopbackTcpWhenAskedTo) {
  auto wanted = options();
  wanted.listen = "127.0.0.1:0";
  start(std::move(wanted));
  ASSERT_GT(server->tcp_port(), 0);
  RawClient caller = RawClient::on_loopback(server->tcp_port());
  ASSERT_TRUE(caller.send("GET /x HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Loci-Client: cli\r\n\r\n"));
  const std::string response = caller.read_response();
  EXPECT_EQ(status_of(response), 200);
  EXPECT_NE(response.find(R"("local":false,"cli":false)"), std::string::npos) << "only the unix socket tells the command line";
}

TEST_F(ServerTest, AnAddressThatOthersCanReachIsRefusedUnlessSpelledOut) {
  for (const char* address : {"0.0.0.0:0", "[::]:0", "192.0.2.1:80"}) {
    auto wanted = options();
    wanted.listen = address;
    const auto started = HttpServer::start(std::move(wanted), echo);
    ASSERT_FALSE(started) << address;
    EXPECT_EQ(started.error().code, ErrorCode::refused);
    EXPECT_FALSE(std::filesystem::exists(socket));
  }
}

TEST_F(ServerTest, AnImpossibleAddressIsAUsageError) {
  for (const char* address : {"", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:70000", "127.0.0.1:-1", "127.0.0.1:1x",
                              "example.org:80", "[127.0.0.1]:80", "::1:80", "[::1:80", "127.1:80"}) {
    auto wanted = options();
    wanted.listen = address;
    if (wanted.listen.empty()) continue;
    const auto started = HttpServer::start(std::move(wanted), echo);
    ASSERT_FALSE(started) << address;
    EXPECT_EQ(started.error().code, ErrorCode::usage) << address;
  }
}

TEST_F(ServerTest, TheSocketIsItsOwnersAloneAndGoesWithTheServer) {
  const mode_t before = ::umask(0);
  start(options());
  ::umask(before);
  struct stat status{};
  ASSERT_EQ(::stat(socket.c_str(), &status), 0);
  EXPECT_TRUE(S_ISSOCK(status.st_mode));
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  server.reset();
  EXPECT_FALSE(std::filesystem::exists(socket));
}

TEST_F(ServerTest, ASocketThatNobodyListensOnIsReplaced) {
  start(options());
  const path left_over = folder / "left-over.sock";
  std::filesystem::create_hard_link(socket, left_over);
  server.reset();
  std::filesystem::rename(left_over, socket);
  start(options());
  EXPECT_EQ(ask("GET", "/").status, 200);
}

TEST_F(ServerTest, ASocketThatAnswersIsNotTakenOver) {
  start(options());
  const auto second = HttpServer::start(options(), echo);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::refused);
  EXPECT_NE(second.error().message.find(socket.string()), std::string::npos);
  EXPECT_EQ(ask("GET", "/").status, 200);
}

TEST_F(ServerTest, AFileInTheWayIsLeftAlone) {
  folder.write("run/loci/vault.sock", "a person's");
  const auto started = HttpServer::start(options(), echo);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::refused);
  EXPECT_EQ(folder.read("run/loci/vault.sock"), "a person's");
}

TEST_F(ServerTest, AnotherServersSocketUnderTheNameIsNotRemovedAtTheEnd) {
  start(options());
  std::filesystem::rename(socket, folder / "moved.sock");
  folder.write("run/loci/vault.sock", "new");
  server.reset();
  EXPECT_EQ(folder.read("run/loci/vault.sock"), "new");
}

TEST_F(ServerTest, ANameThatIsTooLongForASocketAddressWorks) {
  socket = folder / std::string(100, 'd') / std::string(100, 'e') / "vault.sock";
  start(options());
  EXPECT_EQ(ask("GET", "/").status, 200);
  server.reset();
  EXPECT_FALSE(std::filesystem::exists(socket));
}

TEST_F(ServerTest, AnInheritedSocketIsListenedOnAndItsNameKept) {
  start(options());
  // What systemd hands over: a descriptor of a socket that it made.
  auto handed = HttpOptions{};
  server.reset();
  const path name = folder / "systemd.sock";
  Fd listening(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, name.c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(listening.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(listening.get(), 10), 0);
  handed.inherited = std::move(listening);
  handed.socket = name;
  start(std::move(handed));
  socket = name;
  EXPECT_EQ(ask("GET", "/").status, 200);
  server.reset();
  EXPECT_TRUE(std::filesystem::exists(name));
}

TEST_F(ServerTest, AConnectionServesManyRequestsAlsoPipelined) {
  start(options());
  RawClient caller = client();
  std::string requests;
  for (int i = 0; i < 50; ++i) requests += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: x\r\n\r\n";
  ASSERT_TRUE(caller.send(requests));
  for (int i = 0; i < 50; ++i)
    EXPECT_NE(caller.read_response().find("\"path\":\"/" + std::to_string(i) + "\""), std::string::npos) << i;
  EXPECT_EQ(server->counters().connections, 1U);
  EXPECT_EQ(server->counters().requests, 50U);
}

TEST_F(ServerTest, ClosesWhenTheCallerWantsItClosed) {
  start(options());
  for (const char* request : {"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\nHost: x\r\n\r\n"}) {
    RawClient caller = client();
    ASSERT_TRUE(caller.send(request));
    EXPECT_EQ(status_of(caller.read_response()), 200);
    EXPECT_TRUE(caller.is_closed());
  }
}

TEST_F(ServerTest, HeadIsAnsweredWithHeadersAlone) {
  start(options());
  RawClient caller = client();
  ASSERT_TRUE(caller.send("HEAD /x HTTP/1.1\r\nHost: x\r\n\r\nGET /y HTTP/1.1\r\nHost: x\r\n\r\n"));
  const std::string headers = caller.read_headers();
  EXPECT_EQ(status_of(headers), 200);
  EXPECT_EQ(headers.find("Content-Length: 0"), std::string::npos);
  EXPECT_NE(caller.read_response().find("\"path\":\"/y\""), std::string::npos);
}

TEST_F(ServerTest, WhatIsNoHttpGets400AndIsClosed) {
  start(options());
  for (const char* request :
       {"hello\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/9.9\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: nine\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"}) {
    RawClient caller = client();
    ASSERT_TRUE(caller.send(request));
    EXPECT_EQ(status_of(caller.read_response()), 400) << request;
  }
  EXPECT_EQ(server->counters().requests, 0U);
}

TEST_F(ServerTest, ABodyInACodingThatIsNotUnderstoodIsNotTakenForTheNextRequest) {
  start(options());
  for (const char* coding : {"gzip", "xchunked", "gzip, chunked", "chunked, chunked", "chunked, identity", "identity"}) {
    RawClient caller = client();
    ASSERT_TRUE(caller.send("POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: " + std::string(coding) +
                            "\r\n\r\nDELETE /y HTTP/1.1\r\nHost: x\r\n\r\n"));
    EXPECT_GE(status_of(caller.read_response()), 400) << coding;
    EXPECT_TRUE(caller.is_closed()) << coding;
  }
  EXPECT_EQ(server->counters().requests, 0U);
}

TEST_F(ServerTest, ABadTargetGets400AndTheConnectionGoesOn) {
  start(options());
  RawClient caller = client();
  for (const char* target : {"/%zz", "/a%00", "/%ff", "*", "http://x/", "/x?q=a&q=b"}) {
    ASSERT_TRUE(caller.send("GET " + std::string(target) + " HTTP/1.1\r\nHost: x\r\n\r\n"));
    EXPECT_EQ(status_of(caller.read_response()), 400) << target;
  }
  ASSERT_TRUE(caller.send("GET /x HTTP/1.1\r\nHost: x\r\n\r\n"));
  EXPECT_EQ(status_of(caller.read_response()), 200);
}

TEST_F(ServerTest, HeadersOfMoreThan16KiBGet431) {
  start(options());
  RawClient caller = client();
  ASSERT_TRUE(caller.send("GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(20'000, 'x')));
  EXPECT_EQ(status_of(caller.read_response()), 431);
  EXPECT_TRUE(caller.is_closed());
}

TEST_F(ServerTest, ABodyOfOneMebibyteIsTakenAndOneMoreByteIs413HoweverItIsSent) {
  start(options(), [](const HttpRequest& request, const Respond& respond) {
    HttpResponse response;
    response.body = std::to_string(request.body.size());
    respond(response);
  });
  EXPECT_EQ(ask("POST", "/", std::string(max_request_body, ' ')).body, std::to_string(max_request_body));
  EXPECT_EQ(ask("POST", "/", std::string(max_request_body + 1, ' ')).status, 413);
  RawClient chunked = client();
  ASSERT_TRUE(chunked.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"));
  const std::string chunk = "10000\r\n" + std::string(65536, 'x') + "\r\n";
  for (int i = 0; i < 17 && chunked.send(chunk); ++i) continue;
  EXPECT_EQ(status_of(chunked.read_response()), 413);
  EXPECT_EQ(ask("GET", "/").status, 200);
}

TEST_F(ServerTest, AChunkWhoseExtensionsDoNotEndIsRefused) {
  start(options());
  RawClient caller = client();
  ASSERT_TRUE(caller.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;"));
  const std::string extension(65536, 'x');
  for (int i = 0; i < 16 && caller.send(extension); ++i) continue;
  EXPECT_EQ(status_of(caller.read_response()), 431);
}

TEST_F(ServerTest, AChunkedBodyArrivesWhole) {
  start(options());
  RawClient caller = client();
  ASSERT_TRUE(caller.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"));
  EXPECT_NE(caller.read_response().find(R"("body":"abcde")"), std::string::npos);
}

TEST_F(ServerTest, WhoeverExpects100ContinueGetsItBeforeTheBody) {
  start(options());
  RawClient caller = client();
  ASSERT_TRUE(caller.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"));
  EXPECT_EQ(status_of(caller.read_headers()), 100);
  ASSERT_TRUE(caller.send("{}"));
  EXPECT_NE(caller.read_response().find(R"("body":"{}")"), std::string::npos);
}

TEST_F(ServerTest, WhoeverExpects100ContinueForTooMuchIsRefusedAtOnce) {
  start(options());
  RawClient caller = client();
  ASSERT_TRUE(caller.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2000000\r\n\r\n"));
  EXPECT_EQ(status_of(caller.read_response()), 413);
}

TEST_F(ServerTest, WhatIsRefusedBeforeItsBodyNeverReachesTheHandler) {
  auto started = HttpServer::start(options(), echo, [](const std::string&, std::uint16_t) {
    return [](const HttpRequest& request) -> std::optional<HttpResponse> {
      if (request.authorization == "Bearer good") return std::nullopt;
      return error_response(Error{ErrorCode::refused, "no"}, 401);
    };
  });
  ASSERT_TRUE(started);
  server = std::move(*started);
  RawClient bad = client();
  ASSERT_TRUE(bad.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"));
  EXPECT_EQ(status_of(bad.read_response()), 401) << "the body was not waited for";
  RawClient good = client();
  ASSERT_TRUE(good.send("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n"));
  EXPECT_EQ(status_of(good.read_response()), 200);
  EXPECT_EQ(server->counters().requests, 1U);
  EXPECT_EQ(server->counters().refused, 1U);
}

TEST_F(ServerTest, AHandlerMayRespondLaterFromAnotherThread) {
  std::promise<Respond> handed_over;
  start(options(), [&](const HttpRequest&, Respond respond) { handed_over.set_value(std::move(respond)); });
  auto answer = std::async(std::launch::async, [&] { return ask("GET", "/"); });
  handed_over.get_future().get()(json_response(Json("late"), 201));
  EXPECT_EQ(answer.get().status, 201);
}

TEST_F(ServerTest, AHandlerThatThrowsOrForgetsToRespondIsA500) {
  start(options(), [](const HttpRequest& request, const Respond& respond) {
    if (request.path == "/throws") throw std::runtime_error("broken");
    if (request.path == "/answers") respond(json_response(Json(1)));
  });
  EXPECT_EQ(ask("GET", "/throws").status, 500);
  EXPECT_EQ(ask("GET", "/forgets").status, 500);
  EXPECT_EQ(ask("GET", "/answers").status, 200);
}

TEST_F(ServerTest, ARequestThatThereIsNoMemoryForFailsAlone) {
  start(options(), [](const HttpRequest& request, const Respond& respond) {
    if (request.path == "/large") throw std::bad_alloc();
    if (request.path == "/larger") throw std::length_error("too long");
    respond(json_response(Json(1)));
  });
  for (const char* path : {"/large", "/larger"}) {
    const auto response = ask("GET", path);
    EXPECT_EQ(response.status, 500);
    EXPECT_NE(response.body.find("not enough memory"), std::string::npos) << response.body;
    EXPECT_EQ(ask("GET", "/small").status, 200);
  }
}

TEST_F(ServerTest, OfTwoResponsesTheFirstCounts) {
  start(options(), [](const HttpRequest&, const Respond& respond) {
    respond(json_response(Json(1), 201));
    respond(json_response(Json(2), 202));
  });
  EXPECT_EQ(ask("GET", "/").status, 201);
  EXPECT_EQ(ask("GET", "/").status, 201);
}

TEST_F(ServerTest, ARequestThatDoesNotArriveInTimeIsClosed) {
  auto wanted = options();
  wanted.request_patience = 20ms;
  start(std::move(wanted));
  RawClient caller = client();
  ASSERT_TRUE(caller.send("GET / HT"));
  EXPECT_EQ(status_of(caller.read_response()), 408);
  EXPECT_TRUE(caller.is_closed());
}

TEST_F(ServerTest, AnIdleConnectionIsClosedAfterAWhile) {
  auto wanted = options();
  wanted.idle_patience = 20ms;
  start(std::move(wanted));
  RawClient caller = client();
  EXPECT_TRUE(caller.is_closed());
}

TEST_F(ServerTest, ACallerThatDoesNotReadItsResponseIsClosed) {
  auto wanted = options();
  wanted.write_patience = 50ms;
  start(std::move(wanted), [](const HttpRequest&, const Respond& respond) {
    HttpResponse large;
    large.body.assign(size_t{16} << 20, 'x');
    respond(large);
  });
  RawClient caller = client();
  ASSERT_TRUE(caller.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  EXPECT_TRUE(eventually([&] { return server->counters().requests == 1 && server->counters().open == 0; }));
}

TEST_F(ServerTest, StoppingClosesIdleConnectionsAtOnceAndLetsARunningHandlerFinish) {
  std::promise<void> may_go_on;
  std::promise<void> has_begun;
  start(options(), [&](const HttpRequest& request, const Respond& respond) {
    if (request.path == "/slow") {
      has_begun.set_value();
      may_go_on.get_future().wait();
    }
    respond(json_response(Json("done")));
  });
  RawClient idle = client();
  ASSERT_TRUE(idle.send("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n"));
  EXPECT_EQ(status_of(idle.read_response()), 200);
  RawClient slow = client();
  ASSERT_TRUE(slow.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"));
  has_begun.get_future().wait();
  std::thread stopping([&] { server->stop(10s); });
  EXPECT_TRUE(idle.is_closed());
  may_go_on.set_value();
  const std::string response = slow.read_response();
  EXPECT_EQ(status_of(response), 200);
  EXPECT_NE(response.find("Connection: close"), std::string::npos);
  stopping.join();
  EXPECT_EQ(server->counters().open, 0U);
}

TEST_F(ServerTest, AResponseAfterTheEndOfTheServerGoesNowhere) {
  std::promise<Respond> handed_over;
  start(options(), [&](const HttpRequest&, Respond respond) { handed_over.set_value(std::move(respond)); });
  RawClient caller = client();
  ASSERT_TRUE(caller.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  Respond respond = handed_over.get_future().get();
  server->stop(0ms);
  server.reset();
  EXPECT_TRUE(caller.is_closed());
  respond(json_response(Json("late")));
}

TEST_F(ServerTest, APongTellsThatTheMovingThreadGoesRound) {
  start(options());
  const auto before = server->pongs();
  server->ping();
  EXPECT_TRUE(eventually([&] { return server->pongs() > before; }));
}

}  // namespace
}  // namespace loci
