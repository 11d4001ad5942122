#include "memory/export.h"

#include "memory/json_shapes.h"
#include "memory/metadata_of.h"
#include "parser/writer.h"

namespace loci {
namespace {

constexpr size_t page = 1000;

}  // namespace

Status for_each_entry(Memory& memory, const std::function<bool(const Entry&)>& take) {
  std::string after;
  while (true) {
    const auto entries =
        memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(EntryFilter{}, page, after); });
    if (!entries) return std::unexpected(entries.error());
    for (const Entry& entry : *entries)
      if (!take(entry)) return {};
    if (entries->size() < page) return {};
    after = entries->back().id;
  }
}

Json entry_to_export(const Entry& entry) {
  Json out = entry_to_json(entry);
  out.set("confidence", entry.confidence ? Json(*entry.confidence) : Json());  // a default is no statement
  out.set("category", entry.category.empty() ? Json() : Json(entry.category));
  out.set("about", entry.about);
  out.set("corrects", entry.corrects.empty() ? Json() : Json(entry.corrects));
  return out;
}

Result<std::string> entry_to_markdown(const Entry& entry) { return write_entry(metadata_of(entry), entry.text); }

}  // namespace loci
