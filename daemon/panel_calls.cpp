#include "daemon/panel_calls.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "daemon/stores.h"
#include "edits/core_place.h"
#include "indexer/labels.h"
#include "memory/authority.h"
#include "memory/change_shapes.h"
#include "memory/forget.h"
#include "memory/history_shapes.h"
#include "memory/purge.h"
#include "memory/restore.h"
#include "memory/still_says.h"
#include "parser/tag_names.h"

namespace loci {
namespace {

constexpr size_t entries_looked_at = 2'000;  // of the newest
constexpr size_t most_recalled = 500;

// A member of the body that is a text; empty if there is none.
Result<std::string> body_text_if_any(const HttpRequest& request, std::string_view member) {
  const auto body = TRY(parse_json(request.body, {.bytes = max_request_body}));
  const std::string* text = body.string_at(member);
  return text ? *text : std::string();
}

// A member of the body that has to be a text.
Result<std::string> body_text(const HttpRequest& request, std::string_view member) {
  const auto body = TRY(parse_json(request.body, {.bytes = max_request_body}));
  const std::string* text = body.string_at(member);
  if (!text) return fail(ErrorCode::usage, "there is no \"" + std::string(member) + "\" in the body");
  return *text;
}

// "hash" of the body: of the entry as it was seen.
Status check_seen(const HttpRequest& request, const Entry& entry) {
  if (TRY(body_text(request, "hash")) == entry.hash) return {};
  return fail(ErrorCode::refused, "'" + entry.id + "' has changed since you read it", "look at it again");
}

Json place_to_json(const CorePlace& place) {
  Json value = versioned();
  value.add_unchecked("id", place.id);
  value.add_unchecked("stands", place.stands);
  value.add_unchecked("files", place.files);
  return value;
}

}  // namespace

Result<Json> panel_history(const PanelCall& call, Memory& memory) {
  const auto history = TRY(history_of(memory, call.id));
  auto value = history_to_json(history, call.recalls);
  const Entry& entry = history.entry;
  value.set("in_core", TRY(stands_in_core(memory.vault(), entry.id)));
  const bool may_edit = entry.active && may_change(Actor::person, Intent::reword, entry).has_value();
  value.set("may_edit", may_edit);
  value.set("may_tag", may_edit && (entry.place != Place::user || entry.has_metadata));
  return value;
}

Result<Json> panel_recalls(const PanelCall& call, Memory& memory) {
  const auto recalls = TRY(recalls_of(memory.vault(), call.id));
  Json days = Json::array(), latest = Json::array();
  for (const auto& [day, times] : recalls.by_day) {
    Json one = Json::object();
    one.add_unchecked("day", day);
    one.add_unchecked("times", times);
    days.push_back(std::move(one));
  }
  for (const auto& recall : recalls.latest) {
    Json one = Json::object();
    one.add_unchecked("at", recall.at);
    one.add_unchecked("query", recall.query);
    one.add_unchecked("session", recall.session.empty() ? Json() : Json(recall.session));
    latest.push_back(std::move(one));
  }
  Json value = versioned();
  value.add_unchecked("days", std::move(days));
  value.add_unchecked("latest", std::move(latest));
  return value;
}

Result<Json> panel_still_says(const PanelCall& call, Memory& memory) {
  const auto entry = TRY(find_entry(memory, call.id, true));
  auto others = TRY(what_still_says(memory, entry.text));
  std::erase_if(others, [&](const Entry& other) { return other.id == entry.id; });
  Json value = versioned();
  value.add_unchecked("entries", entries_to_json(others, call.recalls));
  return value;
}

Result<Json> panel_recalled(const PanelCall& call, Memory& memory) {
  std::vector<std::pair<std::string, RecallCount>> counts;
  if (call.recalls) counts.assign(call.recalls->by_id.begin(), call.recalls->by_id.end());
  std::ranges::sort(counts, [](const auto& a, const auto& b) {
    return std::tie(b.second.times, b.second.last, a.first) < std::tie(a.second.times, a.second.last, b.first);
  });
  const auto layer = call.request.query.find("layer");
  const auto wanted = [&](const Entry& entry) {
    return entry.active && (layer == call.request.query.end() || name_of(entry.layer) == layer->second);
  };
  using Entries = std::vector<Entry>;
  const auto entries = TRY(memory.ask<Entries>([&](IndexReader& reader) -> Result<Entries> {
    Entries found;
    for (const auto& [id, count] : counts) {
      if (found.size() == most_recalled) break;
      for (Entry& entry : TRY(reader.find(id, 1)))
        if (entry.id == id && wanted(entry)) found.push_back(std::move(entry));
    }
    return found;
  }));
  Json value = versioned();
  value.add_unchecked("entries", entries_to_json(entries, call.recalls));
  return value;
}

Result<Json> panel_values(const PanelCall&, Memory& memory) {
  const auto newest =
      TRY(memory.ask<std::vector<Entry>>([](IndexReader& reader) { return reader.recent(EntryFilter{}, entries_looked_at); }));
  auto labels = TRY(labels_in_use(memory.vault().state_folder()));
  std::map<std::string, std::string> spelled;  // as somebody wrote it lately
  for (const Entry& entry : newest)
    for (const std::string& tag : entry.tags) spelled.emplace(tag_name(tag), tag);
  for (std::string& tag : labels.tags)
    if (const auto found = spelled.find(tag); found != spelled.end()) tag = found->second;
  Json value = versioned();
  value.add_unchecked("tags", std::move(labels.tags));
  value.add_unchecked("projects", std::move(labels.projects));
  return value;
}

Result<Json> panel_correct(const PanelCall& call, Memory& memory) {
  const auto text = TRY(body_text(call.request, "text"));
  TRY(check_seen(call.request, TRY(find_entry_to_change(memory, call.id))));
  return corrected_to_json(TRY(correct(memory, call.id, text)));
}

Result<Json> panel_restore(const PanelCall& call, Memory& memory) {
  const auto instead_of = TRY(body_text_if_any(call.request, "instead_of"));
  return restored_to_json(TRY(restore(memory, call.id, instead_of)));
}

Result<Json> panel_promote(const PanelCall& call, Memory& memory) { return place_to_json(TRY(promote(memory, call.id))); }

Result<Json> panel_demote(const PanelCall& call, Memory& memory) { return place_to_json(TRY(demote(memory, call.id))); }

Result<Json> panel_purge(const PanelCall& call, Memory& memory) {
  const auto confirmed = TRY(body_text(call.request, "confirm"));
  if (confirmed != "purge") return fail(ErrorCode::refused, "a purge cannot be taken back", R"(send {"confirm":"purge"})");
  const auto targets = TRY(entries_to_purge(memory, {call.id}, {}));
  const auto named = std::ranges::find(targets, call.id, &Entry::id);  // none if another purge is gone on with
  if (named != targets.end()) TRY(check_seen(call.request, *named));
  return purged_to_json(TRY(purge(memory, targets, all_stores())));
}

}  // namespace loci
