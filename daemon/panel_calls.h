// The panel's own routes as functions of a request and a memory: what each reads or changes.
#pragma once

#include <string>

#include "base/json.h"
#include "http/message.h"
#include "memory/memory.h"
#include "vault/logs/recall_log.h"

namespace loci {

struct PanelCall {
  const HttpRequest& request;
  std::string id;  // what stands in the place of "{id}"
  const RecallCounts* recalls = nullptr;
};

// What reads.
Result<Json> panel_history(const PanelCall& call,
                           Memory& memory);  // of an entry: history_to_json, "in_core", "may_edit", "may_tag"
Result<Json> panel_recalls(const PanelCall& call,
                           Memory& memory);  // {"v":1,"days":[{"day","times"}],"latest":[{"at","query","session"}]}
Result<Json> panel_still_says(const PanelCall& call, Memory& memory);  // {"v":1,"entries":[entry]}: other ones, nearly the same
// {"v":1,"entries":[entry]}: what was recalled and counts, of ?layer=, most often first, at most some hundreds
Result<Json> panel_recalled(const PanelCall& call, Memory& memory);
Result<Json> panel_values(const PanelCall& call, Memory& memory);  // {"v":1,"tags":[…],"projects":[…]} of the entries that count

// What writes: on the write queue's thread.
Result<Json> panel_correct(const PanelCall& call, Memory& memory);  // {"text","hash"}: of the entry as it was seen
// {"instead_of"}: the hash of what counts in its place, as it was seen; whatever does if there is none
Result<Json> panel_restore(const PanelCall& call, Memory& memory);
// Into the core of MEMORY.md, or out of it: {"v":1,"id","stands","files":[…]}
Result<Json> panel_promote(const PanelCall& call, Memory& memory);
Result<Json> panel_demote(const PanelCall& call, Memory& memory);
Result<Json> panel_purge(const PanelCall& call, Memory& memory);  // {"confirm":"purge","hash"}

}  // namespace loci
