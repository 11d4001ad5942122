// Where the daemon of a vault listens: its socket, and TCP if the settings name an address, behind a token.
#pragma once

#include <optional>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "http/server.h"
#include "vault/layout/environment.h"
#include "vault/layout/vault.h"

namespace loci {

struct Listening {
  HttpOptions http;
  std::string token;            // without it nobody is served over TCP
  std::optional<Error> no_tcp;  // why http.listen is empty though the settings name an address
};

// `inherited`: the socket that systemd listens on already, if it does. Makes the token if there is none.
Result<Listening> listening_of(const Vault& vault, const Environment& environment, Fd inherited);

}  // namespace loci
