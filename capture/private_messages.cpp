#include "capture/private_messages.h"

#include <algorithm>

#include "base/hash.h"
#include "base/unicode.h"
#include "capture/turn_state.h"
#include "parser/text_hash.h"
#include "vault/logs/json_lines.h"

namespace loci {
namespace {

constexpr JsonLimits line_limits{.bytes = size_t{64} << 10, .depth = 4};

path private_file(const Vault& vault) { return turn_folder(vault) / "private.jsonl"; }

// Words are compared as an import would store them.
std::string hash_of_words(std::string_view words) { return stored_text_hash(nfc(words)); }

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos; }

}  // namespace

std::string hash_of_message(const std::string& session, const std::string& message) {
  return hex(as_bytes(sha256(session + '\0' + message)), 32);
}

Status note_private_message(const Vault& vault, const std::string& session, const std::string& message, std::string_view prompt,
                            std::optional<Instant> said_at) {
  Json line = Json::object();
  line.add_unchecked("private", hash_of_message(session, message));
  line.add_unchecked("session", hash_of_message(session, {}));
  line.add_unchecked("at", format_rfc3339(vault.clock().now()));
  if (!is_blank(prompt)) line.add_unchecked("said", hash_of_words(prompt));
  if (said_at) line.add_unchecked("said_at", format_rfc3339(*said_at));
  TRY(make_folders(vault.files(), turn_folder(vault)));
  TRY(append_json_line(vault.files(), private_file(vault), line));
  return {};
}

Result<PrivateMessages> PrivateMessages::read(const Vault& vault) {
  const auto bytes = TRY(read_file_if_any(vault.files(), private_file(vault)));
  PrivateMessages messages;
  visit_json_lines(bytes.value_or(""), line_limits, [&](int, const Json* line) {
    if (!line) return;
    messages.messages_.insert(line->text_at("private"));
    const auto at = parse_time(line->text_at("at"));
    if (at)
      messages.take({.message = line->text_at("private"),
                     .session = line->text_at("session"),
                     .words = line->text_at("said"),
                     .exactly = parse_time(line->text_at("said_at"))},
                    *at);
  });
  return messages;
}

// Hooks are called twice, and again when the turn is over: that is one message, said before the turn's end. Of other words a
// transcript that lags behind may tell then.
void PrivateMessages::take(Said said, Instant noted_at) {
  const auto last = std::find_if(said_.rbegin(), said_.rend(), [&](const Said& one) { return one.session == said.session; });
  if (last != said_.rend()) {
    const bool is_same = last->message == said.message && (said.words.empty() || said.exactly || said.words == last->words);
    if (is_same && said.words == last->words && said.exactly) last->exactly = said.exactly;
    const bool is_told_twice = is_same && !said.words.empty() && !said.exactly;
    if (!last->before && !is_told_twice) last->before = noted_at;
    if (is_same) {
      last->latest = noted_at;
      return;
    }
    said.after = last->latest;
  }
  said.latest = noted_at;
  said_.push_back(std::move(said));
}

bool PrivateMessages::has(const std::string& session, const std::string& message) const {
  return messages_.contains(hash_of_message(session, message));
}

bool PrivateMessages::was_said(std::string_view prompt, Instant at,
                               const std::function<bool(std::string_view session_hash)>& is_paused) const {
  if (said_.empty() || is_blank(prompt)) return false;
  const std::string words = hash_of_words(prompt);
  return std::ranges::any_of(said_, [&](const Said& said) {
    if (said.words != words) return false;
    if (said.exactly) return *said.exactly == at;
    return (!said.after || *said.after <= at) && (!said.before || at <= *said.before) && is_paused(said.session);
  });
}

}  // namespace loci
