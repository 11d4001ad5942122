#include "cli/filter_options.h"

#include <algorithm>

namespace loci::cli {

EntryFilter filter_from(const Arguments& arguments, Instant now) {
  const FilterValues values{arguments.all("--layer"),    arguments.all("--kind"),
                            arguments.all("--source"),   arguments.all("--tag"),
                            arguments.text("--project"), arguments.text("--session"),
                            arguments.text("--since"),   arguments.text("--until"),
                            arguments.text("--task"),    now};
  return loci::filter_from(values).value();
}

Result<size_t> limit_from(const Arguments& arguments, size_t otherwise, size_t most) {
  const auto given = arguments.number("--limit");
  if (given == 0) return fail(ErrorCode::usage, "--limit: '0' is not a whole number from 1 up");
  return given ? std::min(static_cast<size_t>(*given), most) : otherwise;
}

}  // namespace loci::cli
