#include "consolidate/run_preview.h"

#include "consolidate/agenda.h"
#include "consolidate/decide_prompt.h"
#include "consolidate/promotion_material.h"
#include "consolidate/store.h"
#include "vault/layout/token_budget.h"

namespace loci {
namespace {

// As it would be if the builtin rules had added it: what a promotion after the run will see, about.
DurableEntry as_entry(const Fact& fact) {
  DurableEntry entry;
  entry.id = fact.id;
  entry.text = fact.text;
  entry.source = fact.source;
  entry.updated = fact.day;
  entry.is_private = fact.is_private;
  return entry;
}

class Preview {
 public:
  Preview(const Material& material, const LanguageModel* model, Consolidated& result)
      : material_(material), model_(model), result_(result) {}

  void add(const Cluster& cluster, bool is_asked) {
    ClusterPreview preview;
    preview.facts = ids_of(material_.facts, cluster.facts);
    preview.writable = ids_of(material_.entries, cluster.writable);
    preview.shown = ids_of(material_.entries, cluster.shown);
    if (is_asked) {
      const ModelRequest request = decide_request(material_, cluster);
      preview.prompt = request.instructions + "\n\n" + request.input;
      preview.tokens = count(request);
    }
    result_.previews.push_back(std::move(preview));
  }

  std::int64_t count(const ModelRequest& request) {
    const std::int64_t tokens = model_->tokens_to_send(request);
    ++result_.calls;
    result_.tokens += tokens;
    return tokens;
  }

 private:
  const Material& material_;
  const LanguageModel* model_;
  Consolidated& result_;
};

Result<Material> material_of(Memory& memory, bool rebuild) {
  if (!rebuild) return read_material(memory);
  auto anew = TRY(read_rebuild_material(memory));
  return std::move(anew.material);
}

}  // namespace

Status preview_run(Memory& memory, const LanguageModel* model, const ConsolidateOptions& options, Consolidated& result) {
  auto material = TRY(material_of(memory, options.rebuild));
  keep_long_texts_out(material);
  const ClusterLimits limits = cluster_limits(memory.vault());
  const Agenda agenda = make_agenda(material, model != nullptr, options.force || options.rebuild,
                                    options.rebuild ? std::set<std::string>{} : facts_in_question(memory.vault()));
  Preview preview(material, model, result);
  if (!agenda.by_rule.empty()) preview.add(cluster_of_everything(material, agenda.by_rule), false);
  if (agenda.by_model.empty()) return {};
  for (const auto& portion : portions_without_keys(material, agenda, limits)) preview.count(keys_request(material, portion));
  for (Cluster& cluster : make_clusters(material, agenda.by_model, limits))
    for (const Cluster& part : parts_that_fit(material, std::move(cluster), *model, tokens_a_day(memory.vault().config())))
      preview.add(part, true);
  const auto promotion = TRY(read_promotion_material(memory.vault()));
  std::vector<DurableEntry> entries = material.entries;
  for (const size_t index : agenda.by_model) entries.push_back(as_entry(material.facts[index]));
  preview.count(promotion_request(promotion.with(entries)));
  return {};
}

}  // namespace loci
