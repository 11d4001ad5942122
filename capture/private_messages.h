// Messages that are not to be remembered, in <state>/turns/private.jsonl: told by a hash of their session and id, so that the
// answer, which comes later and alone, finds them; and by a hash of their words and the time, so that a copy of their conversation
// under another name does. No words. The file may be lost. Any thread; fails as reading and writing files does.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "vault/layout/vault.h"

namespace loci {

std::string hash_of_message(const std::string& session, const std::string& message);

// `prompt`: what was said, as a transcript has it, if that is known. `said_at`: when, if a transcript tells. A message that is
// noted once more when its turn is over was said before that.
Status note_private_message(const Vault& vault, const std::string& session, const std::string& message,
                            std::string_view prompt = {}, std::optional<Instant> said_at = {});

class PrivateMessages {
 public:
  static Result<PrivateMessages> read(const Vault& vault);

  bool has(const std::string& session, const std::string& message) const;

  // Was this said as one of them? At the instant that its transcript had; where none was seen, between what was noted of its
  // session before and after it, while `is_paused` says so of the session's hash.
  bool was_said(std::string_view prompt, Instant at, const std::function<bool(std::string_view session_hash)>& is_paused) const;

 private:
  struct Said {
    std::string message, session, words;  // hashes
    std::optional<Instant> exactly = {}, after = {}, before = {};
    Instant latest = {};  // that something was noted of it
  };

  void take(Said said, Instant noted_at);

  std::set<std::string> messages_;
  std::vector<Said> said_;
};

}  // namespace loci
