#include "memory/import_own.h"

#include <algorithm>
#include <span>

#include "memory/metadata_of.h"
#include "parser/core_file.h"
#include "parser/entry_edit.h"
#include "parser/parser.h"
#include "vault/rewrite/change_file.h"
#include "vault/rewrite/init.h"
#include "vault/rewrite/user_file.h"

namespace loci {
namespace {

using Run = std::span<const ImportedText>;

// A file that is not there begins as in a new vault.
std::string bytes_of_new(const std::string& file) {
  const auto& all = vault_template();
  const auto found = std::ranges::find(all, file, &TemplateFile::name);
  return found == all.end() ? std::string() : std::string(found->bytes);
}

ImportedText imported_text(const ExportedEntry& exported, const OwnText& own) {
  ImportedText imported{.file = own.file, .entry = exported.entry.id, .text = {}, .sum = {}};
  EntryToInsert& text = imported.text;
  text.text = exported.entry.text;
  text.written = own.written;
  text.section = own.section;
  text.tags = exported.entry.tags;
  if (exported.metadata) {
    text.metadata = exported.metadata;
    text.metadata->id = exported.entry.id;
    if (exported.entry.edited) imported.sum = exported.metadata->sum;
  } else {
    text.metadata_if_needed = metadata_of(exported.entry);
  }
  return imported;
}

// The lines that loci owns are the same, so what came is outside of them.
bool has_the_same_core(std::string_view before, std::string_view after) {
  const auto old_core = read_core(before), new_core = read_core(after);
  if (!old_core || !new_core) return old_core.has_value() == new_core.has_value();
  return std::ranges::equal(old_core->lines, new_core->lines,
                            [](const CoreLine& a, const CoreLine& b) { return a.ref == b.ref && a.text == b.text; });
}

// Texts of one file, put where they belong as far as they can be; the earlier ones have the room.
class Putting {
 public:
  Putting(std::string file, std::string_view bytes) : file_(std::move(file)), bytes_(bytes) {}

  void put(Run texts) {
    while (!texts.empty()) {
      const auto is_elsewhere = [&](const ImportedText& text) { return text.text.section != texts.front().text.section; };
      const auto end = std::ranges::find_if(texts, is_elsewhere);
      const auto count = static_cast<size_t>(end - texts.begin());
      put_run(texts.first(count));
      texts = texts.subspan(count);
    }
  }

  const std::string& bytes() const { return bytes_; }
  const std::vector<const ImportedText*>& left() const { return left_; }

 private:
  void put_run(Run run) {
    if (auto after = with(run)) {
      bytes_ = std::move(*after);
    } else if (run.size() == 1) {
      left_.push_back(&run.front());
    } else {
      const size_t half = run.size() / 2;
      put_run(run.first(half));
      put_run(run.subspan(half));
    }
  }

  Result<std::string> with(Run run) const {
    std::vector<EntryToInsert> entries;
    for (const ImportedText& one : run) entries.push_back(one.text);
    auto after = TRY(insert_entries(bytes_, entries));
    for (const ImportedText& one : run)
      if (!one.sum.empty()) after = TRY(set_entry_sum(after, one.entry, one.sum));
    if (file_ == user_file_name) return edited_user_file(bytes_, [&](const std::string&) { return Result<std::string>(after); });
    if (!has_the_same_core(bytes_, after)) return fail(ErrorCode::refused, "it would stand among the lines that loci promoted");
    return after;
  }

  const std::string file_;
  std::string bytes_;
  std::vector<const ImportedText*> left_;
};

std::vector<ImportedText> texts_of(const std::vector<ImportedText>& texts, const std::string& file) {
  std::vector<ImportedText> found;
  std::ranges::copy_if(texts, std::back_inserter(found), [&](const ImportedText& text) { return text.file == file; });
  return found;
}

}  // namespace

Status OwnFiles::load(const Vault& vault) {
  for (const char* name : own_text_files) {
    File& file = files_[name];
    file.bytes = TRY(read_file_if_any(vault.files(), vault.file(name))).value_or(bytes_of_new(name));
    const ParsedFile parsed = parse(file.bytes);
    for (const ParsedEntry& entry : parsed.entries) {
      file.ids.insert(entry.id);
      file.hashes.insert(entry.hash);
    }
    file.is_held = parsed.held;
  }
  return {};
}

bool OwnFiles::says(const std::string& name, const Entry& entry) const {
  const auto file = files_.find(name);
  return file != files_.end() && (file->second.ids.contains(entry.id) || file->second.hashes.contains(entry.hash));
}

Status OwnFiles::take(const ExportedEntry& exported) {
  const OwnText* before = last_;
  for (const OwnText& own : exported.own) {
    if (says(own.file, exported.entry)) continue;
    File& file = files_[own.file];
    if (file.is_held) {
      auto held = fail(ErrorCode::refused, "git's conflict markers stand in it, and text of the import belongs there",
                       "loci resolve, then import again");
      held.error().file = own.file;
      return held;
    }
    file.ids.insert(exported.entry.id);
    file.hashes.insert(exported.entry.hash);
    taken_.push_back(imported_text(exported, own));
    taken_.back().text.is_next_line = before && before->file == own.file && own.line > 0 && before->line_end + 1 == own.line;
    before = &own;
  }
  last_ = before;
  return {};
}

std::set<std::string> OwnFiles::without_room() const {
  std::set<std::string> ids;
  for (const auto& [name, file] : files_) {
    const auto texts = texts_of(taken_, name);
    Putting putting(name, file.bytes);
    putting.put(texts);
    for (const ImportedText* text : putting.left()) ids.insert(text->entry);
  }
  return ids;
}

Status write_own_files(const Vault& vault, const std::vector<ImportedText>& texts, std::set<std::string>& written) {
  for (const char* file : own_text_files) {
    const std::string name = file;
    const auto here = texts_of(texts, name);
    if (here.empty()) continue;
    const bool is_there = TRY(read_file_if_any(vault.files(), vault.file(name))).has_value();
    TRY(change_file(
        vault, name,
        [&](std::string_view bytes) -> Result<std::string> {
          Putting putting(name, is_there ? std::string(bytes) : bytes_of_new(name));
          putting.put(here);
          if (putting.left().empty()) return putting.bytes();
          auto refused = fail(ErrorCode::refused, "it was changed meanwhile, and has no room for all that belongs there",
                              "import again, which says what there is no room for");
          refused.error().file = name;
          return refused;
        },
        IfMissing::create));
    written.insert(name);
  }
  return {};
}

}  // namespace loci
