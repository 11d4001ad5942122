// An entry of a plan while operations add to it: what it rests on, whom it belongs to, and what becomes of its metadata. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "consolidate/decide/material.h"
#include "consolidate/decide/plan.h"

namespace loci {

struct EntryDraft {
  PlannedEntry planned;
  std::map<std::string, Source> rests_on;  // the texts, by hash: of equal ones the highest trust
  std::optional<Source> own;               // of an entry that goes on; counts where there are no facts
  bool is_new = false;
  bool is_rewritten = false;
  EntryState state;
  std::optional<std::string> project;                // none yet; empty: they do not agree
  std::vector<std::pair<Source, std::string>> said;  // days, and by whom

  // One that goes on.
  static EntryDraft of(const DurableEntry& entry);

  void rest_on(const std::string& hash, Source source);
  // `ended`: what it may not name, as Material has it.
  void join(const Fact& fact, const std::vector<std::string>& ended);
  // Takes in what another entry stood for, which goes.
  void absorb(const DurableEntry& gone);
  // Works out the metadata.
  void finish();

 private:
  void belong_to(const std::string& other) { project = !project || *project == other ? other : std::string(); }
};

}  // namespace loci
