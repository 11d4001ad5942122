#include "vault/layout/scan.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <set>
#include <tuple>

#include "base/counted.h"
#include "base/unicode.h"
#include "vault/layout/file_examination.h"
#include "vault/layout/folder_listing.h"
#include "vault/layout/scan_rules.h"

namespace loci {
namespace {

constexpr int deepest_folder = 128;  // one descriptor is open for each level

// Without following a link. Null, and errno, if that fails.
OpenFolder open_folder(int parent, const char* name) {
  Fd fd = open_folder_at(parent, name);
  OpenFolder folder(fd ? ::fdopendir(fd.get()) : nullptr);
  if (folder) fd.release();
  return folder;
}

std::string printable(std::string_view name) {
  std::string text = scrub_utf8(name);
  std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\r'; }, '?');
  return text;
}

// Sorting what points to the files and moving each once is several times as fast as sorting the files.
void sort_by_path(std::vector<FileState>& files) {
  struct Key {
    std::string_view path;
    size_t place;
  };
  std::vector<Key> keys;
  keys.reserve(files.size());
  for (size_t place = 0; place < files.size(); ++place) keys.push_back({files[place].path, place});
  std::ranges::sort(keys, {}, &Key::path);
  std::vector<FileState> sorted;
  sorted.reserve(files.size());
  for (const Key& key : keys) sorted.push_back(std::move(files[key.place]));
  files = std::move(sorted);
}

class Sweep {
 public:
  explicit Sweep(const Vault& vault) : vault_(vault), rules_(vault) {}

  Result<Scan> run() {
    auto root = open_folder(AT_FDCWD, vault_.root().c_str());
    if (!root) {
      const int error_number = errno;
      auto failure = fail_errno("read the vault", vault_.root().string(), error_number);
      if (error_number == ENOENT || error_number == ENOTDIR) failure.error().code = ErrorCode::not_found;
      return failure;
    }
    walk_logs(::dirfd(root.get()));
    walk(std::move(root), 0);
    take_examined();
    std::ranges::sort(links_);
    for (const std::string& link : links_) follow(link);
    sort_by_path(scan_.files);
    std::ranges::sort(scan_.logs, {}, &FileState::path);
    std::ranges::sort(scan_.conflict_files);
    std::ranges::sort(scan_.problems, {}, [](const Problem& problem) { return std::tie(problem.file, problem.code); });
    return std::move(scan_);
  }

 private:
  void report(std::string_view file, std::string code, std::string message) {
    scan_.problems.push_back({printable(file), 0, std::move(code), std::move(message)});
  }

  void report_errno(std::string_view file, int error_number) {
    if (error_number == ENOENT) return;  // gone in the meantime
    report(file, "unreadable", fail_errno("read", printable(file), error_number).error().message);
  }

  // prefix_ is the folder's path with its slash; the root's is empty.
  void walk(OpenFolder opened, int depth) {
    const auto folder = std::make_shared<const OpenFolder>(std::move(opened));
    const int descriptor = ::dirfd(folder->get());
    const auto rules = rules_.enter(descriptor, prefix_);
    if (!rules) report(prefix_ + ignore_file_name, "unreadable", rules.error().message + "; nothing is ignored because of it");
    const PathRules* const own = rules.value_or(nullptr);
    if (own != nullptr && own->left_out() > 0) report_left_out(own->left_out());
    const size_t prefix_size = prefix_.size();
    std::vector<std::string> folders;
    take_names(folder, folders);
    for (const std::string& name : folders) {
      descend(descriptor, name, depth + 1);
      prefix_.resize(prefix_size);
    }
    if (own != nullptr) rules_.leave();
  }

  void report_left_out(size_t patterns) {
    report(prefix_ + ignore_file_name, "too-many-patterns",
           counted(patterns, "pattern does", "patterns do") + " not count: at one place " +
               std::to_string(PathRules::most_patterns) + " of " + std::to_string(longest_pattern) +
               " characters do; join some, or ignore a folder");
  }

  // Folders are put off until the names are read.
  void take_names(const std::shared_ptr<const OpenFolder>& folder, std::vector<std::string>& folders) {
    const FolderListing listing(*folder);
    const size_t prefix_size = prefix_.size();
    std::vector<FileExamination::File> files;
    files.reserve(listing.items().size());
    for (const FolderListing::Item& item : listing.items()) {
      visit(listing.name(item), item, folders, files);
      prefix_.resize(prefix_size);
    }
    if (listing.error_number() != 0) report_errno(prefix_, listing.error_number());
    examination_.ask(folder, std::move(files));
  }

  void visit(std::string_view name, const FolderListing::Item& item, std::vector<std::string>& folders,
             std::vector<FileExamination::File>& files) {
    const bool is_markdown = has_markdown_suffix(name);
    prefix_.append(name);
    if (item.error_number != 0) return report_errno(prefix_, item.error_number);
    const bool is_read = is_markdown || classify_name(name) == NameClass::conflict;  // a copy of any kind waits for a person
    const bool is_wanted = item.type == DT_DIR || item.type == DT_LNK || (item.type == DT_REG && is_read);
    if (!is_wanted || !may_count(name, item.type == DT_DIR)) return;
    if (item.type == DT_DIR)
      folders.emplace_back(name);
    else if (item.type == DT_LNK)
      links_.push_back(prefix_);
    else
      files.push_back(
          {.state = {.path = prefix_, .untrusted = rules_.distrusts(prefix_)}, .name_at = prefix_.size() - name.size()});
  }

  void take_examined() {
    auto folders = examination_.finish();
    size_t count = 0;
    for (const auto& files : folders) count += files.size();
    scan_.files.reserve(count);
    for (auto& files : folders)
      for (FileExamination::File& file : files) {
        if (file.error_number != 0) report_errno(file.state.path, file.error_number);
        if (file.type == DT_LNK) links_.push_back(std::move(file.state.path));  // by now
        if (file.type == DT_REG && !is_too_large(file.state)) scan_.files.push_back(std::move(file.state));
      }
  }

  // prefix_ is the path of `name`.
  bool may_count(std::string_view name, bool is_folder) {
    const NameClass name_class = classify_name(name);
    if (name_class == NameClass::hidden || name_class == NameClass::backup || rules_.ignores(prefix_, is_folder)) return false;
    if (!is_printable_name(name)) {
      report(prefix_, "bad-name", "the name is not valid UTF-8 or has a line break in it; rename it to have it indexed");
      return false;
    }
    if (name_class == NameClass::conflict) scan_.conflict_files.push_back(prefix_);
    return name_class == NameClass::counts;
  }

  // Then it is reported.
  bool is_too_large(const FileState& file) {
    const auto limit = static_cast<std::uint64_t>(vault_.config().max_file_bytes);
    if (file.size <= limit) return false;
    report(file.path, "too-large",
           "has " + std::to_string(file.size) + " bytes, more than max_file_bytes = " + std::to_string(limit) +
               ", and is not indexed; split it or raise the limit");
    return true;
  }

  void descend(int parent, const std::string& name, int depth) {
    prefix_ += name;
    if (depth > deepest_folder)
      return report(prefix_, "too-deep", "lies deeper than " + std::to_string(deepest_folder) + " folders and is not indexed");
    auto folder = open_folder(parent, name.c_str());
    if (!folder) {
      if (errno != ELOOP && errno != ENOTDIR) report_errno(prefix_, errno);  // those two: no folder any more
      return;
    }
    prefix_ += '/';
    walk(std::move(folder), depth);
  }

  // Whatever lies inside the vault and counts is found under its own name. So a link to a folder never adds anything, and a
  // link to a file only where it gives a markdown name to a file that has none.
  void follow(const std::string& link) {
    std::error_code error;
    const path target = std::filesystem::canonical(vault_.file(link), error);
    struct stat info{};
    if (error || ::stat(target.c_str(), &info) != 0) return report_broken_link(link, error ? error.value() : errno);
    const std::string relative = target.lexically_relative(vault_.root()).string();
    const bool is_outside = relative == ".." || relative.starts_with("../");
    if (S_ISDIR(info.st_mode)) {
      if (is_outside) return report_outside(link, target);
      if (relative == "." || link.starts_with(relative + "/"))
        report(link, "link-loop", "is a link to a folder that it stands in itself, and is not followed");
      return;
    }
    if (!S_ISREG(info.st_mode) || !has_markdown_suffix(link)) return;
    if (is_outside) return report_outside(link, target);
    if (has_markdown_suffix(relative) || is_ignored(vault_, relative)) return;
    if (!linked_.insert({info.st_dev, info.st_ino}).second) return;
    FileState file = state_of(link, info, rules_.distrusts(link));
    if (!is_too_large(file)) scan_.files.push_back(std::move(file));
  }

  void report_broken_link(const std::string& link, int error_number) {
    if (error_number == ELOOP) return report(link, "link-loop", "is a link that leads to itself");
    if (error_number == ENOENT) return report(link, "link-dangling", "is a link to something that is not there");
    report_errno(link, error_number);
  }

  void report_outside(const std::string& link, const path& target) {
    report(
        link, "link-outside",
        "is a link to " + printable(target.native()) + ", outside the vault, and is not followed; move the files into the vault");
  }

  void walk_logs(int root) {
    const Fd dot_loci = open_log_folder(root, ".loci", ".loci");
    if (!dot_loci) return;
    for (const char* name : {"ledger", "tombstones"}) {
      const std::string prefix = std::string(".loci/") + name;
      Fd fd = open_log_folder(dot_loci.get(), name, prefix);
      OpenFolder folder(fd ? ::fdopendir(fd.get()) : nullptr);
      if (!folder) continue;
      fd.release();
      while (const dirent* item = ::readdir(folder.get()))
        add_log(::dirfd(folder.get()), item->d_name, prefix + '/' + item->d_name);
    }
  }

  Fd open_log_folder(int parent, const char* name, const std::string& relative) {
    Fd fd = open_folder_at(parent, name);
    if (!fd) report_errno(relative, errno);
    return fd;
  }

  void add_log(int folder, const char* name, const std::string& relative) {
    struct stat info{};
    if (!is_log_path(relative) || ::fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0) return;
    if (S_ISREG(info.st_mode))
      scan_.logs.push_back(state_of(relative, info, false));
    else
      report(relative, "bad-log", "is not a regular file, so nothing in it counts");
  }

  const Vault& vault_;
  ScanRules rules_;
  Scan scan_;
  FileExamination examination_;
  std::string prefix_;
  std::vector<std::string> links_;
  std::set<std::pair<dev_t, ino_t>> linked_;
};

}  // namespace

Result<Scan> scan(const Vault& vault) { return Sweep(vault).run(); }

}  // namespace loci
