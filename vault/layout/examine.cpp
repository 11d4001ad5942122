#include <cerrno>

#include "vault/layout/scan.h"
#include "vault/layout/scan_rules.h"

namespace loci {
namespace {

// The way from the root to one file: at each step the name and the rules are asked, and the next folder is opened if it is there.
class Path {
 public:
  explicit Path(const Vault& vault) : rules_(vault), folder_(::open(vault.root().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

  // False as soon as a name or a rule speaks against it. Behind a folder that is not there, or is a link, only names and the
  // rules so far count.
  bool walk(std::string_view relative, bool ends_in_folder = false) {
    if (relative.empty() || relative.ends_with('/')) return false;
    for (size_t begin = 0;;) {
      const size_t slash = relative.find('/', begin);
      const bool is_last = slash == std::string_view::npos;
      const bool is_folder = !is_last || ends_in_folder;
      name_ = relative.substr(begin, is_last ? slash : slash - begin);
      if (name_.empty() || !is_printable_name(name_) || classify_name(name_) != NameClass::counts) return false;
      if (folder_) (void)rules_.enter(folder_.get(), relative.substr(0, begin));  // an unreadable file ignores nothing
      if (rules_.ignores(relative.substr(0, begin + name_.size()), is_folder)) return false;
      if (is_last) return true;
      if (folder_) folder_ = open_folder_at(folder_.get(), name_.c_str());
      begin = slash + 1;
    }
  }

  int folder() const { return folder_.get(); }  // the file's; negative if it is not there
  const std::string& name() const { return name_; }
  const ScanRules& rules() const { return rules_; }

 private:
  ScanRules rules_;
  Fd folder_;
  std::string name_;
};

// A link counts by what it leads to, as in the sweep.
bool adds_a_file(const Vault& vault, const std::string& link) {
  std::error_code error;
  const path target = std::filesystem::canonical(vault.file(link), error);
  if (error) return false;
  const std::string relative = target.lexically_relative(vault.root()).string();
  return !relative.starts_with("..") && !has_markdown_suffix(relative) && !is_ignored(vault, relative);
}

Result<std::optional<FileState>> examine_log(const Vault& vault, const std::string& relative_path) {
  struct stat info{};
  for (const path& folder : {vault.dot_loci(), vault.file(relative_path).parent_path()})
    if (::lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) return std::nullopt;
  if (::lstat(vault.file(relative_path).c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return state_of(relative_path, info, false);
}

}  // namespace

Result<std::optional<FileState>> examine(const Vault& vault, const std::string& relative_path) {
  if (is_log_path(relative_path)) return examine_log(vault, relative_path);
  Path way(vault);
  if (!has_markdown_suffix(relative_path) || !way.walk(relative_path) || way.folder() < 0) return std::nullopt;
  struct stat info{};
  if (::fstatat(way.folder(), way.name().c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG) return std::nullopt;
    return fail_errno("examine", relative_path, errno);
  }
  if (S_ISLNK(info.st_mode)) {
    if (!adds_a_file(vault, relative_path) || ::fstatat(way.folder(), way.name().c_str(), &info, 0) != 0) return std::nullopt;
  }
  if (!S_ISREG(info.st_mode) || info.st_size > vault.config().max_file_bytes) return std::nullopt;
  return state_of(relative_path, info, way.rules().distrusts(relative_path));
}

bool is_ignored(const Vault& vault, const std::string& relative_path) { return !Path(vault).walk(relative_path); }

bool is_ignored_folder(const Vault& vault, const std::string& relative_path) { return !Path(vault).walk(relative_path, true); }

}  // namespace loci
