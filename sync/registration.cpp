#include "sync/registration.h"

#include "vault/git/git_operation.h"

namespace loci {
namespace {

constexpr std::string_view attributes =
    "# loci: files of entries are merged entry by entry.\n"
    "/MEMORY.md merge=loci\n"
    "/user.md merge=loci\n"
    "/consolidated/**/*.md merge=loci\n"
    "/archive/**/*.md merge=loci\n"
    "/.loci/**/*.jsonl merge=loci\n";

// For the shell that git gives it to.
std::string quoted(const std::string& word) {
  if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+") == std::string::npos)
    return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// What is registered and is not there; empty: nothing, a person's own, or a name that the shell looks for.
Result<std::string> missing_program(const GitExchange& git) {
  const std::string registered = TRY(git.setting("merge.loci.driver")), rest = driver_command({});
  if (!registered.ends_with(rest)) return std::string();
  std::string known = registered.substr(0, registered.size() - rest.size());
  if (known.size() > 1 && known.front() == '\'') known = known.substr(1, known.size() - 2);
  std::error_code error;
  const bool is_missing = known.starts_with('/') && !std::filesystem::exists(known, error);
  return is_missing ? known : std::string();
}

}  // namespace

std::string driver_command(const std::string& program) { return quoted(program) + " merge-driver %O %A %B %P"; }

Status write_attributes(const GitExchange& git) {
  const path file = TRY(git.common_folder()) / "info/attributes";
  FileSystem& files = real_file_system();
  std::string bytes = TRY(read_file_if_any(files, file)).value_or(std::string());
  if (bytes.contains(attributes)) return {};
  if (!bytes.empty() && !bytes.ends_with('\n')) bytes += '\n';
  TRY(make_folders(files, file.parent_path()));
  return write_file(files, file, bytes.append(attributes), 0644);
}

Status register_driver(const GitExchange& git, const std::string& program) {
  TRY(git.set("merge.loci.name", "loci: entry by entry"));
  TRY(git.set("merge.loci.driver", driver_command(program)));
  return write_attributes(git);
}

Status renew_driver(const GitExchange& git, const std::string& program) {
  if (TRY(missing_program(git)).empty()) return {};
  return register_driver(git, program);
}

void add_driver_problem(const Vault& vault, std::vector<Problem>& problems) {
  if (git_folder_around(vault.root()).empty()) return;
  const auto missing = missing_program(GitExchange(vault.root(), {}, {}));
  if (!missing || missing->empty()) return;
  problems.push_back({"", 0, "merge-driver",
                      "git is to merge by " + *missing +
                          ", which is not there: a 'git pull' leaves files unmerged, without a mark "
                          "in them; 'loci sync --setup' registers the program that runs now"});
}

}  // namespace loci
