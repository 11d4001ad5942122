#include "daemon/panel_routes.h"

#include "daemon/panel_upkeep.h"
#include "edits/understand.h"
#include "memory/json_shapes.h"

namespace loci {
namespace {

using Call = Result<Json> (*)(const PanelCall&, Memory&);

struct Row {
  std::string_view method, before, behind;  // of "{id}"; without one `behind` is "-"
  Call call;
  bool in_turn = false;  // it reads, but looks at the files as what writes does: in its turn among that
};

constexpr std::string_view no_id = "-";

constexpr Row rows[] = {
    {"GET", "/memory/entries/", "/history", panel_history},
    {"GET", "/memory/entries/", "/recalls", panel_recalls},
    {"GET", "/memory/entries/", "/still-says", panel_still_says},
    {"GET", "/memory/recalled", no_id, panel_recalled},
    {"GET", "/memory/values", no_id, panel_values},
    {"POST", "/memory/entries/", "/correct", panel_correct},
    {"POST", "/memory/entries/", "/restore", panel_restore},
    {"POST", "/memory/entries/", "/promote", panel_promote},
    {"POST", "/memory/entries/", "/demote", panel_demote},
    {"POST", "/memory/entries/", "/purge", panel_purge},
    {"GET", "/memory/runs", no_id, panel_runs},
    {"GET", "/memory/runs/", "", panel_run},
    {"POST", "/memory/runs/", "/undo", panel_undo_run},
    {"GET", "/memory/pending", no_id, panel_pending},
    {"GET", "/memory/growth", no_id, panel_growth},
    {"GET", "/memory/questions", no_id, panel_questions, true},
    {"POST", "/memory/questions", no_id, panel_answer},
    {"POST", "/memory/conflicts", no_id, panel_end_conflict},
    {"POST", "/memory/acts/", "/undo", panel_undo_act},
    {"GET", "/memory/user-file", no_id, panel_user_file},
    {"POST", "/memory/user-file", no_id, panel_write_user_file},
    {"GET", "/memory/settings", no_id, panel_settings},
    {"POST", "/memory/settings", no_id, panel_change_setting},
};

// What stands in the place of "{id}"; empty for a row without one; none if the request is not of this row.
std::optional<std::string> matched(const Row& row, const HttpRequest& request) {
  const std::string_view path = request.path;
  if (row.method != request.method) return std::nullopt;
  if (row.behind == no_id) return path == row.before ? std::optional<std::string>("") : std::nullopt;
  if (!path.starts_with(row.before) || !path.ends_with(row.behind)) return std::nullopt;
  if (path.size() <= row.before.size() + row.behind.size()) return std::nullopt;
  return std::string(path.substr(row.before.size(), path.size() - row.before.size() - row.behind.size()));
}

HttpResponse response_of(const Result<Json>& answer) { return answer ? json_response(*answer) : error_response(answer.error()); }

// In its turn among what writes, after what the person did to the files by hand is understood.
void write(const RouteContext& context, const HttpRequest& request, std::string id, Call call, const Respond& respond) {
  if (auto may = context.may_write(); !may) return respond(error_response(may.error(), 503));
  const auto queued = context.writes.run([request, id = std::move(id), call, respond](Memory& memory) {
    if (const auto understood = understand_first(memory); !understood) return respond(error_response(understood.error()));
    respond(response_of(call({request, id, nullptr}, memory)));
  });
  if (!queued) respond(error_response(queued.error(), 503));
}

}  // namespace

bool PanelRoutes::handle(const HttpRequest& request, const Respond& respond) {
  for (const Row& row : rows) {
    auto id = matched(row, request);
    if (!id) continue;
    if (row.method == "GET" && !row.in_turn) {
      respond(response_of(context_.memories.with<Json>(
          [&](Memory& memory) { return row.call({request, *id, recalls_.of(memory.vault()).get()}, memory); })));
    } else {
      write(context_, request, std::move(*id), row.call, respond);
    }
    return true;
  }
  return false;
}

}  // namespace loci
