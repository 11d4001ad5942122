#include "model/model_use.h"

#include <algorithm>
#include <chrono>

#include "base/json.h"

namespace loci {
namespace {

constexpr const char* file_name = "model-use.json";
constexpr size_t longest_file = 64 * 1'024;
constexpr std::chrono::milliseconds first_rest = std::chrono::hours(1), longest_rest = std::chrono::hours(24);

ModelUse from_json(const Json& json, const std::string& today) {
  ModelUse use;
  use.day = today;
  if (json.text_at("day") == today)
    use.today = {static_cast<std::int64_t>(json.count_at("input")), static_cast<std::int64_t>(json.count_at("output"))};
  use.failed_runs = static_cast<int>(std::min<size_t>(json.count_at("failed_runs"), 1'000));
  use.put_off_until = parse_time(json.text_at("put_off_until"));
  use.last_error = json.text_at("last_error");
  return use;
}

std::chrono::milliseconds rest_after(int failed_runs) {
  // Past five doublings it is longer than a day.
  return std::min(first_rest * (1 << std::clamp(failed_runs - breaker_opens_after, 0, 5)), longest_rest);
}

}  // namespace

std::optional<Instant> ModelUse::resting_until(Instant now) const {
  const bool rests = put_off_until && now < *put_off_until && *put_off_until - now <= longest_rest;
  return rests ? put_off_until : std::nullopt;
}

ModelUse read_model_use(FileSystem& files, const path& state_folder, const std::string& today) {
  ModelUse nothing;
  nothing.day = today;
  const auto bytes = read_file_if_any(files, state_folder / file_name, longest_file);
  if (!bytes || !*bytes) return nothing;
  const auto json = parse_json(**bytes);
  return json ? from_json(*json, today) : nothing;
}

TokenUse tokens_of_day(FileSystem& files, const path& state_folder, const std::string& today) {
  TokenUse all = read_model_use(files, state_folder, today).today;
  const TokenUse captured = read_model_use(files, capture_use_folder(state_folder), today).today;
  all.input += captured.input;
  all.output += captured.output;
  return all;
}

std::int64_t tokens_spent(FileSystem& files, const path& state_folder, const std::string& today) {
  return tokens_of_day(files, state_folder, today).total();
}

Status write_model_use(FileSystem& files, const path& state_folder, const ModelUse& use) {
  Json json = Json::Object{
      {"v", 1}, {"day", use.day}, {"input", use.today.input}, {"output", use.today.output}, {"failed_runs", use.failed_runs}};
  if (use.put_off_until) json.set("put_off_until", format_rfc3339(*use.put_off_until));
  if (!use.last_error.empty()) json.set("last_error", use.last_error);
  return write_file(files, state_folder / file_name, to_string(json) + "\n");
}

ModelUse after_good_run(ModelUse use) {
  use.failed_runs = 0;
  use.put_off_until.reset();
  use.last_error.clear();
  return use;
}

ModelUse after_failed_run(ModelUse use, const Error& error, std::optional<Instant> retry_at, Instant now) {
  ++use.failed_runs;
  use.last_error = error.message;
  std::optional<Instant> until = retry_at ? std::optional(std::min(*retry_at, now + longest_rest)) : std::nullopt;
  if (use.failed_runs >= breaker_opens_after) until = std::max(until.value_or(now), now + rest_after(use.failed_runs));
  use.put_off_until = until;
  return use;
}

}  // namespace loci
