#include "memory/filter_values.h"

#include <optional>

#include "base/relative_time.h"

namespace loci {
namespace {

template <typename Value>
Status read_all(const std::vector<std::string>& names, std::optional<Value> (*read)(std::string_view), const char* what,
                const char* choices, std::vector<Value>& values) {
  for (const std::string& name : names) {
    const auto value = read(name);
    if (!value) return fail(ErrorCode::usage, "'" + name + "' is no " + what, std::string("it is one of ") + choices);
    values.push_back(*value);
  }
  return {};
}

Status read_date(const std::string& text, std::optional<Instant> (*read)(std::string_view),
                 std::optional<Instant> (*read_distance)(std::string_view, Instant), const std::optional<Instant>& now,
                 std::optional<Instant>& value) {
  if (text.empty()) return {};
  value = now ? read_distance(text, *now) : read(text);
  if (!value) return fail(ErrorCode::usage, "'" + text + "' is no date", "write " + std::string(date_examples));
  return {};
}

}  // namespace

Result<EntryFilter> filter_from(const FilterValues& values) {
  EntryFilter filter;
  Status read = read_all(values.layers, layer_from, "layer", "L0, L1, L2", filter.layers);
  if (read) read = read_all(values.kinds, kind_from, "kind", "fact, turn, session-summary, task-summary", filter.kinds);
  if (read) read = read_all(values.sources, source_from, "source", "correction, user, agent, system", filter.sources);
  if (read) read = read_date(values.since, parse_time, parse_date, values.now, filter.since);
  if (read) read = read_date(values.until, parse_time_end, parse_date_end, values.now, filter.until);
  if (!read) return std::unexpected(read.error());
  filter.tags = values.tags;
  filter.project = values.project;
  filter.session = values.session;
  filter.task = values.task;
  return filter;
}

}  // namespace loci
