#include "memory/lost_appends.h"

#include "indexer/index_reader.h"

namespace loci {

Result<RestoredTails> bring_back_lost_appends(const Vault& vault, const std::function<Status()>& take_in_everything) {
  return restore_archive_tails(vault, [&](const std::vector<std::string>& ids) -> Result<Places> {
    TRY(take_in_everything());
    auto reader = TRY(IndexReader::open(vault.state_folder()));
    Places places;
    for (const std::string& id : ids) {
      const auto found = TRY(reader.find(id));
      for (const Entry& entry : found)
        for (const EntryPlace& place : entry.places)
          if (entry.id == id) places[id].push_back(place.file);
    }
    return places;
  });
}

}  // namespace loci
