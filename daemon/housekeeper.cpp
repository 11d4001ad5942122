#include "daemon/housekeeper.h"

#include <algorithm>

#include "agents/hook_session.h"
#include "agents/last_told.h"
#include "base/log.h"
#include "edits/in_question.h"
#include "memory/lost_appends.h"
#include "memory/unfinished_changes.h"
#include "vault/logs/recall_log.h"
#include "vault/rewrite/displaced.h"
#include "vault/rewrite/recovery.h"
#include "vault/rewrite/replace.h"
#include "vault/rewrite/versions.h"

namespace loci {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds consider_after{1'000};
constexpr int busy_share = 20;  // at most so much of the time, one in so many, goes into considering what changes all the time
constexpr milliseconds longest_pause{10'000};
constexpr milliseconds retry_after{60'000};
constexpr milliseconds during_git{10'000};
constexpr milliseconds tails_every{60'000}, tails_retry{2'000};  // what is appended and gone before the index sees it is no change
constexpr milliseconds understand_every{60'000};
constexpr std::chrono::hours tidy_every{6};      // what was retrieved in a day is added up only once, whenever it is asked
constexpr milliseconds first_look_after{3'000};  // by then the index knows what changed while no daemon ran

SteadyTime in_steady_time(Instant at, Instant now) { return steady_clock::now() + std::max(at - now, milliseconds(1)); }

void tell_of_conflicts(const std::vector<std::string>& files) {
  for (const std::string& file : files) log_warning("a save that lost against another one stands in " + file);
}

}  // namespace

Housekeeper::Housekeeper(const Vault& vault, WriteQueue& writes)
    : vault_(vault),
      writes_(writes),
      recovery_due_(steady_clock::now()),
      edits_due_(steady_clock::now() + first_look_after),
      tidy_due_(steady_clock::now() + first_look_after),
      tails_due_(steady_clock::now() + first_look_after) {}

void Housekeeper::looked_at(const std::vector<std::string>& files) {
  const bool is_first = shared_.with([&](Shared& shared) {
    shared.files.insert(files.begin(), files.end());
    if (shared.due) return false;
    shared.due = steady_clock::now() + consider_after + shared.pause;
    return true;
  });
  const bool concerns_core = std::ranges::any_of(
      files, [](const std::string& file) { return place_of(file) == Place::consolidated || file.starts_with(".loci/"); });
  if (concerns_core)
    (void)writes_.run([this](Memory& memory) { follow_entries(memory); });
  else if (is_first)
    (void)writes_.run([](Memory&) {});  // so that its thread asks next_due() anew
}

std::optional<SteadyTime> Housekeeper::next_due() {
  auto due = shared_.with([](const Shared& shared) { return shared.due; });
  for (const auto& other : {recovery_due_, displaced_due_, edits_due_, tidy_due_, tails_due_})
    if (other && (!due || *other < *due)) due = other;
  return due;
}

std::vector<Problem> Housekeeper::problems() {
  return shared_.with([](const Shared& shared) {
    std::vector<Problem> problems;
    if (!shared.can_replace)
      problems.push_back(
          {"", 0, "no-exchange",
           "the file system of the vault cannot exchange two files in one step: nothing is rewritten, only added to"});
    return problems;
  });
}

void Housekeeper::step() {
  const auto now = steady_clock::now();
  if (recovery_due_ && now >= *recovery_due_) recover();
  if (displaced_due_ && now >= *displaced_due_) look_at_displaced();
  if (tidy_due_ && now >= *tidy_due_) tidy();
  if (tails_due_ && now >= *tails_due_) {
    tails_due_.reset();
    (void)writes_.run([this](Memory& memory) { restore_tails(memory); });
  }
  const bool looks_at_all = edits_due_ && now >= *edits_due_;
  auto files = shared_.with([&](Shared& shared) {
    if (!shared.due || now < *shared.due) return std::set<std::string>{};
    shared.due.reset();
    return std::exchange(shared.files, {});
  });
  if (files.empty() && !looks_at_all) return;
  edits_due_.reset();
  (void)writes_.run(
      [this, list = std::vector<std::string>(files.begin(), files.end())](Memory& memory) { consider(memory, list); });
}

void Housekeeper::recover() {
  recovery_due_.reset();
  const auto recovery = recover_writes(vault_);
  if (!recovery) {
    recovery_due_ = steady_clock::now() + retry_after;  // git may be in the middle of something
    log_warning("what an unfinished write left cannot be put in order: " + recovery.error().message);
  } else {
    for (const std::string& file : recovery->put_back) log_notice("put a person's save back into " + file);
    tell_of_conflicts(recovery->conflict_files);
  }
  (void)writes_.run([this](Memory& memory) { finish_changes(memory); });
  look_at_displaced();
  const bool can_replace = can_exchange(vault_);
  shared_.with([&](Shared& shared) { shared.can_replace = can_replace; });
}

void Housekeeper::finish_changes(Memory& memory) {
  if (!is_on_its_branch()) return;
  const auto finished = finish_unfinished_changes(memory);
  const auto now = steady_clock::now();
  if (!finished) {
    log_warning("changes that were cut short cannot be finished: " + finished.error().message);
    recovery_due_ = now + retry_after;
    return;
  }
  for (const std::string& file : finished->files) log_notice("finished a change of " + file + " that was cut short");
  if (!finished->still_to_do.empty()) recovery_due_ = now + during_git;
}

// On another branch the files say what was: what is written there would be in the way back.
bool Housekeeper::is_on_its_branch() const {
  const auto why_not = why_nothing_is_decided(vault_);
  return why_not && why_not->empty();
}

void Housekeeper::follow_entries(Memory& memory) {
  if (const auto followed = follow_entries_in_core(memory); !followed)
    log_warning("the lines of MEMORY.md cannot follow their entries: " + followed.error().message);
}

void Housekeeper::consider(Memory& memory, const std::vector<std::string>& files) {
  const auto began = steady_clock::now();
  restore_tails(memory);
  finish_changes(memory);
  understand_edits(memory, files);
  follow_entries(memory);
  // Whatever changed a file may have been a replace of ours, which keeps what it displaced.
  const auto first_look = steady_clock::now() + displaced_first_look + consider_after;
  if (!files.empty()) displaced_due_ = displaced_due_ ? std::min(*displaced_due_, first_look) : first_look;
  shared_.with([&](Shared& shared) {
    shared.pause = std::min<steady_clock::duration>((steady_clock::now() - began) * busy_share, longest_pause);
  });
}

void Housekeeper::restore_tails(Memory& memory) {
  const auto restored = bring_back_lost_appends(vault_, [&]() -> Status {
    TRY(memory.take_in({}));
    return {};
  });
  tails_due_ = steady_clock::now() + (restored && !restored->is_open ? tails_every : tails_retry);
  const std::string trouble = restored ? std::string() : restored.error().message;
  if (!trouble.empty() && trouble != tails_trouble_) log_warning("what was cut off the archive cannot be put back: " + trouble);
  tails_trouble_ = trouble;
  if (!restored || restored->ids.empty()) return;
  for (const std::string& file : restored->files)
    log_notice("what was cut off the archive, by an old buffer or git, stands in " + file + " again");
}

void Housekeeper::understand_edits(Memory& memory, const std::vector<std::string>& files) {
  const auto understood = files.empty() ? understand(memory) : understand(memory, files);
  if (!understood) {
    log_warning("what edits by hand mean cannot be told: " + understood.error().message);
    edits_due_ = steady_clock::now() + retry_after;
    return;
  }
  for (const std::string& id : understood->deleted) log_notice("a person deleted " + id);
  for (const std::string& id : understood->demoted) log_notice("a person took " + id + " out of MEMORY.md");
  for (const std::string& id : understood->corrected) log_notice("a person corrected " + id + " in MEMORY.md");
  for (const std::string& file : understood->put_back)
    log_notice("an old buffer was saved as " + file + "; what was written since stands there again");
  edits_due_ = steady_clock::now() + std::min(understood->again_in.value_or(understand_every), understand_every);
}

void Housekeeper::tidy() {
  tidy_due_ = steady_clock::now() + tidy_every;
  if (const auto pruned = prune_versions_but_asked(vault_); !pruned)
    log_warning("old versions of files stay: " + pruned.error().message);
  if (const auto folded = fold_recall_log(vault_); !folded)
    log_warning("what was retrieved cannot be added up: " + folded.error().message);
  prune_hook_notes(vault_);
  prune_last_told(vault_);
}

void Housekeeper::look_at_displaced() {
  const auto report = check_displaced(vault_);
  displaced_due_.reset();
  if (!report) {
    log_warning("displaced files cannot be looked at: " + report.error().message);
    displaced_due_ = steady_clock::now() + retry_after;
    return;
  }
  tell_of_conflicts(report->conflict_files);
  if (report->next) displaced_due_ = in_steady_time(*report->next, vault_.clock().now());
}

}  // namespace loci
