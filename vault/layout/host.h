// Which machine this is, and which machines write to a vault. A machine writes only files that carry its host id, so that no two
// ever append to the same one; the first one also owns the archive's plain DATE.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "vault/layout/environment.h"
#include "vault/layout/vault.h"

namespace loci {

bool is_valid_host(std::string_view host);  // [a-z][a-z0-9]{3,15}

// $LOCI_HOST, else six characters of an id that is derived from the machine id and tells nothing about it, else of a random one
// that is kept in the state folder's parent. ErrorCode::usage for an impossible $LOCI_HOST.
Result<std::string> host_id(const Environment& environment, FileSystem& files);

// What .loci/hosts/<host>.toml says.
struct HostFile {
  std::string host;
  std::string name;  // for people
  Instant joined;
  bool claims_first = false;
};

// Every machine that has joined, by (joined, host). A file that cannot be read or understood is left out.
std::vector<HostFile> hosts_of(const Vault& vault);

// Makes .loci/ and this machine's host file, durably, before its first write. The first machine to join claims the plain
// archive names. Does nothing where the file is there. Any number of processes may call it at once.
// ErrorCode::refused if .loci leads out of the vault.
Status join_vault(const Vault& vault);

// Makes a folder of loci's own, as join_vault does: ErrorCode::refused if it is a link, because a vault that was pulled from
// somewhere must not lead writes elsewhere. Not the folders above it: a vault that was moved away, or whose disk is not mounted,
// must not come to stand at its old place again, with nothing in it but what was stored there last.
Status make_own_folder(FileSystem& files, const path& folder);
Status make_temporary_folder(const Vault& vault);

// Is this machine the one that writes archive/DATE.md? Of two machines that joined apart and both claimed it, the one with the
// smaller (joined, host).
bool is_first_host(const Vault& vault);

}  // namespace loci
