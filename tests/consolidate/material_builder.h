// Facts and entries in a line each, for tests of what is decided about them.
#pragma once

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "consolidate/decide/clusters.h"
#include "consolidate/decide/material.h"
#include "parser/text_hash.h"

namespace loci {

inline Fact fact_of(std::string text, Source source = Source::agent, std::vector<std::string> about = {}) {
  Fact fact;
  fact.hash = stored_text_hash(text);
  fact.text = std::move(text);
  fact.source = source;
  fact.day = "2026-11-21";
  fact.about = std::move(about);
  return fact;
}

inline DurableEntry entry_of(std::string text, Source source = Source::agent, std::vector<std::string> about = {}) {
  DurableEntry entry;
  entry.hash = stored_text_hash(text);
  entry.text = std::move(text);
  entry.source = source;
  entry.file = "consolidated/memory.md";
  entry.about = std::move(about);
  entry.first_seen = entry.updated = "2026-11-01";
  entry.sources = {"2026-11-01"};
  return entry;
}

// Ids are f0, f1, … and e0, e1, …
inline Material material_of(std::vector<Fact> facts, std::vector<DurableEntry> entries) {
  Material material;
  material.facts = std::move(facts);
  material.entries = std::move(entries);
  for (size_t i = 0; i < material.facts.size(); ++i) material.facts[i].id = "f" + std::to_string(i);
  for (size_t i = 0; i < material.entries.size(); ++i) material.entries[i].id = "e" + std::to_string(i);
  return material;
}

inline std::vector<size_t> indexes(size_t count) {
  std::vector<size_t> all(count);
  std::iota(all.begin(), all.end(), size_t{0});
  return all;
}

// Everything in one cluster, all entries writable.
inline Cluster whole(const Material& material) { return {indexes(material.facts.size()), indexes(material.entries.size()), {}}; }

}  // namespace loci
