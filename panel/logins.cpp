#include "panel/logins.h"

#include <algorithm>
#include <limits>

#include "base/hash.h"
#include "base/json.h"
#include "base/log.h"
#include "http/guard.h"

namespace loci {
namespace {

constexpr size_t file_limit = size_t{64} << 10;

// Compared instead of the secret itself: how long that takes tells nothing of it.
std::string hash_of(std::string_view secret) { return hex(as_bytes(sha256(secret)), 64); }

}  // namespace

Logins::Logins(FileSystem& files, path file, const Clock& clock) : files_(files), file_(std::move(file)), clock_(clock) { read(); }

void Logins::read() {
  const auto bytes = read_file_if_any(files_, file_, file_limit);
  const auto json = bytes && *bytes ? parse_json(**bytes, {.bytes = file_limit}) : Result<Json>(Json());
  if (!json) return;
  state_.with([&](State& state) {
    const auto port = json->integer_at("port");
    if (port > 0 && port <= std::numeric_limits<std::uint16_t>::max()) state.port = static_cast<std::uint16_t>(port);
    for (const Json& one : json->array_at("ended"))
      if (const std::string* hash = one.as_string(); hash && state.ended.size() < most_keys) state.ended.push_back(*hash);
    for (const Json& one : json->array_at("logins"))
      if (const auto until = parse_time(one.text_at("until")); until && *until <= clock_.now() + login_life)
        state.keys.push_back({one.text_at("cookie"), one.text_at("key"), *until, *until - login_life});
    drop_what_is_over(state);
  });
}

void Logins::write(const State& state) const {
  Json logins = Json::array();
  for (const Key& key : state.keys) {
    Json one = Json::object();
    one.add_unchecked("cookie", key.cookie);
    one.add_unchecked("key", key.hash);
    one.add_unchecked("until", format_rfc3339(key.until));
    logins.push_back(std::move(one));
  }
  Json body = Json::object(), ended = Json::array();
  for (const std::string& hash : state.ended) ended.push_back(hash);
  body.add_unchecked("port", static_cast<std::int64_t>(state.port));
  body.add_unchecked("logins", std::move(logins));
  body.add_unchecked("ended", std::move(ended));
  Status written = make_folders(files_, file_.parent_path());
  if (written) written = write_file(files_, file_, to_string(body) + '\n');
  if (!written) log_warning("the panel's logins end with this daemon: " + written.error().message);
}

template <class Is>
void Logins::end_keys(State& state, const Is& is_over) {
  for (const Key& key : state.keys)
    if (is_over(key)) state.ended.push_back(key.hash);
  std::erase_if(state.keys, is_over);
  if (state.ended.size() > most_keys) state.ended.erase(state.ended.begin(), state.ended.end() - most_keys);
}

void Logins::drop_what_is_over(State& state) const {
  const Instant now = clock_.now();
  std::erase_if(state.tokens, [&](const Token& token) { return token.until <= now; });
  std::erase_if(state.keys, [](const Key& key) { return key.cookie.empty() || key.hash.empty(); });
  end_keys(state, [&](const Key& key) { return key.until <= now; });
}

std::string Logins::make_token(std::chrono::seconds life) {
  std::string token = loci::make_token();
  state_.with([&](State& state) {
    drop_what_is_over(state);
    if (state.tokens.size() >= most_tokens) state.tokens.erase(state.tokens.begin());
    state.tokens.push_back({hash_of(token), clock_.now() + life});
  });
  return token;
}

std::optional<Logins::Login> Logins::exchange(std::string_view token, std::string_view cookie) {
  return state_.with([&](State& state) -> std::optional<Login> {
    drop_what_is_over(state);
    if (std::erase_if(state.tokens, [hash = hash_of(token)](const Token& known) { return known.hash == hash; }) == 0)
      return std::nullopt;
    const bool is_known = std::ranges::find(state.keys, hash_of(cookie), &Key::cookie) != state.keys.end();
    Login login{is_known ? std::string(cookie) : loci::make_token(), loci::make_token()};
    if (state.keys.size() >= most_keys) {
      const std::string oldest = std::ranges::min_element(state.keys, {}, &Key::used)->hash;
      end_keys(state, [&](const Key& key) { return key.hash == oldest; });
    }
    state.keys.push_back({hash_of(login.cookie), hash_of(login.key), clock_.now() + login_life, clock_.now()});
    write(state);
    return login;
  });
}

bool Logins::holds(std::string_view cookie, std::string_view key) {
  if (cookie.empty() || key.empty()) return false;
  return state_.with([&, cookie_hash = hash_of(cookie), key_hash = hash_of(key)](State& state) {
    const Instant now = clock_.now();
    for (Key& known : state.keys) {
      if (known.cookie != cookie_hash || known.hash != key_hash || known.until <= now) continue;
      known.used = now;
      return true;
    }
    return false;
  });
}

void Logins::end(std::string_view cookie) {
  state_.with([&](State& state) {
    end_keys(state, [hash = hash_of(cookie)](const Key& key) { return key.cookie == hash; });
    write(state);
  });
}

Logins::Proofs Logins::proofs(std::string_view cookie, std::string_view host, std::string_view nonce) const {
  const std::string said = std::string(host) + ' ' + std::string(nonce);
  const auto proof = [](const std::string& hash, const std::string& words) { return hex(as_bytes(hmac_sha256(hash, words)), 64); };
  return state_.with([&, hash = hash_of(cookie)](const State& state) {
    Proofs all;
    for (const std::string& ended : state.ended) all.ended.push_back(proof(ended, said + " ended"));
    for (const Key& key : state.keys) {
      if (key.until <= clock_.now())
        all.ended.push_back(proof(key.hash, said + " ended"));
      else if (key.cookie == hash)
        all.live.push_back(proof(key.hash, said));
    }
    return all;
  });
}

std::optional<Instant> Logins::open_until() const {
  return state_.with([&](const State& state) {
    std::optional<Instant> until;
    const auto look_at = [&](Instant one) {
      if (one > clock_.now() && (!until || one > *until)) until = one;
    };
    for (const Token& token : state.tokens) look_at(token.until);
    for (const Key& key : state.keys) look_at(key.until);
    return until;
  });
}

std::uint16_t Logins::port() const {
  return state_.with([](const State& state) { return state.port; });
}

void Logins::set_port(std::uint16_t port) {
  state_.with([&](State& state) {
    if (std::exchange(state.port, port) == port) return;
    state.keys.clear();
    state.ended.clear();
    write(state);
  });
}

}  // namespace loci
