#include "vault/archive/tail_verdicts.h"

#include "base/counted.h"
#include "base/json.h"
#include "vault/archive/day_log.h"

namespace loci {
namespace {

constexpr const char* folder = "verdicts";  // of the state folder
constexpr const char *meant = "meant", *stands = "stands", *back = "back", *told = "told";
constexpr size_t most_named = 3;

Status write(const Vault& vault, const char* found, const std::vector<std::string>& ids, const CameBack& came_back = {}) {
  if (ids.empty()) return {};
  Json line = Json::object(), list = Json::array();
  for (const std::string& id : ids) list.push_back(id);
  line.add_unchecked("at", format_rfc3339(vault.clock().now()));
  line.add_unchecked("found", found);
  line.add_unchecked("ids", std::move(list));
  if (found == back) {
    line.add_unchecked("file", came_back.file);
    line.add_unchecked("git", came_back.git);
    line.add_unchecked("index", came_back.index);
  }
  TRY(append_to_day_log(vault, folder, line));
  return {};
}

void apply(TailVerdict& verdict, const std::string& found, const Json& line) {
  if (found == meant || found == stands) verdict.is_meant = found == meant;
  if (found == back) {
    const std::string git = line.text_at("git");
    const int before = verdict.came_back && verdict.came_back->git == git ? verdict.came_back->times : 0;
    verdict.came_back = CameBack{.file = line.text_at("file"), .git = git, .index = line.text_at("index"), .times = before + 1};
  }
  if (found == told && verdict.came_back) verdict.came_back->is_told = true;
}

std::string named(const std::vector<std::string>& ids) {
  std::string text;
  for (size_t i = 0; i < std::min(ids.size(), most_named); ++i) (text += i == 0 ? "" : ", ") += ids[i];
  return ids.size() > most_named ? text + " and " + std::to_string(ids.size() - most_named) + " more" : text;
}

}  // namespace

Result<TailVerdicts> read_tail_verdicts(const Vault& vault) {
  TailVerdicts verdicts;
  const Instant oldest = vault.clock().now() - day_log_keeps;
  TRY(visit_day_log(vault, folder, [&](const Json& line) {
    const Json* ids = line.find("ids");
    const auto at = parse_time(line.text_at("at"));
    if (!ids || !ids->as_array() || !at || *at < oldest) return;
    for (const Json& id : *ids->as_array())
      if (id.as_string()) apply(verdicts[*id.as_string()], line.text_at("found"), line);
  }));
  return verdicts;
}

Status note_as_meant(const Vault& vault, const std::vector<std::string>& ids, bool is_meant) {
  return write(vault, is_meant ? meant : stands, ids);
}

Status note_as_back(const Vault& vault, const std::vector<std::string>& ids, const CameBack& came_back) {
  return write(vault, back, ids, came_back);
}

std::vector<Problem> entries_that_came_back(const Vault& vault) {
  std::vector<Problem> problems;
  const auto verdicts = read_tail_verdicts(vault);
  if (!verdicts) return problems;
  std::map<std::string, std::vector<std::string>> by_file;
  for (const auto& [id, verdict] : *verdicts)
    if (verdict.came_back && !verdict.came_back->is_told) by_file[verdict.came_back->file].push_back(id);
  for (const auto& [file, ids] : by_file)
    problems.push_back({file, 0, "came-back",
                        counted(ids.size(), "entry", "entries") +
                            " that somebody's save, or git, had taken out of the archive and nobody had forgotten came back (" +
                            named(ids) + "): 'loci forget ID' is how one is deleted"});
  return problems;
}

Status mark_as_told(const Vault& vault) {
  const auto verdicts = TRY(read_tail_verdicts(vault));
  std::vector<std::string> ids;
  for (const auto& [id, verdict] : verdicts)
    if (verdict.came_back && !verdict.came_back->is_told) ids.push_back(id);
  return write(vault, told, ids);
}

}  // namespace loci
