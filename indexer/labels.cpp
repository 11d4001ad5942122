#include "indexer/labels.h"

#include "indexer/entry_store.h"
#include "indexer/schema.h"
#include "indexer/shelf.h"

namespace loci {
namespace {

// From one label to the next, past all the rows of each.
std::vector<std::string> labels_of(Database& database, LabelKind kind) {
  std::vector<std::string> labels;
  for (Query row(
           database,
           "WITH RECURSIVE names(label) AS (SELECT min(label) FROM labels WHERE kind = ?1 UNION ALL"
           " SELECT (SELECT min(label) FROM labels WHERE kind = ?1 AND label > names.label) FROM names WHERE label IS NOT NULL)"
           " SELECT label FROM names WHERE label IS NOT NULL AND EXISTS (SELECT 1 FROM labels JOIN entries USING (row)"
           " WHERE labels.kind = ?1 AND labels.label = names.label AND shelf < ?2)",
           static_cast<int>(kind), shelves_count / 2);
       row.next();)
    labels.emplace_back(row.text(0));
  return labels;
}

}  // namespace

Result<LabelsInUse> labels_in_use(const path& state_folder) {
  const auto known = generations(state_folder);
  if (known.empty())
    return fail(ErrorCode::not_found, "there is no index yet in " + state_folder.string(), "'loci reindex' builds it");
  auto index = TRY(open_index(known.back().file, Database::Mode::read));
  LabelsInUse labels{labels_of(index.database, LabelKind::tag), labels_of(index.database, LabelKind::project)};
  TRY(index.database.take_status());
  return labels;
}

}  // namespace loci
