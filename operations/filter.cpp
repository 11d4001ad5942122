#include "operations/filter.h"

namespace loci {

Result<EntryFilter> filter_from(const Values& values, Instant now) {
  return filter_from(FilterValues{values.texts("layer"), values.texts("kind"), values.texts("source"), values.texts("tags"),
                                  values.text("project"), values.text("session"), values.text("since"), values.text("until"),
                                  values.text("task"), now});
}

}  // namespace loci
