// Who may use the panel: tokens that are used once, and logins that they were exchanged for.
//
// A token (256 bits) stands in the fragment of an address, which no browser sends; the page posts it and gets a cookie and a key
// (256 bits each). Both are needed: a browser sends a cookie to every port of the machine, and the key is the page's alone. A
// browser has one cookie of a name, so who comes with the cookie of a login gets one more key of that login: the tabs that are open
// go on. Only their SHA-256 are kept, so logins can stand in a file (0600) and outlive a daemon that starts anew; tokens are in
// memory only.
//
// Any thread. A file that cannot be read is no login; one that cannot be written costs the next start its logins, nothing else.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/synchronized.h"

namespace loci {

inline constexpr std::chrono::seconds token_life{60}, printed_token_life{300};
inline constexpr std::chrono::hours login_life{12};
inline constexpr size_t most_keys = 16;    // of all logins; for one more goes the one that was used longest ago
inline constexpr size_t most_tokens = 16;  // the oldest goes for one more
inline constexpr const char* logins_file_name = "panel.json";
// What a browser is given to open: it leads to the address with the token, which no command line shows then.
inline constexpr const char* panel_address_name = "panel.html";

class Logins {
 public:
  // Reads `file`, if it is there.
  Logins(FileSystem& files, path file, const Clock& clock);

  // 64 hex digits, good for one exchange within `life`.
  std::string make_token(std::chrono::seconds life);

  struct Login {
    std::string cookie, key;  // 64 hex digits each
  };
  // None if the token is unknown, was used or is too old. With the cookie of a login the new key is that login's, and its cookie
  // stays.
  std::optional<Login> exchange(std::string_view token, std::string_view cookie = {});
  // Whether that key is one of that cookie's login; it was used then.
  bool holds(std::string_view cookie, std::string_view key);
  void end(std::string_view cookie);  // the login, with all its keys

  // What only who knows a key can say: HMAC-SHA-256 of "HOST NONCE" under the key's hash (its 64 hex digits). A page asks for it
  // before it sends its key to whom it has not listened to since: meanwhile another user of this machine may have taken the port.
  // Nor does it believe anybody else that its login has ended, which is said by "HOST NONCE ended".
  struct Proofs {
    std::vector<std::string> live;   // of each key of that cookie's login
    std::vector<std::string> ended;  // of the last keys that ended, whoever had them: a browser that logs out has no cookie then
  };
  Proofs proofs(std::string_view cookie, std::string_view host, std::string_view nonce) const;

  // Until when somebody may come: the last login or token that still counts; none if there is none.
  std::optional<Instant> open_until() const;

  // The port of last time, so that a page that waits finds the daemon again; 0 if there was none.
  std::uint16_t port() const;
  // Of another port than before no login goes on: somebody may have the old one, and what a browser keeps for it. A page is of one
  // port anyway.
  void set_port(std::uint16_t port);

 private:
  struct Token {
    std::string hash;
    Instant until;
  };
  struct Key {
    std::string cookie, hash;  // the cookie's hash: of which login it is
    Instant until, used;
  };
  struct State {
    std::vector<Token> tokens;
    std::vector<Key> keys;
    std::vector<std::string> ended;  // hashes of the last keys that did, at most most_keys
    std::uint16_t port = 0;
  };

  void read();
  void write(const State& state) const;
  void drop_what_is_over(State& state) const;
  // The keys that it is true of.
  template <class Is>
  static void end_keys(State& state, const Is& is_over);

  FileSystem& files_;
  path file_;
  const Clock& clock_;
  mutable Synchronized<State> state_;
};

}  // namespace loci
