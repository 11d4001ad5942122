#include "cli/filter_options.h"

#include <algorithm>

#include "memory/filter_values.h"

namespace loci::cli {

EntryFilter filter_from(const Arguments& arguments) {
  const FilterValues values{arguments.all("--layer"),  arguments.all("--kind"),     arguments.all("--source"),
                            arguments.all("--tag"),    arguments.text("--project"), arguments.text("--session"),
                            arguments.text("--since"), arguments.text("--until")};
  return loci::filter_from(values).value();
}

size_t limit_from(const Arguments& arguments, size_t otherwise) {
  constexpr std::int64_t most = 1'000'000;
  const auto given = arguments.number("--limit");
  return given ? static_cast<size_t>(std::min(*given, most)) : otherwise;
}

}  // namespace loci::cli
