#include "memory/search_log.h"

#include "vault/logs/recall_log.h"

namespace loci {

void log_search(const Memory& memory, const std::string& query, const SearchResult& result, const std::string& session) {
  Retrieval retrieval;
  retrieval.query = query;
  retrieval.session = session;
  Json scores = Json::object();
  for (const Hit& hit : result.hits) {
    retrieval.ids.push_back(hit.entry.id);
    scores.add_unchecked(hit.entry.id, hit.score);
  }
  retrieval.details.set("scores", std::move(scores));
  retrieval.details.set("confident", result.confident);
  (void)log_retrieval(memory.vault(), retrieval);
}

}  // namespace loci
