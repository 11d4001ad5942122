// What an agent was given in a session, in <state>/context/, one file of JSON lines a session:
//
//   {"session","block","lines":[{"text","ref"?}]}    the system block, with the lines of user.md and MEMORY.md that stand in it
//   {"given":{"ID":"HASH"}}                          what a message block said, in the order of the messages
//
// Another line with a block starts anew. Appended without a sync: losing it costs an agent's provider a cache, and nobody a memory.
// Sessions that were not used for `recall.retrieval_log_days` are removed. Any process may append at once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "vault/layout/vault.h"
#include "vault/purge/store.h"

namespace loci {

struct KeptLine {
  std::string text;  // as in a prompt, not escaped
  std::string ref;   // the entry that a line of the core shows; empty for any other
};

using GivenHashes = std::map<std::string, std::string>;  // hash by id

struct KeptSession {
  std::string block;  // empty: none was given
  std::vector<KeptLine> lines;
  std::vector<GivenHashes> given;  // since the block
};

// What cannot be read was not given.
KeptSession read_kept_session(const Vault& vault, const std::string& session);
Status keep_block(const Vault& vault, const std::string& session, const std::string& block, const std::vector<KeptLine>& lines);
Status keep_given(const Vault& vault, const std::string& session, const GivenHashes& given);

extern const Store kept_session_store;

}  // namespace loci
