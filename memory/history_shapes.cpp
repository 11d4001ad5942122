#include "memory/history_shapes.h"

namespace loci {
namespace {

Json tombstone_to_json(const Tombstone& tombstone) {
  Json value = Json::object();
  value.add_unchecked("at", format_rfc3339(tombstone.at));
  value.add_unchecked("id", tombstone.id);
  value.add_unchecked("reason", name_of(tombstone.reason));
  value.add_unchecked("by", tombstone.by);
  value.add_unchecked("superseded_by", tombstone.superseded_by.empty() ? Json() : Json(tombstone.superseded_by));
  return value;
}

Json settled_to_json(const LedgerEntry& line) {
  Json value = Json::object();
  value.add_unchecked("at", format_rfc3339(line.at));
  value.add_unchecked("fact", line.fact);
  value.add_unchecked("outcome", name_of(line.outcome));
  value.add_unchecked("entry", line.entry.empty() ? Json() : Json(line.entry));
  value.add_unchecked("into", line.into.empty() ? Json() : Json(line.into));
  return value;
}

}  // namespace

Json former_states_to_json(const std::vector<FormerState>& states) {
  Json values = Json::array();
  for (const FormerState& state : states) values.push_back(Json::Object{{"day", state.day}, {"text", state.text}});
  return values;
}

Json history_to_json(const EntryHistory& history, const RecallCounts* recalls) {
  Json value = versioned();
  value.add_unchecked("entry", entry_to_json(history.entry, recalls));
  value.add_unchecked("replaces", entries_to_json(history.older, recalls));
  value.add_unchecked("replaced_by", entries_to_json(history.newer, recalls));
  value.add_unchecked("said_before", former_states_to_json(history.former));
  value.add_unchecked("rests_on", entries_to_json(history.facts, recalls));
  Json tombstones = Json::array();
  for (const Tombstone& tombstone : history.tombstones) tombstones.push_back(tombstone_to_json(tombstone));
  value.add_unchecked("tombstones", std::move(tombstones));
  Json settled = Json::array();
  for (const LedgerEntry& line : history.settled) settled.push_back(settled_to_json(line));
  value.add_unchecked("settled", std::move(settled));
  return value;
}

}  // namespace loci
