#include "sync/registration.h"

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
  const std::string registered = TRY(git.setting("merge.loci.driver")), rest = driver_command({});
  if (!registered.ends_with(rest)) return {};  // none, or a person's own
  std::string known = registered.substr(0, registered.size() - rest.size());
  if (known.size() > 1 && known.front() == '\'') known = known.substr(1, known.size() - 2);
  std::error_code error;
  if (!known.starts_with('/') || std::filesystem::exists(known, error)) return {};
  return register_driver(git, program);
}

}  // namespace loci
