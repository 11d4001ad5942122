#include "memory/successor.h"

#include <algorithm>

#include "base/hash.h"
#include "memory/removal.h"
#include "memory/removed_entries.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "parser/text_hash.h"

namespace loci {
namespace {

constexpr size_t consolidated_id_digits = 20;

}  // namespace

Metadata inherited(const Entry& entry) {
  Metadata metadata;
  metadata.project = entry.project;
  metadata.task = entry.task;
  metadata.tags = entry.tags;
  metadata.category = entry.category;
  metadata.about = entry.about;
  metadata.session = entry.session;
  metadata.turn = entry.turn;
  return metadata;
}

Metadata successor_metadata(const Entry& old, const Appended& fact, const Author& author) {
  Metadata metadata = inherited(old);
  metadata.session.clear();
  metadata.turn.reset();
  metadata.id = "c-" + hex(as_bytes(sha256(fact.id)), consolidated_id_digits);
  metadata.source = author.source;
  metadata.first_seen = old.first_seen;
  metadata.updated = utc_date(fact.at);
  metadata.sources = {utc_date(fact.at)};
  metadata.from = {fact.id};
  return metadata;
}

LedgerEntry settled_by(const Vault& vault, const Chronicle& chronicle, const Appended& fact, const Metadata& successor) {
  LedgerEntry line;
  line.generation = std::max<std::int64_t>(chronicle.generation(), 1);
  line.run = "correct-" + fact.id;
  line.at = next_ledger_time(vault, chronicle);
  line.fact = fact.id;
  line.fact_hash = fact.hash;
  line.outcome = LedgerEntry::Outcome::replaced;
  line.entry = successor.id;
  line.entry_hash = fact.hash;
  return line;
}

Result<std::string> with_successor(const Vault& vault, const Entry& old, std::string_view bytes, const Metadata& metadata,
                                   const std::string& text) {
  const ParsedFile parsed = parse(bytes);
  const auto entry = std::ranges::find(parsed.entries, old.id, &ParsedEntry::id);
  if (entry == parsed.entries.end()) return fail(ErrorCode::not_found, "'" + old.id + "' is no longer there");
  if (entry->hash != old.hash) return fail(ErrorCode::refused, "somebody has just changed it there");
  const std::string markdown(bytes.substr(entry->begin, entry->end - entry->begin));
  if (auto kept = keep_removed_entry(vault, {{}, old.id, old.places.front().file, markdown}); !kept)
    return std::unexpected(kept.error());
  return replace_entry(bytes, old.id, metadata, text);
}

Tombstone retired(const Entry& old, const std::string& text, Instant at, const Author& author, std::string superseded_by) {
  Tombstone tombstone = tombstone_for(old, Tombstone::Reason::corrected, at, author.by, std::move(superseded_by));
  if (normalise_loosely(old.text) == normalise_loosely(text)) tombstone.text_hash = tombstone.loose = {};
  return tombstone;
}

void note_what_stays(const Entry& old, std::vector<std::string>& notes) {
  for (const EntryPlace& place : old.places) {
    const Place kind = place_of(place.file);
    if (kind == Place::archive) continue;
    notes.push_back("the wrong text still stands in " + place.file + ":" + std::to_string(place.line) +
                    ", which is yours to edit; it is not found any more");
  }
}

void locate(Memory& memory, Corrected& corrected) {
  if (!corrected.searchable.yes) return;
  const auto found = memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(corrected.id, 1); });
  if (!found || found->empty() || found->front().places.empty()) return;
  corrected.file = found->front().places.front().file;
  corrected.line = found->front().places.front().line;
}

}  // namespace loci
