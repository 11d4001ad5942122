#include "vault/git/git_objects.h"

#include <algorithm>
#include <boost/beast/zlib/inflate_stream.hpp>
#include <charconv>
#include <map>
#include <set>

#include "base/hash.h"
#include "vault/git/git_operation.h"

namespace loci {
namespace {

namespace zlib = boost::beast::zlib;

constexpr size_t most_objects = 20'000;
constexpr size_t most_bytes = size_t{128} << 20;   // of all of them
constexpr size_t largest_file = size_t{16} << 20;  // no file of the archive grows to this
constexpr size_t zlib_header = 2;
constexpr std::string_view before_id = "{\"id\":\"";  // where an entry's metadata begins

struct Object {
  std::string type;  // "blob", "tree", "commit"
  std::string content;
};

struct ObjectName {
  std::string name;  // raw bytes
  path file;
};

bool is_newer(const path& file, Instant since) {
  struct stat info{};
  return ::stat(file.c_str(), &info) == 0 && modified_at(info) >= since;
}

std::optional<std::string> raw_name(std::string_view digits) {
  std::string raw;
  if (digits.size() != 40 && digits.size() != 64) return std::nullopt;
  for (; !digits.empty(); digits.remove_prefix(2)) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + 2, value, 16);
    if (error != std::errc() || end != digits.data() + 2) return std::nullopt;
    raw.push_back(static_cast<char>(value));
  }
  return raw;
}

std::vector<ObjectName> loose_objects(const path& objects, Instant since) {
  std::vector<ObjectName> found;
  std::error_code ignored;  // what vanishes meanwhile is not there
  for (const auto& folder : std::filesystem::directory_iterator(objects, ignored)) {
    const std::string start = folder.path().filename();
    if (start.size() != 2) continue;
    for (const auto& file : std::filesystem::directory_iterator(folder, ignored))
      if (const auto name = raw_name(start + file.path().filename().string()); name && is_newer(file.path(), since))
        found.push_back({*name, file.path()});
  }
  return found;
}

bool was_packed_since(const path& objects, Instant since) {
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(objects / "pack", ignored))
    if (is_newer(file.path(), since)) return true;
  return false;
}

// Up to `limit` bytes.
std::string inflate(std::string_view packed, size_t limit) {
  std::string bytes;
  zlib::inflate_stream stream;
  zlib::z_params state;
  state.next_in = packed.data();
  state.avail_in = packed.size();
  boost::system::error_code error;
  while (!error && bytes.size() < limit) {
    const size_t done = bytes.size();
    bytes.resize(std::min(limit, std::max<size_t>(4096, done * 2)));
    state.next_out = bytes.data() + done;
    state.avail_out = bytes.size() - done;
    stream.write(state, zlib::Flush::sync, error);
    const size_t written = bytes.size() - done - state.avail_out;
    bytes.resize(done + written);
    if (written == 0) break;
  }
  return bytes;
}

// "blob 12\0", then the content.
std::optional<Object> read_object(const path& file) {
  const auto packed = read_file(real_file_system(), file, largest_file);
  if (!packed || packed->size() <= zlib_header) return std::nullopt;
  std::string bytes = inflate(std::string_view(*packed).substr(zlib_header), largest_file);
  const size_t type_end = bytes.find(' '), header_end = bytes.find('\0');
  if (header_end == std::string::npos || type_end > header_end) return std::nullopt;
  Object object{.type = bytes.substr(0, type_end), .content = {}};
  object.content = std::move(bytes.erase(0, header_end + 1));
  return object;
}

// "tree <digits>" is the first line of a commit.
std::string tree_of(std::string_view commit) {
  constexpr std::string_view key = "tree ";
  if (!commit.starts_with(key)) return {};
  return raw_name(commit.substr(key.size(), commit.find('\n') - key.size())).value_or("");
}

// "<mode> <name>\0<raw name of the object>", one after the other.
std::vector<std::string> names_in_tree(std::string_view tree, size_t name_size) {
  std::vector<std::string> names;
  for (size_t end = tree.find('\0'); end != std::string_view::npos && end + name_size < tree.size(); end = tree.find('\0')) {
    names.emplace_back(tree.substr(end + 1, name_size));
    tree.remove_prefix(end + 1 + name_size);
  }
  return names;
}

class Search {
 public:
  Search(const path& folder, const EntryIds& ids) : git_(git_folder_around(folder)), common_(common_git_folder(git_)), ids_(ids) {}

  std::optional<GitRecords> run(Instant since) {
    const path objects = common_ / "objects";
    if (git_.empty() || was_packed_since(objects, since) || !read(loose_objects(objects, since))) return std::nullopt;
    follow_what_is_reachable();
    GitRecords records{.held = {}, .saves = std::move(saves_)};
    for (const auto& [name, found] : files_)
      if (reachable_.contains(name) || index_.contains(name)) records.held.insert(found.begin(), found.end());
    return records;
  }

 private:
  // False if it is too much.
  bool read(const std::vector<ObjectName>& names) {
    if (names.size() > most_objects) return false;
    size_t bytes = 0;
    for (const ObjectName& name : names) {
      auto object = read_object(name.file);
      if (!object) continue;
      if ((bytes += object->content.size()) > most_bytes) return false;
      if (object->type == "blob") look_at_file(name.name, object->content);
      if (object->type == "tree") trees_.emplace(name.name, names_in_tree(object->content, name.name.size()));
      if (object->type == "commit") look_at_commit(name, object->content);
    }
    return true;
  }

  void look_at_file(const std::string& name, std::string_view content) {
    for (size_t at = content.find(before_id); at != std::string_view::npos; at = content.find(before_id, at)) {
      at += before_id.size();
      if (const auto id = ids_.find(content.substr(at, content.find('"', at) - at)); id != ids_.end()) files_[name].push_back(*id);
    }
  }

  void look_at_commit(const ObjectName& name, std::string_view content) {
    struct stat info{};
    // How git saves starts with a commit of the index, which has this message whatever a person calls the stash.
    if (content.find("\n\nindex on ") != std::string_view::npos && ::stat(name.file.c_str(), &info) == 0)
      saves_.push_back(modified_at(info));
    commits_.emplace(hex(name.name, name.name.size() * 2), tree_of(content));
  }

  void follow_what_is_reachable() {
    const auto bytes_of = [](const path& file) { return read_file(real_file_system(), file).value_or(""); };
    index_ = bytes_of(git_ / "index");
    const std::string log = bytes_of(git_ / "logs/HEAD"), stashes = bytes_of(common_ / "logs/refs/stash");
    for (const auto& [digits, tree] : commits_)
      if (log.empty() || log.contains(digits) || stashes.contains(digits)) follow(tree);
  }

  void follow(const std::string& name) {
    if (!reachable_.insert(name).second) return;
    if (const auto tree = trees_.find(name); tree != trees_.end())
      for (const std::string& inside : tree->second) follow(inside);
  }

  path git_, common_;
  const EntryIds& ids_;
  std::map<std::string, std::vector<std::string>> files_;  // the ids in them, if any
  std::map<std::string, std::vector<std::string>> trees_;  // what is in them
  std::map<std::string, std::string> commits_;             // their trees, by digits
  std::set<std::string> reachable_;
  std::string index_;  // names the content of files in raw bytes
  std::vector<Instant> saves_;
};

}  // namespace

std::optional<GitRecords> search_git_objects(const path& folder, Instant since, const EntryIds& ids) {
  return Search(folder, ids).run(since);
}

}  // namespace loci
