#include "consolidate/gates.h"

#include <algorithm>
#include <cmath>

#include "base/counted.h"

namespace loci {
namespace {

using std::chrono::milliseconds;

constexpr double milliseconds_an_hour = 3'600'000;
constexpr double longest_retry_hours = 24;

Instant after_hours(Instant instant, double hours) {
  return instant + milliseconds(static_cast<std::int64_t>(hours * milliseconds_an_hour));
}

std::string hours_text(double hours) {
  std::string text = std::to_string(hours);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + (text == "1" ? " hour" : " hours");
}

class Check {
 public:
  Check(const GateFacts& facts, const GateLimits& limits, bool force) : facts_(facts), limits_(limits), force_(force) {}

  GateVerdict verdict() {
    check_setting();
    check_surroundings();
    check_pending();
    if (!force_ && !facts_.is_unfinished) check_time_and_volume();
    check_model();
    if (facts_.lock_holder)
      close("lock", "another consolidation is running" + (facts_.lock_holder->empty() ? "" : ": " + *facts_.lock_holder));
    return std::move(verdict_);
  }

 private:
  void close(std::string name, std::string reason, std::optional<Instant> opens_at = {}) {
    verdict_.closed.push_back({std::move(name), std::move(reason), opens_at});
  }

  void check_setting() {
    if (!facts_.enabled) close("disabled", "[consolidation] enabled is false");
    if (facts_.is_consolidating_host) return;
    close("host", facts_.consolidating_host.empty() ? "no machine consolidates: set one with 'loci config primary HOST'"
                                                    : facts_.consolidating_host + " consolidates this vault, not this machine");
  }

  void check_surroundings() {
    if (!facts_.can_replace) close("file system", "the vault's file system cannot exchange two files, so nothing is rewritten");
    if (!facts_.unwritable.empty()) close("permissions", facts_.unwritable + " cannot be written to");
    if (facts_.rebuild_begun)
      close("rebuild", "a rebuild was begun at " + format_rfc3339(*facts_.rebuild_begun).substr(0, 16) +
                           "Z and is not done: 'loci consolidate --rebuild' goes on with it, '--rebuild --abandon' gives it up");
    if (!facts_.git_operation.empty()) close("git", "git is in the middle of something (" + facts_.git_operation + ")");
    if (!facts_.other_branch.empty()) close("git", facts_.other_branch);
  }

  void check_pending() {
    const std::int64_t waiting = facts_.pending + (force_ ? facts_.quarantined : 0);
    if (waiting == 0 && facts_.is_unfinished) return;
    if (waiting == 0 && facts_.in_question > 0) {
      const std::string what = counted(facts_.in_question, "fact is", "facts are") + " in question: ";
      close("question", what + (facts_.questions.empty() ? "entries were taken out by hand less than ten minutes ago"
                                                         : "'loci resolve' asks about " + facts_.questions));
    } else if (waiting == 0) {
      close("nothing pending", facts_.quarantined == 0 ? "every fact is settled"
                                                       : "every fact is settled but for " + std::to_string(facts_.quarantined) +
                                                             " that failed too often; --force tries them again");
    }
  }

  // A last run that lies in the future is a clock that went back, not a reason to wait.
  bool was_lately(Instant opens) const { return facts_.now < opens && *facts_.last_run <= facts_.now; }

  void check_retry() {
    const double hours = std::min(longest_retry_hours, std::exp2(std::min(facts_.failed_runs, 10) - 1));
    const Instant opens = after_hours(*facts_.last_run, hours);
    if (!was_lately(opens)) return;
    const std::string runs =
        facts_.failed_runs == 1 ? "the last run failed" : "the last " + std::to_string(facts_.failed_runs) + " runs failed";
    close("failed before", runs + "; the next try is " + hours_text(hours) + " later", opens);
  }

  void check_time_and_volume() {
    if (facts_.last_run && facts_.failed_runs > 0) return check_retry();
    if (facts_.last_run) {
      const Instant opens = after_hours(*facts_.last_run, limits_.min_hours);
      if (was_lately(opens)) close("time", "the last run was less than " + hours_text(limits_.min_hours) + " ago", opens);
    }
    if (facts_.pending >= limits_.min_facts || facts_.pending == 0) return;
    std::optional<Instant> opens;
    if (facts_.oldest_pending) opens = *facts_.oldest_pending + std::chrono::days(limits_.max_days);
    if (opens && *opens <= facts_.now) return;
    close("volume", std::to_string(facts_.pending) + " of " + std::to_string(limits_.min_facts) + " facts are pending", opens);
  }

  void check_model() {
    if (!facts_.uses_model) return;
    if (facts_.tokens_a_day > 0 && facts_.tokens_today >= facts_.tokens_a_day)
      close("budget",
            std::to_string(facts_.tokens_today) + " of " + std::to_string(facts_.tokens_a_day) + " tokens of today are spent");
    if (!force_ && facts_.put_off_until && facts_.now < *facts_.put_off_until)
      close("put off", facts_.put_off_reason.empty() ? "the model is left alone for a while" : facts_.put_off_reason,
            facts_.put_off_until);
  }

  const GateFacts& facts_;
  const GateLimits& limits_;
  const bool force_;
  GateVerdict verdict_;
};

}  // namespace

GateVerdict check_gates(const GateFacts& facts, const GateLimits& limits, bool force) {
  return Check(facts, limits, force).verdict();
}

Json gates_to_json(const GateVerdict& verdict) {
  Json closed = Json::array();
  for (const Gate& gate : verdict.closed) {
    Json one = Json::object();
    one.add_unchecked("gate", gate.name);
    one.add_unchecked("reason", gate.reason);
    one.add_unchecked("opens_at", gate.opens_at ? Json(format_rfc3339(*gate.opens_at)) : Json());
    closed.push_back(std::move(one));
  }
  Json value = Json::object();
  value.add_unchecked("open", verdict.open());
  value.add_unchecked("closed_by", std::move(closed));
  return value;
}

}  // namespace loci
