#include "http/client.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "http/unix_socket.h"
#include "tests/http/server_fixture.h"

namespace loci {
namespace {

using namespace std::chrono_literals;

class ClientTest : public ServerTest {
 protected:
  // Somebody who listens under the name, takes one caller, and answers with these bytes, or with nothing until the end of the test.
  void listen_as_stranger(std::optional<std::string> bytes) {
    std::filesystem::create_directories(socket.parent_path());
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket.c_str(), sizeof address.sun_path - 1);
    listening_ = Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(::bind(listening_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(::listen(listening_.get(), 1), 0);
    if (!bytes) return;
    stranger_ = std::jthread([this, bytes = *bytes] {
      const Fd caller(::accept(listening_.get(), nullptr, nullptr));
      char request[4096];
      (void)::recv(caller.get(), request, sizeof request, 0);
      (void)::send(caller.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    });
  }

  Result<HttpResponse> ask_stranger(std::chrono::milliseconds patience = 10s) const { return ask_daemon(socket, {}, patience); }

 private:
  Fd listening_;
  std::jthread stranger_;
};

ErrorCode code_of(const Result<HttpResponse>& response) { return response ? ErrorCode{} : response.error().code; }

TEST_F(ClientTest, WhereNobodyListensNothingIsFound) {
  EXPECT_EQ(code_of(ask_stranger()), ErrorCode::not_found) << "no folder";
  folder.write("run/loci/other", "");
  EXPECT_EQ(code_of(ask_stranger()), ErrorCode::not_found) << "no socket";
  folder.write("run/loci/vault.sock", "a file");
  EXPECT_EQ(code_of(ask_stranger()), ErrorCode::not_found) << "no socket but a file";
  std::filesystem::remove(socket);
  start(options());
  std::filesystem::rename(socket, folder / "run/loci/kept");
  server.reset();
  std::filesystem::rename(folder / "run/loci/kept", socket);
  EXPECT_EQ(code_of(ask_stranger()), ErrorCode::not_found) << "a socket that is left over";
}

TEST_F(ClientTest, InAFolderOfAnotherUserNobodyIsAskedAndNobodyListens) {
  start(options());
  const path place = socket.parent_path();
  EXPECT_TRUE(check_socket_folder(place, ::geteuid()));
  EXPECT_TRUE(check_socket_folder("/", 4242)) << "root's are trusted";
  if (::geteuid() != 0) {
    EXPECT_EQ(check_socket_folder(place, 4242).error().code, ErrorCode::refused);
  } else {
    ASSERT_EQ(::chown(place.c_str(), 4242, 4242), 0);
    EXPECT_EQ(code_of(ask_stranger()), ErrorCode::refused) << "another user's";
    ASSERT_EQ(::chown(place.c_str(), 0, 0), 0);
  }
  std::filesystem::permissions(place, std::filesystem::perms::all);
  EXPECT_EQ(code_of(ask_stranger()), ErrorCode::refused) << "everybody may put a socket there";
  server.reset();
  EXPECT_EQ(listen_on_unix_socket(socket).error().code, ErrorCode::refused);
  EXPECT_EQ(check_socket_folder(place / "none", 0).error().code, ErrorCode::not_found);
}

TEST_F(ClientTest, WhoeverDoesNotAnswerInTimeIsARemoteFailure) {
  listen_as_stranger(std::nullopt);
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(code_of(ask_stranger(50ms)), ErrorCode::remote);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 9s);
}

TEST_F(ClientTest, AnAnswerThatIsNoneIsARemoteFailure) {
  for (const char* answer : {"", "hello\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", "HTTP/1.1 200 OK\r\nCont",
                             "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"}) {
    std::filesystem::remove(socket);
    listen_as_stranger(answer);
    EXPECT_EQ(code_of(ask_stranger()), ErrorCode::remote) << answer;
  }
}

TEST_F(ClientTest, AnAnswerWithoutALengthEndsWithTheConnection) {
  listen_as_stranger("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nwhole");
  const auto response = ask_stranger();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body, "whole");
}

TEST_F(ClientTest, AnErrorComesBackAsItWasMade) {
  const Error made{ErrorCode::locked, "the index is busy", "wait", "archive/x.md", 7};
  start(options(), [&](const HttpRequest&, const Respond& respond) { respond(error_response(made)); });
  const auto response = ask("GET", "/");
  EXPECT_EQ(response.status, 503);
  const Error read = error_of(response);
  EXPECT_EQ(read.code, made.code);
  EXPECT_EQ(read.message, made.message);
  EXPECT_EQ(read.hint, made.hint);
  EXPECT_EQ(read.file, made.file);
  EXPECT_EQ(read.line, made.line);
}

TEST_F(ClientTest, EveryCodeHasAStatusAndComesBack) {
  for (const auto& [code, status] : std::map<ErrorCode, int>{{ErrorCode::failed, 500},
                                                             {ErrorCode::usage, 400},
                                                             {ErrorCode::not_found, 404},
                                                             {ErrorCode::locked, 503},
                                                             {ErrorCode::refused, 409},
                                                             {ErrorCode::remote, 502}}) {
    const auto response = error_response(Error{code, "x"});
    EXPECT_EQ(response.status, status);
    EXPECT_EQ(error_of(response).code, code);
  }
  HttpResponse foreign;
  foreign.status = 502;
  foreign.body = "<html>";
  EXPECT_EQ(error_of(foreign).code, ErrorCode::remote);
}

TEST_F(ClientTest, ALargeAnswerArrivesWhole) {
  std::string large(size_t{5} << 20, 'x');
  start(options(), [&](const HttpRequest&, const Respond& respond) { respond(HttpResponse{200, "text/plain", large, {}}); });
  EXPECT_EQ(ask("GET", "/").body, large);
  EXPECT_EQ(ask("HEAD", "/").status, 200);
}

}  // namespace
}  // namespace loci
