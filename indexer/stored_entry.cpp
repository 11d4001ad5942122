#include "indexer/stored_entry.h"

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "indexer/bytes.h"
#include "parser/text_hash.h"

namespace loci {
namespace {

// Which value stands where in the blob. Numbers are never used again for something else.
enum class Field : std::uint8_t {
  tag = 1,
  role,
  project,
  task,
  category,
  corrects,
  first_seen,
  updated,
  ref,
  about,
  source,
  from,
  confidence,
  turn,
};

enum Flag : std::uint8_t { with_metadata = 1, with_at = 2, sum_same = 4, sum_differs = 8 };

std::uint16_t day_of(Instant at) {
  const auto days = std::chrono::floor<std::chrono::days>(at).time_since_epoch().count();
  return days > 0 && days <= UINT16_MAX ? static_cast<std::uint16_t>(days) : 0;
}

void set_dates(StoredEntry& entry, const FileTraits& file) {
  // What was made of several facts is as old as the newest of them: `updated` is the day that one was said.
  if (entry.place == Place::consolidated)
    if (const auto said = parse_time(entry.metadata.updated)) entry.metadata.at = said;
  const auto named = parse_time(date_in_name(file.path));
  entry.at = entry.metadata.at;
  if (!entry.at) entry.at = named;
  if (!entry.at) entry.at = parse_time(file.front_date);
  entry.day = named ? day_of(*named) : entry.at ? day_of(*entry.at) : std::uint16_t{0};
}

std::string context_of(const StoredEntry& entry, bool with_headings) {
  std::string context;
  const auto add = [&](const std::string& words) {
    if (!context.empty()) context += '\n';
    context += words;
  };
  if (with_headings) std::ranges::for_each(entry.section, add);
  std::ranges::for_each(entry.tags, add);
  return context;
}

bool is_first_under_heading(const StoredEntry& entry, HeadingState& headings) {
  if (headings.section != entry.section) headings = {entry.section, {}};
  if (!entry.is_turn()) return true;
  const auto session = hash64(entry.metadata.session);
  if (std::ranges::find(headings.sessions, session) != headings.sessions.end()) return false;
  headings.sessions.push_back(session);
  return true;
}

// Elsewhere than in the archive nothing is part of a conversation.
void leave_conversation(Metadata& metadata) {
  metadata.session.clear();
  metadata.turn.reset();
  metadata.role.clear();
}

SumState sum_state(const Metadata& metadata, const std::string& hash) {
  if (metadata.sum.empty()) return SumState::none;
  return metadata.sum == sum_from_hash(hash) ? SumState::same : SumState::differs;
}

void add_texts(ByteWriter& out, Field field, const std::vector<std::string>& values) {
  for (const auto& value : values) {
    out.fixed(static_cast<std::uint8_t>(field));
    out.text(value);
  }
}

void add_text(ByteWriter& out, Field field, const std::string& value) {
  if (value.empty()) return;
  out.fixed(static_cast<std::uint8_t>(field));
  out.text(value);
}

bool read_field(ByteReader& in, StoredEntry& entry) {
  auto& metadata = entry.metadata;
  const auto field = static_cast<Field>(in.fixed<std::uint8_t>());
  const auto text = [&] { return std::string(in.text()); };
  switch (field) {
    case Field::tag:
      entry.tags.push_back(text());
      break;
    case Field::role:
      metadata.role = text();
      break;
    case Field::project:
      metadata.project = text();
      break;
    case Field::task:
      metadata.task = text();
      break;
    case Field::category:
      metadata.category = text();
      break;
    case Field::corrects:
      metadata.corrects = text();
      break;
    case Field::first_seen:
      metadata.first_seen = text();
      break;
    case Field::updated:
      metadata.updated = text();
      break;
    case Field::ref:
      metadata.ref = text();
      break;
    case Field::about:
      metadata.about.push_back(text());
      break;
    case Field::source:
      metadata.sources.push_back(text());
      break;
    case Field::from:
      metadata.from.push_back(text());
      break;
    case Field::confidence:
      metadata.confidence = in.real();
      break;
    case Field::turn:
      metadata.turn = static_cast<std::int64_t>(in.varint());
      break;
    default:
      return false;
  }
  return in.ok();
}

}  // namespace

std::string pack_section(const std::vector<std::string>& section) {
  std::string bytes;
  ByteWriter out(bytes);
  for (const auto& title : section) out.text(title);
  return bytes;
}

std::vector<std::string> unpack_section(std::string_view bytes) {
  std::vector<std::string> section;
  for (ByteReader in(bytes); !in.at_end();) section.emplace_back(in.text());
  return section;
}

bool is_hash_id(std::string_view id) { return id.starts_with("h-"); }

// Not the id that its text has elsewhere: a fact that says the same must not be taken for a line of MEMORY.md. A hash's id like
// that one, as several lines may show the same words.
std::string id_of_shown_line(std::string_view hash) { return "h-ref-" + id_from_hash(hash).substr(2); }

bool is_changed_wholesale(std::string_view path, std::span<const ParsedEntry> entries) {
  if (place_of(path) != Place::consolidated) return false;
  const auto differing = std::ranges::count_if(entries, [](const ParsedEntry& entry) {
    return entry.metadata && sum_state(*entry.metadata, entry.hash) == SumState::differs;
  });
  return is_wholesale(static_cast<size_t>(differing), entries.size());
}

StoredEntry stored_from(ParsedEntry parsed, const FileTraits& file, HeadingState& headings) {
  // What a stranger's file says of itself could take another entry's id, or claim to be newer than a deletion.
  if (parsed.of_copy) parsed.metadata = *parsed.of_copy;  // it claims the name like one of another file
  if (file.untrusted) parsed.metadata.reset();
  StoredEntry entry;
  entry.hash = std::move(parsed.hash);
  entry.text = std::move(parsed.text);
  entry.traits = traits_of(entry.text);
  entry.loose = loose_text_hash(entry.text);
  entry.section = std::move(parsed.section);
  entry.tags = std::move(parsed.tags);
  entry.place = place_of(file.path);
  entry.has_metadata = parsed.metadata.has_value();
  std::optional<Source> claimed;
  if (parsed.metadata) {
    entry.metadata = std::move(*parsed.metadata);
    entry.kind = believed_kind(entry.place, entry.metadata.kind);
    if (entry.place != Place::archive) leave_conversation(entry.metadata);
    entry.sum = sum_state(entry.metadata, entry.hash);
    claimed = entry.sum == SumState::differs && !file.wholesale ? Source::user : entry.metadata.source;
  }
  entry.source = believed_source(entry.place, claimed, file.untrusted);
  const bool named = !entry.metadata.id.empty() && !is_hash_id(entry.metadata.id);
  entry.id = named ? std::move(entry.metadata.id) : id_from_hash(entry.hash);
  if (is_shown_line(entry) && !named) entry.id = id_of_shown_line(entry.hash);
  auto& metadata = entry.metadata;
  metadata.id.clear();
  metadata.end = false;
  metadata.sum.clear();
  metadata.source.reset();
  metadata.kind.reset();
  metadata.unknown.clear();
  set_dates(entry, file);
  entry.context = context_of(entry, is_first_under_heading(entry, headings));
  return entry;
}

StoredEntry as_copy(StoredEntry entry) {
  auto& said = entry.metadata;
  Metadata kept;
  kept.at = said.at;
  kept.project = std::move(said.project);
  kept.task = std::move(said.task);
  kept.category = std::move(said.category);
  kept.session = std::move(said.session);
  kept.turn = said.turn;
  kept.role = std::move(said.role);
  said = std::move(kept);
  entry.has_metadata = false;
  entry.sum = SumState::none;
  entry.id = id_from_hash(entry.hash);
  entry.context = context_of(entry, true);
  return entry;
}

std::string pack_extra(const StoredEntry& entry) {
  std::string bytes;
  ByteWriter out(bytes);
  const auto& metadata = entry.metadata;
  out.fixed(static_cast<std::uint8_t>((entry.has_metadata ? with_metadata : 0) | (metadata.at ? with_at : 0) |
                                      (entry.sum == SumState::same ? sum_same : 0) |
                                      (entry.sum == SumState::differs ? sum_differs : 0)));
  add_texts(out, Field::tag, entry.tags);
  add_text(out, Field::role, metadata.role);
  add_text(out, Field::project, metadata.project);
  add_text(out, Field::task, metadata.task);
  add_text(out, Field::category, metadata.category);
  add_text(out, Field::corrects, metadata.corrects);
  add_text(out, Field::first_seen, metadata.first_seen);
  add_text(out, Field::updated, metadata.updated);
  add_text(out, Field::ref, metadata.ref);
  add_texts(out, Field::about, metadata.about);
  add_texts(out, Field::source, metadata.sources);
  add_texts(out, Field::from, metadata.from);
  if (metadata.confidence) {
    out.fixed(static_cast<std::uint8_t>(Field::confidence));
    out.real(*metadata.confidence);
  }
  if (metadata.turn) {
    out.fixed(static_cast<std::uint8_t>(Field::turn));
    out.varint(static_cast<std::uint64_t>(*metadata.turn));
  }
  return bytes;
}

bool unpack_extra(std::string_view bytes, StoredEntry& entry) {
  ByteReader in(bytes);
  const auto flags = in.fixed<std::uint8_t>();
  entry.has_metadata = (flags & with_metadata) != 0;
  entry.sum = (flags & sum_same) != 0 ? SumState::same : (flags & sum_differs) != 0 ? SumState::differs : SumState::none;
  if ((flags & with_at) != 0) entry.metadata.at = entry.at;
  if (!in.ok()) return false;
  while (!in.at_end())
    if (!read_field(in, entry)) return false;
  return true;
}

std::uint64_t content_hash(const StoredEntry& entry) {
  std::string bytes;
  bytes.reserve(entry.text.size() + entry.context.size() + 256);
  ByteWriter out(bytes);
  out.text(entry.id);
  out.text(entry.hash);
  out.text(entry.text);
  out.text(entry.context);
  out.text(entry.metadata.session);
  out.text(pack_section(entry.section));
  out.fixed(static_cast<std::uint8_t>(entry.place));
  out.fixed(static_cast<std::uint8_t>(entry.kind));
  out.fixed(static_cast<std::uint8_t>(entry.source));
  out.fixed(entry.day);
  out.fixed(entry.at ? entry.at->time_since_epoch().count() : std::int64_t{INT64_MIN});
  out.text(pack_extra(entry));
  return hash64(bytes);
}

}  // namespace loci
