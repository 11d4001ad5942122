#include "importers/give_out.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "memory/export.h"
#include "memory/may_send.h"
#include "parser/tags.h"

namespace loci::importers {
namespace {

constexpr size_t longest_folder = 200;  // file systems allow 255 bytes, Claude Code cuts its own names there
constexpr const char* of_loci_alone = "whose word it is, how sure, and what it was made of";

std::string first_line(std::string_view text) {
  constexpr size_t longest = 80;
  std::string line(text.substr(0, text.find('\n')));
  if (line.size() <= longest) return line;
  size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
  return line.substr(0, end) + "…";
}

std::string as_link_words(std::string_view text) {
  std::string words;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == '\\') words += '\\';
    words += c;
  }
  return words;
}

// JSON's strings are YAML's, too.
std::string in_quotes(std::string_view text) { return to_string(Json(std::string(text))); }

// One file that grows while entries come.
class NewFile {
 public:
  static Result<NewFile> create(FileSystem& files, const path& file) {
    auto fd = files.open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    if (!fd) return std::unexpected(fd.error());
    return NewFile(files, file, std::move(*fd));
  }

  Status write(std::string_view bytes) {
    pending_ += bytes;
    return pending_.size() < piece ? Status() : flush();
  }

  Status end() {
    TRY(flush());
    return files_.sync(fd_, file_);
  }

 private:
  static constexpr size_t piece = size_t{256} << 10;

  NewFile(FileSystem& files, path file, Fd fd) : files_(files), file_(std::move(file)), fd_(std::move(fd)) {}

  Status flush() {
    if (pending_.empty()) return {};
    TRY(files_.write_once(fd_, pending_, file_));
    pending_.clear();
    return {};
  }

  FileSystem& files_;
  path file_;
  Fd fd_;
  std::string pending_;
};

class Giving {
 public:
  Giving(Memory& memory, path target, bool with_private)
      : memory_(memory),
        files_(memory.vault().files()),
        target_(std::move(target)),
        with_private_(with_private),
        sendable_(memory) {}

  Result<GivenOut> as_json() {
    auto file = TRY(NewFile::create(files_, target_));
    TRY(file.write("{\"v\":1,\"entries\":["));
    TRY(each_exported([&](const Json& entry) { return file.write((given_.given++ == 0 ? "\n" : ",\n") + to_string(entry)); }));
    TRY(file.write("\n]}\n"));
    TRY(file.end());
    return std::move(given_);
  }

  Result<GivenOut> as_markdown() {
    auto file = TRY(NewFile::create(files_, target_));
    TRY(each_as_markdown([&](const std::string& entry) {
      ++given_.given;
      return file.write(entry + "\n");
    }));
    TRY(file.end());
    return std::move(given_);
  }

  // As get_all() gives them.
  Result<GivenOut> as_mem0() {
    auto file = TRY(NewFile::create(files_, target_));
    TRY(file.write("{\"results\":["));
    TRY(each_fact([&](const Entry& fact) {
      Json metadata = Json::object();
      metadata.add_unchecked("categories", Json(fact.tags));
      if (!fact.project.empty()) metadata.add_unchecked("project", fact.project);
      Json record = Json::object();
      record.add_unchecked("id", fact.id);
      record.add_unchecked("memory", fact.text);
      record.add_unchecked("metadata", std::move(metadata));
      for (const char* key : {"created_at", "updated_at"})
        record.add_unchecked(key, fact.at ? Json(format_rfc3339(*fact.at)) : Json());
      return file.write((given_.given == 1 ? "\n" : ",\n") + to_string(record));
    }));
    TRY(file.write("\n]}\n"));
    TRY(file.end());
    return std::move(given_);
  }

  // projects/FOLDER/memory/: a file a memory, dated by its time, and MEMORY.md, which lists them.
  Result<GivenOut> as_claude_code() {
    std::map<std::string, std::string> lists;  // by folder
    TRY(make_folders(files_, target_));
    TRY(each_fact([&](const Entry& fact) -> Status {
      const path folder = path("projects") / ("-" + project_folder(fact.project)) / "memory";
      const std::string name = "fact-" + fact.id + ".md", title = first_line(fact.text);
      std::string note = "---\nname: fact-" + fact.id + "\ndescription: " + in_quotes(title) + "\n";
      note += metadata_of_claude(fact);
      note += tag_list(fact.tags);  // not Claude Code's own, but whoever takes in the file, or has it as a note, knows them
      TRY(write_note(folder / name, note + "---\n\n" + fact.text + "\n"));
      if (fact.at) TRY(date_file(folder / name, *fact.at));
      count(!fact.at, "without a date: it gets that of the export");
      lists[folder] += "- [" + as_link_words(title) + "](" + name + ")" + tags_in_text(fact.tags) + "\n";
      return {};
    }));
    for (const auto& [folder, list] : lists) TRY(write_note(path(folder) / "MEMORY.md", list));
    return std::move(given_);
  }

  // A note with one observation: so each has its own date.
  Result<GivenOut> as_basic_memory() {
    TRY(make_folders(files_, target_));
    TRY(each_fact([&](const Entry& fact) -> Status {
      const auto category = std::ranges::find_if(fact.tags, can_be_category);
      std::string note = "---\ntitle: " + in_quotes(first_line(fact.text)) + "\ntype: note\npermalink: loci/" + fact.id + "\n";
      if (fact.at)
        for (const char* key : {"created: ", "modified: "}) note += key + format_rfc3339(*fact.at) + "\n";
      note += tag_list(fact.tags);
      std::string line = fact.text;
      std::ranges::replace(line, '\n', ' ');
      note += "---\n\n## Observations\n- [" + (category == fact.tags.end() ? "fact" : *category) + "] " + line + "\n";
      count(line != fact.text, "line breaks: an observation is one line");
      count(!fact.project.empty(), "the project");
      count(!fact.at, "without a date: it gets that of the export");
      return write_note(fact.id + ".md", note);
    }));
    return std::move(given_);
  }

 private:
  Result<bool> keeps(const Entry& entry) {
    if (TRY(sendable_.may_send(entry))) return true;
    ++given_.lost[with_private_
                      ? "the rules of [privacy] never_send: it bears a tag that makes it private only where a rule names that"
                      : "private ([privacy] never_send): --private gives it"];
    return with_private_;
  }

  Status each_entry(const std::function<Status(const Entry&)>& take) {
    Status failed;
    TRY(for_each_entry(
        memory_, [&](const Entry& entry) { return (failed = take(entry)).has_value(); },
        [&](const Entry& entry) { return keeps(entry); }));
    return failed;
  }

  Status each_exported(const std::function<Status(const Json&)>& take) {
    Status failed;
    TRY(for_each_exported(
        memory_, [&](const Json& entry) { return (failed = take(entry)).has_value(); },
        [&](const Entry& entry) { return keeps(entry); }));
    return failed;
  }

  Status each_as_markdown(const std::function<Status(const std::string&)>& take) {
    Status failed;
    TRY(for_each_as_markdown(
        memory_, [&](const std::string& entry) { return (failed = take(entry)).has_value(); },
        [&](const Entry& entry) { return keeps(entry); }));
    return failed;
  }

  // What was folded into something newer is in that, and a line of the core in the entry that it shows.
  Status each_fact(const std::function<Status(const Entry&)>& take) {
    return each_entry([&](const Entry& entry) -> Status {
      if (entry.kind != EntryKind::fact) {
        ++given_.lost[entry.kind == EntryKind::turn ? "what was said in conversations" : "summaries of conversations and tasks"];
        return {};
      }
      if (entry.layer == Layer::L2 || !entry.ref.empty() || !texts_.insert(entry.hash).second) return {};
      ++given_.given;
      ++given_.lost[of_loci_alone];
      return take(entry);
    });
  }

  void count(bool lost, const char* what) {
    if (lost) ++given_.lost[what];
  }

  Status write_note(const path& name, std::string_view bytes) {
    TRY(make_folders(files_, (target_ / name).parent_path()));
    auto file = TRY(NewFile::create(files_, target_ / name));
    TRY(file.write(bytes));
    return file.end();
  }

  Status date_file(const path& name, Instant at) {
    std::error_code error;
    std::filesystem::last_write_time(target_ / name, std::chrono::file_clock::from_sys(at), error);
    return error ? fail_errno("set the time of", (target_ / name).string(), error.value()) : Status();
  }

  // The name of a folder there has lost all but letters and digits, and the last part of it is the project. Projects whose names
  // differ in case alone share a folder: on many systems they would anyway, and one list of memories would replace the other.
  std::string project_folder(const std::string& project) {
    std::string folder = project.substr(0, longest_folder);
    for (char& c : folder)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
    std::string key = folder;
    std::ranges::transform(key, key.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    folder = folders_.emplace(std::move(key), std::move(folder)).first->second;
    count(folder != project, "the project's whole name");
    return folder;
  }

  static std::string type_of(const Entry& fact) {
    constexpr std::array<std::string_view, 4> types{"user", "feedback", "project", "reference"};
    const auto type = std::ranges::find_first_of(fact.tags, types);
    return type == fact.tags.end() ? std::string() : *type;
  }

  // The project is not Claude Code's own, but whoever takes in the file knows it by its whole name then.
  static std::string metadata_of_claude(const Entry& fact) {
    std::string metadata;
    if (const std::string type = type_of(fact); !type.empty()) metadata += "  type: " + type + "\n";
    const std::string project = in_quotes(fact.project);
    const bool is_plain = project.size() == fact.project.size() + 2;  // as every reader of front matter has it
    if (!fact.project.empty() && is_plain) metadata += "  project: " + project + "\n";
    return metadata.empty() ? metadata : "metadata:\n" + metadata;
  }

  // All of them, also one that stands elsewhere: as notes of a vault these files say by it what is private.
  static std::string tag_list(const std::vector<std::string>& tags) {
    std::string list;
    for (const std::string& tag : tags) list += "- " + in_quotes(tag) + "\n";
    return list.empty() ? list : "tags:\n" + list;
  }

  static std::string tags_in_text(const std::vector<std::string>& tags) {
    std::string text;
    for (const std::string& tag : tags)
      if (const std::string written = "#" + tag; find_tags(written) == std::vector{tag}) text += ' ' + written;
    return text;
  }

  static bool can_be_category(const std::string& tag) {
    return tag.size() > 1 && tag.find_first_of("[]\"\\") == std::string::npos &&
           tag.find_first_not_of("0123456789:.") != std::string::npos;
  }

  Memory& memory_;
  FileSystem& files_;
  const path target_;
  const bool with_private_;
  Sendable sendable_;
  GivenOut given_;
  std::set<std::string> texts_;                 // that were given
  std::map<std::string, std::string> folders_;  // of projects, by their names in lower case
};

struct Form {
  std::string_view name;
  Result<GivenOut> (Giving::*give)();
};

constexpr std::array forms{Form{"claude-code", &Giving::as_claude_code}, Form{"basic-memory", &Giving::as_basic_memory},
                           Form{"mem0", &Giving::as_mem0}, Form{"json", &Giving::as_json}, Form{"md", &Giving::as_markdown}};

bool is_there(const path& name) {
  std::error_code error;
  return std::filesystem::exists(std::filesystem::symlink_status(name, error));
}

path without_slash(const path& name) {
  path plain = name.lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();
}

// A vault would take in the notes as its own, what is private and what was folded into something newer included.
Status refuse_inside_of_vault(const Vault& vault, const path& target) {
  std::error_code error;
  const path real = std::filesystem::weakly_canonical(target, error);
  if (error || std::ranges::mismatch(vault.root(), real).in1 != vault.root().end()) return {};
  return fail(ErrorCode::refused, target.string() + " is inside of the vault, which would take it in",
              "name a place outside of it");
}

// What has its name is whole: a run that was killed leaves the other one.
Status put_in_place(FileSystem& files, const path& partial, const path& whole) {
  std::error_code error;
  // Not every file system has a rename of folders that replaces nothing; a folder with something in it is never replaced.
  TRY(std::filesystem::is_directory(partial, error) ? files.rename(partial, whole) : files.rename_new(partial, whole));
  return sync_folder(files, whole.parent_path());
}

}  // namespace

std::span<const std::string_view> forms_to_give() {
  static constexpr auto names = [] {
    std::array<std::string_view, forms.size()> all;
    for (size_t i = 0; i < forms.size(); ++i) all[i] = forms[i].name;
    return all;
  }();
  return names;
}

Result<GivenOut> give_out(Memory& memory, std::string_view form, const path& target, bool with_private) {
  const auto found = std::ranges::find(forms, form, &Form::name);
  if (found == forms.end()) return fail(ErrorCode::usage, "nobody knows how to write '" + std::string(form) + "'");
  const path whole = without_slash(target);
  TRY(refuse_inside_of_vault(memory.vault(), whole));
  path partial = whole;
  partial += ".partial";
  if (is_there(whole))
    return fail(ErrorCode::refused, whole.string() + " exists already", "name another place: nothing is overwritten");
  const std::string remove_it = "remove " + partial.string() + ", and try again";
  if (is_there(partial)) return fail(ErrorCode::refused, "an export that was not finished left " + partial.string(), remove_it);

  auto given = (Giving(memory, partial, with_private).*(found->give))();
  if (given)
    if (auto done = put_in_place(memory.vault().files(), partial, whole); !done) given = std::unexpected(done.error());
  if (!given && given.error().hint.empty() && is_there(partial)) given.error().hint = remove_it;
  return given;
}

}  // namespace loci::importers
