#include "vault/logs/log_stores.h"

#include <algorithm>

#include "vault/purge/purge_json.h"

namespace loci {
namespace {

bool is_hash_of(const Json& line, std::string_view key, const PurgedText& text) { return text.has_hash(line.text_at(key)); }

// Of a purged entry every hash is one of what it said, then or now. The line has to have one: zeros.
void blank_hash(Json& line, std::string_view id, std::string_view hash, const PurgedText& text) {
  if (line.find(hash) && (text.has_id(line.text_at(id)) || is_hash_of(line, hash, text)))
    line.set(hash, std::string(line.text_at(hash).size(), '0'));
}

PurgedLine purge_ledger_line(Json& line, const PurgedText& text) {
  for (const char* id : {"fact", "entry", "into"})
    if (text.has_id_of_hash(line.text_at(id))) return PurgedLine::goes;
  blank_hash(line, "fact", "fact_hash", text);
  blank_hash(line, "entry", "entry_hash", text);
  if (Json::Array dropped = line.array_at("dropped"); !dropped.empty()) {
    std::erase_if(dropped, [&](const Json& ref) { return ref.as_string() && text.has_id_of_hash(*ref.as_string()); });
    line.set("dropped", std::move(dropped));
  }
  if (line.array_at("promoted").empty()) return PurgedLine::stays;
  Json::Array promoted = line.array_at("promoted");
  std::erase_if(promoted, [&](const Json& one) {
    return text.has_id(one.text_at("ref")) || text.has_id_of_hash(one.text_at("ref")) || is_hash_of(one, "line_hash", text);
  });
  line.set("promoted", std::move(promoted));
  return PurgedLine::stays;
}

// A tombstone without a hash counts whatever the text.
PurgedLine purge_tombstone(Json& line, const PurgedText& text) {
  if (text.has_id_of_hash(line.text_at("id"))) return PurgedLine::goes;
  if (text.has_id(line.text_at("id")) || is_hash_of(line, "text_hash", text))
    for (const char* hash : {"text_hash", "loose"})
      if (line.find(hash)) line.set(hash, "");
  return PurgedLine::stays;
}

// A query that found the secret, or has half of its words, may hold what is secret in it.
PurgedLine purge_retrieval(Json& line, const PurgedText& text) {
  const Json* query = line.find("query");
  const auto returned = [&](const std::string& id) { return text.has_id(id) || text.has_id_of_hash(id); };
  const bool holds = !query || !query->as_string() || std::ranges::any_of(line.texts_at("ids"), returned) ||
                     text.stands_escaped_in(to_string(line)) || text.is_said_in(*query->as_string());
  return holds ? PurgedLine::goes : PurgedLine::stays;
}

template <PurgedLine (*purge)(Json&, const PurgedText&)>
std::optional<std::string> purge_lines(std::string_view, std::string_view bytes, const PurgedText& text) {
  return purge_json_lines(bytes, text, [&](Json& line) { return purge(line, text); });
}

PurgedLine purge_counts(Json& line, const PurgedText& text) {
  purge_json(line, text);
  return PurgedLine::stays;
}

}  // namespace

constinit const Store ledger_store{"the ledger", StoreRoot::vault, ".loci/ledger/", Permissions::person,
                                   purge_lines<purge_ledger_line>};
constinit const Store tombstone_store{"the tombstones", StoreRoot::vault, ".loci/tombstones/", Permissions::person,
                                      purge_lines<purge_tombstone>};
constinit const Store recall_count_store{"the recall counts", StoreRoot::vault, ".loci/recall/", Permissions::person,
                                         purge_lines<purge_counts>};
constinit const Store retrieval_store{"the log of searches", StoreRoot::state, "retrieval/", Permissions::owner,
                                      purge_lines<purge_retrieval>};

}  // namespace loci
