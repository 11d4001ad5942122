#include "daemon/listening.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "base/log.h"
#include "http/guard.h"
#include "vault/layout/socket_path.h"

namespace loci {
namespace {

// The one that the user's configuration names, else a credential of the service, else one that is made in the state folder.
path token_file(const Vault& vault, const Environment& environment) {
  if (const auto& named = vault.config().http.token_file; !named.empty()) return named;
  const path credential = environment.credentials / "http-token";
  std::error_code error;
  if (!environment.credentials.empty() && std::filesystem::exists(credential, error)) return credential;
  return vault.state_folder() / "http-token";
}

// Whoever has other variables finds it there: the kernel's lists of sockets and locks leave some out while others come and go.
void leave_word_of(const Vault& vault, const path& socket) {
  const path word = socket_in_state(vault);
  std::error_code error;
  if (word == socket) {  // it is to be made there, where an earlier daemon may have left its word
    if (std::filesystem::is_symlink(word, error)) std::filesystem::remove(word, error);
    return;
  }
  path made = word;
  made += ".new";
  std::filesystem::remove(made, error);
  std::filesystem::create_symlink(socket, made, error);
  if (!error) std::filesystem::rename(made, word, error);
  if (error) log_warning("commands of another environment may not find the daemon: " + word.string() + ": " + error.message());
}

}  // namespace

Result<Listening> listening_of(const Vault& vault, const Environment& environment, Fd inherited) {
  const auto& config = vault.config().http;
  Listening listening;
  HttpOptions& http = listening.http;
  http.socket = daemon_socket(vault, environment);
  TRY(make_folders(vault.files(), http.socket.parent_path()));
  leave_word_of(vault, http.socket);
  http.inherited = std::move(inherited);
  http.listen = config.listen;
  http.insecure = config.insecure;
  // More than can run at once only take turns, and each wants its own view of the index when that has changed.
  http.workers = std::clamp(size_t{std::thread::hardware_concurrency()}, size_t{2}, http.workers);
  if (config.listen.empty()) return listening;
  if (auto token = read_or_make_token(vault.files(), token_file(vault, environment))) {
    listening.token = std::move(*token);
  } else {
    listening.no_tcp = std::move(token.error());
    http.listen.clear();
  }
  return listening;
}

}  // namespace loci
