#include "bench/daemon_connection.h"

#include <sys/socket.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "bench/figures.h"
#include "http/unix_socket.h"

namespace loci::bench {
namespace {

constexpr std::chrono::seconds patience{30};
constexpr std::string_view length_field = "\r\nContent-Length: ";

size_t number_at(std::string_view text, size_t place) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + place, text.data() + text.size(), number);
  if (error != std::errc()) give_up("the daemon's answer cannot be read: " + std::string(text.substr(0, 200)));
  return number;
}

std::string with_plus_signs(std::string words) {
  for (char& c : words)
    if (c == ' ') c = '+';
  return words;
}

}  // namespace

DaemonConnection::DaemonConnection(const path& socket) {
  auto connected = connect_to_unix_socket(socket, patience);
  if (!connected) give_up(connected.error().message);
  fd_ = std::move(*connected);
}

void DaemonConnection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) give_up("the daemon closed a connection");
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
}

DaemonConnection::Answer DaemonConnection::ask(const std::string& method, const std::string& target, const std::string& body) {
  std::string request = method + ' ' + target + " HTTP/1.1\r\nHost: localhost\r\n";
  if (!body.empty()) request += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  send(request + "\r\n" + body);
  constexpr size_t status_place = std::string_view("HTTP/1.1 ").size();
  while (true) {
    if (const size_t head = received_.find("\r\n\r\n"); head != std::string::npos) {
      const size_t field = received_.find(length_field);
      const size_t length = field < head ? number_at(received_, field + length_field.size()) : 0;
      const size_t end = head + 4 + length;
      if (received_.size() >= end) {
        Answer answer{static_cast<int>(number_at(received_, status_place)), received_.substr(head + 4, length)};
        received_.erase(0, end);
        return answer;
      }
    }
    char chunk[16 << 10];
    const ssize_t count = ::recv(fd_.get(), chunk, sizeof chunk, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) give_up("the daemon does not answer " + method + ' ' + target + ": " + std::strerror(errno));
    if (count == 0) give_up("the daemon closed the connection instead of answering " + method + ' ' + target);
    received_.append(chunk, static_cast<size_t>(count));
  }
}

Json DaemonConnection::search(const std::string& words, size_t limit) {
  const auto answer = ask("GET", "/memory/search?limit=" + std::to_string(limit) + "&q=" + with_plus_signs(words));
  auto found = parse_json(answer.body);
  if (answer.status != 200 || !found) give_up("a search was answered with " + std::to_string(answer.status) + ": " + answer.body);
  return std::move(*found);
}

bool DaemonConnection::add(const std::string& text) {
  const auto answer = ask("POST", "/memory/entries", "{\"text\":\"" + text + "\"}");
  if (answer.status != 201) give_up("an addition was answered with " + std::to_string(answer.status) + ": " + answer.body);
  return answer.body.find("\"searchable\":true") != std::string::npos;
}

bool has_hits(const Json& search) {
  const Json* hits = search.find("hits");
  return hits && hits->as_array() && !hits->as_array()->empty();
}

bool is_fresh(const Json& search) {
  const Json* index = search.find("index");
  if (!index) give_up("an answer does not say how fresh it is");
  const Json* pending = index->find("pending_files");
  const Json* checked = index->find("checked_at");
  return pending && pending->number_or(1) == 0 && checked && checked->as_string();
}

}  // namespace loci::bench
