#include "memory/export.h"

#include <algorithm>
#include <map>
#include <utility>

#include "memory/json_shapes.h"
#include "memory/may_send.h"
#include "memory/metadata_of.h"
#include "memory/own_text.h"
#include "parser/parser.h"
#include "parser/tag_names.h"
#include "parser/tags.h"
#include "parser/writer.h"
#include "vault/layout/never_send.h"
#include "vault/logs/chronicle.h"

namespace loci {
namespace {

constexpr size_t page = 1000;
constexpr size_t most_files = 64;

// The metadata of entries as their files have it. Entries come by file, so a few files at a time are enough.
class MetadataInFiles {
 public:
  explicit MetadataInFiles(const Vault& vault) : vault_(vault) {}

  const Metadata* find(const Entry& entry) {
    if (!entry.has_metadata || entry.places.empty()) return nullptr;
    const std::string& name = entry.places.front().file;
    auto file = files_.find(name);
    if (file == files_.end()) {
      if (files_.size() == most_files) files_.clear();
      file = files_.emplace(name, read(name)).first;
    }
    const auto found = file->second.find(entry.id);
    return found == file->second.end() ? nullptr : &found->second;
  }

 private:
  using ById = std::map<std::string, Metadata>;

  // What cannot be read now is exported as the index knows it.
  ById read(const std::string& name) const {
    ById by_id;
    const auto bytes = read_file(vault_.files(), vault_.file(name));
    if (!bytes) return by_id;
    for (ParsedEntry& entry : parse(*bytes).entries)
      if (entry.metadata) by_id.emplace(entry.id, std::move(*entry.metadata));
    return by_id;
  }

  const Vault& vault_;
  std::map<std::string, ById> files_;
};

// What stands between `<!--m ` and `-->`.
Json metadata_to_json(const Metadata& metadata) {
  const std::string comment = format_metadata(metadata);
  constexpr std::string_view begin = "<!--m ", end = "-->";
  return parse_json(std::string_view(comment).substr(begin.size(), comment.size() - begin.size() - end.size())).value_or(Json());
}

// The entry that a fact's text is in today; empty if it was ignored.
std::string_view settled_into(const Chronicle& chronicle, const Fate& fact) {
  std::string_view entry = fact.into;
  for (int merges = 0; merges < 100; ++merges) {
    const Fate fate = chronicle.fate_of(entry);
    if (fate.kind != Fate::Kind::merged) break;
    entry = fate.into;
  }
  return entry;
}

Json settled_to_json(const Chronicle& chronicle, const Entry& entry) {
  if (entry.place != Place::archive || entry.kind != EntryKind::fact || entry.pending) return {};
  const Fate fate = chronicle.fate_of(entry.id, entry.hash);
  if (fate.kind != Fate::Kind::settled || !fate.line) return {};
  Json settled = Json::object();
  settled.add_unchecked("outcome", name_of(fate.line->outcome));
  settled.add_unchecked("entry", settled_into(chronicle, fate));
  return settled;
}

Json entry_to_export(const Entry& entry, const Metadata* metadata, Json settled, const std::vector<OwnText>& own) {
  Json out = entry_to_json(entry);
  out.set("confidence", entry.confidence ? Json(*entry.confidence) : Json());  // a default is no statement
  out.set("category", entry.category.empty() ? Json() : Json(entry.category));
  out.set("about", entry.about);
  out.set("corrects", entry.corrects.empty() ? Json() : Json(entry.corrects));
  out.set("metadata", metadata ? metadata_to_json(*metadata) : Json());
  out.set("settled", std::move(settled));
  out.set("own", own_texts_to_json(own));
  return out;
}

// The text itself says what it is written as.
Result<std::string> entry_to_markdown(const Entry& entry, std::vector<OwnText> own) {
  Metadata metadata = metadata_of(entry);
  std::string words;
  for (OwnText& text : own) words = std::exchange(text.written, {});
  if (!own.empty()) metadata.unknown.emplace_back("own", own_texts_to_json(own));
  return write_entry(std::move(metadata), words.empty() ? entry.text : words);
}

// The rules of never_send about tags, which go on counting where nobody knows the place that an entry stood in.
class TagRules {
 public:
  explicit TagRules(std::vector<std::string> written) : rules_(about_tags(written)) {
    if (names(tag_)) return;
    for (const std::string& rule : written)
      for (const std::string& tag : tag_readings(rule))  // "tag:health" is one of them, too
        if (names(tag) && (!names(tag_) || tag.size() < tag_.size())) tag_ = tag;
  }

  bool hides(const std::vector<std::string>& tags) const { return rules_.matches(tags, {}, {}); }
  // That keeps private what bears it: "private" if a rule names that, or none names a tag.
  const std::string& tag() const { return tag_; }

 private:
  // What hides an entry without a name, a tag or a place is a pattern for all places.
  static NeverSend about_tags(std::vector<std::string> rules) {
    std::erase_if(rules, [](const std::string& rule) { return NeverSend({rule}).matches({}, {}, {}); });
    return NeverSend(rules);
  }
  bool names(const std::string& tag) const { return hides({tag}); }

  NeverSend rules_;
  std::string tag_{usual_private_tag};
};

// What is said of an entry by where it stands, as tags of its own.
class TagsToCarry {
 public:
  explicit TagsToCarry(Memory& memory) : sendable_(memory), rules_(memory.vault().config().never_send) {}

  Status add_to(Entry& entry) {
    for (const std::string& heading : entry.section)
      for (std::string& tag : find_tags(heading)) add(entry.tags, std::move(tag));
    if (!TRY(sendable_.may_send(entry)) && !rules_.hides(entry.tags)) add(entry.tags, rules_.tag());
    return {};
  }

 private:
  static void add(std::vector<std::string>& tags, std::string tag) {
    if (std::ranges::find(tags, tag) == tags.end()) tags.push_back(std::move(tag));
  }

  Sendable sendable_;
  TagRules rules_;
};

// A promoted line that says what the entry does which it shows.
Result<bool> shows_another(Memory& memory, const Entry& entry) {
  if (entry.place != Place::core || entry.ref.empty()) return false;
  const auto shown = TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.find(entry.ref, 1); }));
  return !shown.empty() && shown.front().id == entry.ref && shown.front().active && shown.front().hash == entry.hash;
}

}  // namespace

Status for_each_entry(Memory& memory, const std::function<bool(const Entry&)>& take, const Keeps& keeps) {
  TagsToCarry tags(memory);
  std::string after;
  while (true) {
    auto entries =
        TRY(memory.ask<std::vector<Entry>>([&](IndexReader& reader) { return reader.list(EntryFilter{}, page, after); }));
    for (Entry& entry : entries) {
      if (TRY(shows_another(memory, entry))) continue;
      TRY(tags.add_to(entry));
      if ((!keeps || TRY(keeps(entry))) && !take(entry)) return {};
    }
    if (entries.size() < page) return {};
    after = entries.back().id;
  }
}

Status for_each_exported(Memory& memory, const std::function<bool(const Json&)>& take, const Keeps& keeps) {
  const auto chronicle = TRY(Chronicle::read(memory.vault()));
  MetadataInFiles metadata(memory.vault());
  const OwnTexts own(memory.vault());
  const auto take_entry = [&](const Entry& entry) {
    return take(entry_to_export(entry, metadata.find(entry), settled_to_json(chronicle, entry), own.of(entry.id)));
  };
  return for_each_entry(memory, take_entry, keeps);
}

Status for_each_as_markdown(Memory& memory, const std::function<bool(std::string)>& take, const Keeps& keeps) {
  const OwnTexts own(memory.vault());
  Status failed;
  TRY(for_each_entry(
      memory,
      [&](const Entry& entry) {
        auto markdown = entry_to_markdown(entry, own.of(entry.id));
        if (!markdown) failed = std::unexpected(markdown.error());
        return markdown && take(std::move(*markdown));
      },
      keeps));
  return failed;
}

}  // namespace loci
