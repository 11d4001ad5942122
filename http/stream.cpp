#include "http/stream.h"

namespace loci {

struct HttpStreamState {
  struct Waiting {
    std::string text;
    HttpBody::Goes goes = HttpBody::Goes::on;
    bool is_read = true;  // somebody still takes it
    std::function<void()> wake;
  };
  Synchronized<Waiting> waiting;

  // Adds, or ends, and wakes whoever sends.
  template <typename Change>
  void change(Change change) {
    std::function<void()> wake;
    waiting.change([&](Waiting& now) {
      change(now);
      wake = now.wake;
    });
    if (wake) wake();
  }
};

HttpStream::~HttpStream() {
  if (state_)
    state_->change([](auto& now) {
      if (now.goes == HttpBody::Goes::on) now.goes = HttpBody::Goes::cut_off;
    });
}

bool HttpStream::write(std::string_view text) {
  const bool is_read = state_->waiting.wait(
      std::chrono::steady_clock::now() + patience, [](const auto& now) { return !now.is_read || now.text.size() < most_waiting; },
      [](const auto& now) { return now.is_read && now.text.size() < most_waiting; });
  if (is_read) state_->change([&](auto& now) { now.text += text; });
  return is_read;
}

bool HttpStream::offer(std::string_view text) {
  bool is_taken = false;
  state_->change([&](auto& now) {
    is_taken = now.is_read && now.text.size() < most_waiting;
    if (is_taken) now.text += text;
  });
  return is_taken;
}

void HttpStream::finish() {
  state_->change([](auto& now) { now.goes = HttpBody::Goes::finished; });
}

HttpBody::~HttpBody() {
  state_->waiting.change([](auto& now) {
    now.is_read = false;
    now.text.clear();
    now.wake = {};
  });
}

std::string HttpBody::take(Goes& goes) {
  std::string text;
  state_->waiting.change([&](auto& now) {
    text = std::exchange(now.text, {});
    goes = now.goes;
  });
  return text;
}

void HttpBody::wake_by(std::function<void()> wake) {
  state_->waiting.with([&](auto& now) { now.wake = std::move(wake); });
}

std::string HttpBody::rest() {
  std::string all;
  while (true) {
    const bool is_over = state_->waiting.wait(
        std::nullopt, [](const auto& now) { return !now.text.empty() || now.goes != Goes::on; },
        [](const auto& now) { return now.text.empty(); });
    if (is_over) return all;
    Goes goes{};
    all += take(goes);
  }
}

std::pair<HttpStream, std::shared_ptr<HttpBody>> make_http_stream() {
  auto state = std::make_shared<HttpStreamState>();
  auto body = std::make_shared<HttpBody>(state);
  return {HttpStream(std::move(state)), std::move(body)};
}

}  // namespace loci
