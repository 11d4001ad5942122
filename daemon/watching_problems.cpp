#include "daemon/watching_problems.h"

#include <algorithm>

#include "daemon/remote_keeper.h"
#include "watcher/inotify_limits.h"

namespace loci {

void add_problems_of(const Json& status, std::vector<Problem>& problems) {
  for (const Json& each : status.array_at("problems")) {
    Problem problem{each.text_at("file"), static_cast<int>(each.count_at("line")), each.text_at("code"), each.text_at("message")};
    for (const Json& id : each.array_at("entries"))
      if (const std::string* text = id.as_string()) problem.entries.push_back(*text);
    if (std::ranges::find(problems, problem) == problems.end()) problems.push_back(std::move(problem));
  }
}

bool add_watching_problems(const Vault& vault, const path& socket, std::vector<Problem>& problems) {
  const auto told = RemoteKeeper(socket).status();
  if (told) {
    if (const Json* daemon = told->find("daemon")) add_problems_of(*daemon, problems);
  } else if (told.error().code != ErrorCode::not_found) {
    problems.push_back({"", 0, "daemon", "a daemon runs, and cannot be asked: " + told.error().message});
  } else if (const std::string why = why_no_events_of(vault.root()); !why.empty()) {
    problems.push_back({"", 0, "polling", why + "; until then a daemon looks for changes itself, and hears of them later"});
  }
  return told.has_value();
}

}  // namespace loci
