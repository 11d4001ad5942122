#include "mcp/stdio.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include "base/out_of_memory.h"
#include "base/synchronized.h"
#include "mcp/subscription.h"

namespace loci::mcp {
namespace {

constexpr size_t longest_line = size_t{4} << 20;
constexpr std::chrono::seconds look_every{1};
constexpr const char* cancel_method = "notifications/cancelled";
constexpr size_t most_waiting = 1'000;
constexpr size_t read_size = size_t{64} << 10;

// The lines of a descriptor. A line that is too long is skipped to its end, and stands for itself as one that is no JSON.
class Lines {
 public:
  explicit Lines(int fd) : fd_(fd) {}

  // False at the end.
  bool next(std::string& line) {
    line.clear();
    bool is_too_long = false;
    while (true) {
      const size_t end = pending_.find('\n', begin_);
      const size_t part = (end == std::string::npos ? pending_.size() : end) - begin_;
      is_too_long = is_too_long || line.size() + part > longest_line;
      if (!is_too_long) line.append(pending_, begin_, part);
      begin_ += part + (end == std::string::npos ? 0 : 1);
      if (end != std::string::npos) break;
      if (!fill()) return !line.empty() || is_too_long;
    }
    if (is_too_long) line = "(a line of more than " + std::to_string(longest_line) + " bytes)";
    return true;
  }

 private:
  bool fill() {
    pending_.resize(read_size);
    begin_ = 0;
    ssize_t got = 0;
    do got = ::read(fd_, pending_.data(), pending_.size());
    while (got < 0 && errno == EINTR);
    pending_.resize(got > 0 ? static_cast<size_t>(got) : 0);
    return got > 0;
  }

  int fd_;
  std::string pending_;
  size_t begin_ = 0;
};

class Connection {
 public:
  Connection(Server& server, int output) : server_(server), output_(output) {
    server_.notify_by([this](const Json& message) { send(message); });
    worker_ = std::thread([this] { work(); });
  }
  ~Connection() {
    finish();
    server_.notify_by({});
  }

  void take(const std::string& line) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) return;
    auto message = read_message(line);
    if (!message) return send(message.error());
    if (message->kind == Message::Kind::request) return post(std::move(*message));
    if (message->kind == Message::Kind::notification && message->method == cancel_method)
      if (const Json* id = message->params.find("requestId")) cancel(*id);
  }

  // What was asked is answered.
  void finish() {
    waiting_.change([](Waiting& waiting) { waiting.is_over = true; });
    if (worker_.joinable()) worker_.join();
  }

  Status written() {
    const std::lock_guard lock(output_mutex_);
    return written_;
  }

 private:
  struct Waiting {
    std::deque<Message> requests;  // and, as notifications, what ends one that is answered over time
    std::optional<Json> running;   // the id of what is being done
    bool is_cancelled = false;     // that
    bool is_over = false;          // nothing comes any more
  };

  // Who asks faster than can be answered waits.
  void post(Message request) {
    waiting_.wait(std::nullopt, [](const Waiting& waiting) { return waiting.requests.size() < most_waiting; }, [](Waiting&) {});
    waiting_.change([&](Waiting& waiting) { waiting.requests.push_back(std::move(request)); });
  }

  void cancel(const Json& id) {
    waiting_.change([&](Waiting& waiting) {
      std::erase_if(waiting.requests, [&](const Message& request) { return request.id == id; });
      if (waiting.running == id) waiting.is_cancelled = true;
      Message end;
      end.kind = Message::Kind::notification;
      end.id = id;
      waiting.requests.push_back(std::move(end));
    });
  }

  // Looks after what is listened to while nothing is asked.
  std::optional<Message> next() {
    while (has_subscriptions()) {
      const bool is_quiet = waiting_.wait(
          std::chrono::steady_clock::now() + look_every,
          [](const Waiting& waiting) { return waiting.is_over || !waiting.requests.empty(); },
          [](const Waiting& waiting) { return !waiting.is_over && waiting.requests.empty(); });
      if (!is_quiet) break;
      tell_changes();
    }
    std::optional<Message> request;
    waiting_.wait(
        std::nullopt, [](const Waiting& waiting) { return waiting.is_over || !waiting.requests.empty(); },
        [&](Waiting& waiting) {
          if (waiting.requests.empty()) return;
          request = std::move(waiting.requests.front());
          waiting.requests.pop_front();
          waiting.running = request->id;
          waiting.is_cancelled = false;
        });
    waiting_.change([](Waiting&) {});  // there is room again
    return request;
  }

  void work() {
    while (const auto request = next()) {
      if (request->kind == Message::Kind::notification) {  // of a request that is answered over time
        std::erase_if(listening_, [&](const Subscription& one) { return one.id() == request->id; });
        continue;
      }
      std::optional<Json> answer;
      const Status done = within_memory("answer the request", [&]() -> Status {
        answer = answer_to(*request);
        return {};
      });
      if (!done) answer = error_message(request->id, {RpcError::internal_error, done.error().message});
      const bool is_wanted = waiting_.with([](Waiting& waiting) {
        waiting.running.reset();
        return !waiting.is_cancelled;
      });
      if (is_wanted && answer) send(*answer);
    }
    for (const Subscription& subscription : listening_) send(subscription.ending());
  }

  // What is not over with one answer is kept here; everything else is the server's.
  std::optional<Json> answer_to(const Message& request) {
    if (request.modern && request.method == "subscriptions/listen") return listen(request);
    if (!request.modern && (request.method == "resources/subscribe" || request.method == "resources/unsubscribe"))
      return subscribe(request);
    return server_.answer(request);
  }

  std::optional<Json> listen(const Message& request) {
    if (const auto checked = check_era(request); !checked) return error_message(request.id, checked.error());
    auto subscription = Subscription::listening(request);
    if (!subscription) return error_message(request.id, subscription.error());
    subscription->begin(server_.host());
    send(subscription->acknowledgement());
    listening_.push_back(std::move(*subscription));
    return std::nullopt;
  }

  Json subscribe(const Message& request) {
    const std::string* uri = request.params.string_at("uri");
    if (!uri) return error_message(request.id, {RpcError::invalid_params, "\"uri\" is a string"});
    if (request.method == "resources/unsubscribe")
      legacy_.remove(*uri);
    else if (const auto added = legacy_.add(server_.host(), *uri); !added)
      return error_message(request.id, {RpcError::resource_not_found, "resource not found: " + *uri});
    return result_message(request.id, Json::object());
  }

  bool has_subscriptions() const {
    return legacy_.has_any() || std::ranges::any_of(listening_, [](const auto& one) { return one.has_any(); });
  }

  void tell_changes() {
    for (const Json& change : legacy_.changes(server_.host())) send(change);
    for (Subscription& subscription : listening_)
      for (const Json& change : subscription.changes(server_.host())) send(change);
  }

  void send(const Json& message) {
    const std::string line = to_string(message) + '\n';
    const std::lock_guard lock(output_mutex_);
    for (size_t sent = 0; sent < line.size() && written_;) {
      const ssize_t wrote = ::write(output_, line.data() + sent, line.size() - sent);
      if (wrote > 0) sent += static_cast<size_t>(wrote);
      if (wrote < 0 && errno != EINTR) written_ = fail_errno("write to", "standard output", errno);
    }
  }

  Server& server_;
  int output_;
  std::vector<Subscription> listening_;  // with legacy_ of the worker alone
  Subscription legacy_ = Subscription::empty();
  std::mutex output_mutex_;
  Status written_;
  Synchronized<Waiting> waiting_;
  std::thread worker_;
};

}  // namespace

Status serve_stdio(Server& server, int input, int output) {
  Connection connection(server, output);
  Lines lines(input);
  for (std::string line; connection.written() && lines.next(line);) connection.take(line);
  connection.finish();
  return connection.written();
}

}  // namespace loci::mcp
