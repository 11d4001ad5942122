#include "daemon/housekeeper.h"

#include <algorithm>

#include "base/log.h"
#include "vault/displaced.h"
#include "vault/layout.h"
#include "vault/recovery.h"

namespace loci {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds consider_after{1'000};
constexpr milliseconds retry_after{60'000};

SteadyTime in_steady_time(Instant at, Instant now) { return steady_clock::now() + std::max(at - now, milliseconds(1)); }

void tell_of_conflicts(const std::vector<std::string>& files) {
  for (const std::string& file : files) log_warning("a save that lost against another one stands in " + file);
}

}  // namespace

Housekeeper::Housekeeper(const Vault& vault, WriteQueue& writes)
    : vault_(vault), writes_(writes), recovery_due_(steady_clock::now()) {}

void Housekeeper::looked_at(const std::vector<std::string>& files) {
  const bool is_first = shared_.with([&](Shared& shared) {
    shared.files.insert(files.begin(), files.end());
    if (shared.due) return false;
    shared.due = steady_clock::now() + consider_after;
    return true;
  });
  if (is_first) (void)writes_.run([](Memory&) {});  // so that its thread asks next_due() anew
}

std::optional<SteadyTime> Housekeeper::next_due() {
  auto due = shared_.with([](const Shared& shared) { return shared.due; });
  for (const auto& other : {recovery_due_, displaced_due_})
    if (other && (!due || *other < *due)) due = other;
  return due;
}

std::vector<Problem> Housekeeper::problems() {
  return shared_.with([](const Shared& shared) { return shared.problems; });
}

void Housekeeper::step() {
  const auto now = steady_clock::now();
  if (recovery_due_ && now >= *recovery_due_) recover();
  auto files = shared_.with([&](Shared& shared) {
    if (!shared.due || now < *shared.due) return std::set<std::string>{};
    shared.due.reset();
    return std::exchange(shared.files, {});
  });
  if (!files.empty())
    (void)writes_.run(
        [this, list = std::vector<std::string>(files.begin(), files.end())](Memory& memory) { consider(memory, list); });
  if (displaced_due_ && now >= *displaced_due_) look_at_displaced();
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
  look_at_displaced();
}

void Housekeeper::consider(Memory&, const std::vector<std::string>& files) {
  restore_tails(files);
  // Whatever changed a file may have been a replace of ours, which keeps what it displaced.
  const auto first_look = steady_clock::now() + displaced_first_look + consider_after;
  displaced_due_ = displaced_due_ ? std::min(*displaced_due_, first_look) : first_look;
}

void Housekeeper::restore_tails(const std::vector<std::string>&) {}

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
