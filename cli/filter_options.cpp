#include "cli/filter_options.h"

#include <algorithm>

namespace loci::cli {

EntryFilter filter_from(const Arguments& arguments) {
  EntryFilter filter;
  for (const std::string& layer : arguments.all("--layer")) filter.layers.push_back(*layer_from(layer));
  for (const std::string& source : arguments.all("--source")) filter.sources.push_back(*source_from(source));
  for (const std::string& kind : arguments.all("--kind")) filter.kinds.push_back(*kind_from(kind));
  filter.tags = arguments.all("--tag");
  filter.project = arguments.text("--project");
  filter.session = arguments.text("--session");
  filter.since = parse_time(arguments.text("--since"));
  filter.until = parse_time_end(arguments.text("--until"));
  return filter;
}

size_t limit_from(const Arguments& arguments, size_t otherwise) {
  constexpr std::int64_t most = 1'000'000;
  const auto given = arguments.number("--limit");
  return given ? static_cast<size_t>(std::min(*given, most)) : otherwise;
}

}  // namespace loci::cli
