// What the daemon reaches: the real program over its socket, against vaults that this program makes. bench/daemon builds and starts
// it.
#include <sys/prctl.h>
#include <sys/vfs.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <optional>

#include "bench/measurements.h"

namespace loci::bench {
namespace {

struct Measurement {
  const char* name;
  void (*measure)(const Options&, Table&);
};

constexpr Measurement measurements[] = {{"saves", measure_saves},         {"starts", measure_starts},
                                        {"memory", measure_memory},       {"idling", measure_idling},
                                        {"additions", measure_additions}, {"searches", measure_searches},
                                        {"commands", measure_commands},   {"contexts", measure_contexts}};

std::string file_system_of(const path& folder) {
  struct statfs found{};
  if (::statfs(folder.c_str(), &found) != 0) return "?";
  switch (found.f_type) {
    case 0xEF53:
      return "ext4";
    case 0x9123683E:
      return "btrfs";
    case 0x58465342:
      return "xfs";
    case 0x01021994:
      return "tmpfs";
    case 0x794C7630:
      return "overlayfs";
    default:
      return "a file system of type " + std::to_string(found.f_type);
  }
}

// None: they make no sense.
std::optional<Options> options_from(const std::vector<std::string>& arguments) {
  Options options;
  const std::map<std::string, size_t*> numbers{{"--saves", &options.saves},
                                               {"--starts", &options.starts},
                                               {"--commands", &options.commands},
                                               {"--contexts", &options.contexts},
                                               {"--idle-seconds", &options.idle_seconds},
                                               {"--add-seconds", &options.add_seconds},
                                               {"--search-seconds", &options.search_seconds}};
  const std::map<std::string, path*> paths{
      {"--loci", &options.loci}, {"--slow-sync", &options.slow_sync}, {"--folder", &options.folder}};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (name == "--strict") {
      options.strict = true;
      continue;
    }
    if (++i == arguments.size()) return std::nullopt;
    const std::string& value = arguments[i];
    if (const auto number = numbers.find(name); number != numbers.end()) {
      if (std::from_chars(value.data(), value.data() + value.size(), *number->second).ec != std::errc()) return std::nullopt;
    } else if (const auto named = paths.find(name); named != paths.end()) {
      *named->second = std::filesystem::absolute(value);
    } else if (name == "--only") {
      options.only.push_back(value);
    } else {
      return std::nullopt;
    }
  }
  if (options.loci.empty()) return std::nullopt;
  return options;
}

int run(Options options) {
  ::prctl(PR_SET_TIMERSLACK, 1'000UL);  // nanoseconds: a short sleep is short
  std::string folder = (options.folder / "loci-bench-XXXXXX").string();
  if (!::mkdtemp(folder.data())) give_up("cannot make a folder in " + options.folder.string());
  options.folder = folder;
  Table table(file_system_of(folder));
  for (const Measurement& one : measurements)
    if (options.only.empty() || std::ranges::find(options.only, one.name) != options.only.end()) one.measure(options, table);
  std::filesystem::remove_all(folder);
  return options.strict && !table.all_met() ? 1 : 0;
}

}  // namespace
}  // namespace loci::bench

int main(int count, char** values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  const auto options = loci::bench::options_from(arguments);
  if (options) return loci::bench::run(*options);
  std::fprintf(stderr,
               "usage: daemon_bench --loci PROGRAM [--slow-sync LIBRARY] [--folder DIR] [--only NAME]... [--saves N] [--starts N]\n"
               "  [--commands N] [--contexts N] [--idle-seconds N] [--add-seconds N] [--search-seconds N] [--strict]\n");
  return 2;
}
