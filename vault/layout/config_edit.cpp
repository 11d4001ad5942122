#include "vault/layout/config_edit.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <span>

#include "base/byte_order_mark.h"
#include "vault/layout/config.h"
#include "vault/layout/config_schema.h"
#include "vault/layout/host.h"

namespace loci {
namespace {

// A folder is one part of a key, whatever dots it has.
std::vector<std::string> split(const std::string& dotted) {
  constexpr std::string_view folders = "agents.vaults.";
  if (dotted.starts_with(folders)) return {"agents", "vaults", dotted.substr(folders.size())};
  std::vector<std::string> parts{""};
  for (const char c : dotted)
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

template <typename Number>
std::optional<TomlScalar> number_in(const std::string& text) {
  Number number{};
  const auto end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional<TomlScalar>(number) : std::nullopt;
}

std::optional<TomlScalar> written_as_toml(const std::string& text) {
  const auto parsed = parse_toml("value = " + text + "\n");
  const TomlValue* value = parsed && parsed->values.size() == 1 ? parsed->find("value") : nullptr;
  return value ? std::optional(value->value) : std::nullopt;
}

// What a person typed, as the type that the key wants. What does not fit stays a string, for reason_against to refuse.
TomlScalar scalar_from(const ConfigKey& key, const std::string& typed) {
  if (std::holds_alternative<FieldOf<bool>>(key.field) && (typed == "true" || typed == "false")) return typed == "true";
  if (std::holds_alternative<FieldOf<std::int64_t>>(key.field)) return number_in<std::int64_t>(typed).value_or(typed);
  if (std::holds_alternative<FieldOf<double>>(key.field))
    return number_in<std::int64_t>(typed).value_or(number_in<double>(typed).value_or(typed));
  const bool is_list = key.is_list();
  if (typed.starts_with(is_list || key.is_price() ? '[' : '"'))
    if (auto value = written_as_toml(typed)) return *value;
  if (!is_list) return typed;
  return typed.empty() ? std::vector<std::string>{} : std::vector{typed};
}

struct Edit {
  size_t begin = 0, end = 0;
  std::string text;
};

// Where one key of a file may be written, the most natural place first. Which of them gives valid TOML depends on how the rest
// was written (inline tables, dotted keys): the caller tries them and checks.
class Places {
 public:
  Places(std::string_view bytes, const TomlFile& file, const std::vector<std::string>& key, const TomlScalar& value)
      : bytes_(bytes), file_(file), key_(key), section_(key.begin(), key.end() - 1), value_(to_toml(value)) {
    line_end_ = bytes.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
  }

  std::vector<Edit> all() const {
    for (const TomlValue& value : file_.values)
      if (value.key == key_) return {{value.begin, value.end, value_}};
    std::vector<Edit> edits;
    const std::string line = key_to_toml(std::span(key_).last(1)) + " = " + value_ + line_end_;
    if (const auto sibling = end_of_last_sibling()) edits.push_back(behind_line_of(*sibling, line));
    for (const TomlTable& table : file_.tables)
      if (table.key == section_ && bytes_.substr(table.begin).starts_with('[')) edits.push_back(behind_line_of(table.begin, line));
    if (!section_.empty()) {
      const std::string gap = bytes_.empty() ? "" : line_end_;
      edits.push_back(behind_line_of(bytes_.size(), gap + "[" + key_to_toml(section_) + "]" + line_end_ + line));
    }
    const size_t start = byte_order_mark_of(bytes_).size();
    edits.push_back({start, start, key_to_toml(key_) + " = " + value_ + line_end_});
    return edits;
  }

 private:
  std::optional<size_t> end_of_last_sibling() const {
    std::optional<size_t> last;
    for (const TomlValue& value : file_.values)
      if (value.key.size() == key_.size() && std::ranges::equal(section_, std::span(value.key).first(section_.size())))
        last = std::max(last, std::optional(value.end));
    return last;
  }

  Edit behind_line_of(size_t offset, const std::string& lines) const {
    const size_t end = bytes_.find('\n', offset);
    if (end != std::string_view::npos) return {end + 1, end + 1, lines};
    const bool is_line_open = !bytes_.empty() && !bytes_.ends_with('\n');
    return {bytes_.size(), bytes_.size(), (is_line_open ? line_end_ : "") + lines};
  }

  std::string_view bytes_;
  const TomlFile& file_;
  const std::vector<std::string>& key_;
  std::vector<std::string> section_;
  std::string value_;
  std::string line_end_;
};

using Values = std::map<std::vector<std::string>, TomlScalar>;

Values values_by_key(const TomlFile& file) {
  Values values;
  for (const TomlValue& value : file.values) values[value.key] = value.value;
  return values;
}

// The bytes after the first of these edits that leaves a file with just these values.
std::optional<std::string> first_that_says(const Values& wanted, const std::string& bytes, const std::vector<Edit>& edits) {
  for (const Edit& edit : edits) {
    std::string candidate = bytes;
    candidate.replace(edit.begin, edit.end - edit.begin, edit.text);
    const auto parsed = parse_toml(candidate);
    if (parsed && values_by_key(*parsed) == wanted) return candidate;
  }
  return std::nullopt;
}

// The key has its value then, and every other one the value that it had.
std::optional<std::string> edited(const std::string& bytes, const TomlFile& file, const std::vector<std::string>& key,
                                  const TomlScalar& value) {
  auto wanted = values_by_key(file);
  wanted[key] = value;
  return first_that_says(wanted, bytes, Places(bytes, file, key, value).all());
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

// Its line, without a comment of somebody's behind it; with the line above, and the empty one above that, if that names a section
// in which nothing else stands.
std::vector<Edit> ways_to_take_out(std::string_view bytes, const TomlFile& file, const TomlValue& value) {
  const auto line_of = [&](size_t offset) { return offset == 0 ? 0 : bytes.rfind('\n', offset - 1) + 1; };
  const size_t begin = line_of(value.begin);
  const size_t end = std::min(bytes.find('\n', value.end), bytes.size() - 1) + 1;
  if (!is_blank(bytes.substr(value.end, end - value.end))) return {{begin, value.end, ""}};
  std::vector<Edit> edits;
  for (const TomlTable& table : file.tables) {
    const size_t above = line_of(table.begin);
    const auto behind = bytes.substr(end);
    const bool is_bare = bytes.substr(above, begin - above).find('#') == std::string_view::npos;
    if (above >= begin || bytes.find('\n', above) + 1 != begin || !is_bare || !(is_blank(behind) || behind.starts_with('[')))
      continue;
    const size_t gap = above == 0 ? 0 : line_of(above - 1);
    edits.push_back({is_blank(behind) && is_blank(bytes.substr(gap, above - gap)) ? gap : above, end, ""});
  }
  edits.push_back({begin, end, ""});
  return edits;
}

Result<KeyMatch> settable(const std::string& key, bool is_vault_file) {
  const auto match = find_config_key(split(key));
  if (!match || (match->key->name.starts_with("models.") && match->model.empty())) {
    const std::string nearest = nearest_config_key(key);
    return fail(ErrorCode::usage, "unknown key '" + key + "'",
                nearest.empty() ? "'loci config' lists all keys" : "did you mean '" + nearest + "'?");
  }
  if (is_vault_file && match->key->user_file_only)
    return fail(ErrorCode::usage, "'" + key + "' counts in the user's file only", "set it there, or edit that file");
  return *match;
}

// The file to write: behind a link in the user's own folder (a folder of dot files, say), never behind one in a vault.
Result<path> file_behind(const path& file, bool is_vault_file) {
  std::error_code error;
  if (!std::filesystem::is_symlink(file, error)) return file;
  if (is_vault_file) return fail(ErrorCode::refused, file.string() + " is a symbolic link", "put a file in its place");
  path target = std::filesystem::canonical(file, error);
  if (error) return fail_errno("open", file.string(), error.value());
  return target;
}

Result<mode_t> mode_of(FileSystem& files, const path& file) {
  const auto fd = TRY(files.open(file, O_RDONLY | O_NONBLOCK));
  const auto info = TRY(files.status(fd, file));
  return info.st_mode & mode_t{0777};
}

struct ConfigFile {
  path target;
  std::optional<std::string> bytes;  // none: there is no file
  TomlFile parsed;
};

Result<ConfigFile> read_config_file(FileSystem& files, const path& file, bool is_vault_file) {
  ConfigFile read;
  read.target = TRY(file_behind(file, is_vault_file));
  read.bytes = TRY(read_file_if_any(files, read.target, config_limit));
  auto parsed = parse_toml(read.bytes.value_or(""));
  if (!parsed)
    return fail(ErrorCode::failed, read.target.string() + ":" + std::to_string(parsed.error().line) + ": " + parsed.error().message,
                "mend the line by hand first; nothing was written");
  read.parsed = std::move(*parsed);
  return read;
}

Status write_config_file(FileSystem& files, const ConfigFile& file, const std::string& key, const std::optional<std::string>& text,
                         bool is_vault_file) {
  if (!text)
    return fail(ErrorCode::refused, file.target.string() + " is written in a way that '" + key + "' cannot be set in by rule",
                "edit the file by hand; nothing was written");
  TRY(is_vault_file ? make_own_folder(files, file.target.parent_path()) : make_folders(files, file.target.parent_path()));
  if (!file.bytes) return write_file(files, file.target, *text);
  const auto mode = TRY(mode_of(files, file.target));
  return write_file(files, file.target, *text, mode);
}

}  // namespace

Status set_config(FileSystem& files, const path& file, const std::string& key, const std::string& value, bool is_vault_file) {
  const auto match = TRY(settable(key, is_vault_file));
  const TomlScalar scalar = scalar_from(*match.key, value);
  if (const auto reason = reason_against(*match.key, scalar); !reason.empty())
    return fail(ErrorCode::usage, "'" + key + "' " + reason);
  const auto read = TRY(read_config_file(files, file, is_vault_file));
  return write_config_file(files, read, key, edited(read.bytes.value_or(""), read.parsed, split(key), scalar), is_vault_file);
}

Status unset_config(FileSystem& files, const path& file, const std::string& key, bool is_vault_file) {
  TRY(settable(key, is_vault_file));
  const auto read = TRY(read_config_file(files, file, is_vault_file));
  const auto found = std::ranges::find(read.parsed.values, split(key), &TomlValue::key);
  if (found == read.parsed.values.end()) return {};
  auto wanted = values_by_key(read.parsed);
  wanted.erase(split(key));
  return write_config_file(files, read, key,
                           first_that_says(wanted, *read.bytes, ways_to_take_out(*read.bytes, read.parsed, *found)), is_vault_file);
}

Result<std::optional<std::string>> config_value_in(FileSystem& files, const path& file, const std::string& key) {
  const auto read = TRY(read_config_file(files, file, false));
  const auto found = std::ranges::find(read.parsed.values, split(key), &TomlValue::key);
  return found == read.parsed.values.end() ? std::nullopt : std::optional(to_toml(found->value));
}

}  // namespace loci
