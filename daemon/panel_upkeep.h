// The panel's own routes about the memory as a whole: runs of consolidation, what waits for a person, user.md, settings, growth.
#pragma once

#include "daemon/panel_calls.h"

namespace loci {

// What reads.
Result<Json> panel_runs(const PanelCall& call, Memory& memory);     // {"v":1,"runs":[run]}, the latest first
Result<Json> panel_run(const PanelCall& call, Memory& memory);      // run_to_json, whole
Result<Json> panel_pending(const PanelCall& call, Memory& memory);  // {"v":1,"facts":[entry + "quarantined"]}, at most 5,000
Result<Json> panel_growth(const PanelCall& call,
                          Memory& memory);  // {"v":1,"days":[{"day","entries"}]}: stored that day, still counting
Result<Json> panel_questions(const PanelCall& call,
                             Memory& memory);  // {"v":1,"questions":[…],"corrections":[{"corrected","versions"}],
                                               //  "conflicts":[{"file","original","text","original_text"}]}
Result<Json> panel_user_file(const PanelCall& call, Memory& memory);  // {"v":1,"text","hash","is_there","used","limit","lost":[…],
                                                                      //  "core":{"used","limit","lost":[…]}}
Result<Json> panel_settings(const PanelCall& call,
                            Memory& memory);  // {"v":1,"settings":[{"key","value","origin","editable","choices"}]}

// What writes: on the write queue's thread.
Result<Json> panel_undo_run(const PanelCall& call, Memory& memory);
// {"file","answer":"keep|restore|ours|theirs"}; or an id as file. As the next one with {"again":true}: what was answered just so
// already is done, for whoever has lost the answer to it.
Result<Json> panel_answer(const PanelCall& call, Memory& memory);
// {"file","action"}: "merge" it into its original, or "remove" it. {"v":1,"file","act"}
Result<Json> panel_end_conflict(const PanelCall& call, Memory& memory);
// What a person did, or answered, by the act's id; done if it was taken back already.
Result<Json> panel_undo_act(const PanelCall& call, Memory& memory);
// {"text","hash"}: hash of what the person saw. A text of null takes the file away.
Result<Json> panel_write_user_file(const PanelCall& call, Memory& memory);
// {"key","value"}, in the vault's file; a value of null takes the key out of it. With "if", as an answer's "after", only if the
// file still says that. The settings, and {"before","after"}: what the file said of the key, as TOML, or null.
Result<Json> panel_change_setting(const PanelCall& call, Memory& memory);

}  // namespace loci
