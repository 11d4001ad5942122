#include "vault/logs/logs.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "parser/metadata.h"
#include "parser/text_hash.h"

namespace loci {
namespace {

constexpr size_t line_limit = size_t{1} << 20;
constexpr size_t problems_limit = 100;  // of one file: one that is no log at all must not become a million lines of output

using Reason = Tombstone::Reason;
using Outcome = LedgerEntry::Outcome;

constexpr auto reason_names = std::to_array<std::pair<Reason, std::string_view>>({
    {Reason::deleted, "deleted"},
    {Reason::corrected, "corrected"},
    {Reason::demoted, "demoted"},
    {Reason::restored, "restored"},
});

constexpr auto outcome_names = std::to_array<std::pair<Outcome, std::string_view>>({
    {Outcome::added, "added"},
    {Outcome::replaced, "replaced"},
    {Outcome::merged, "merged"},
    {Outcome::duplicate, "duplicate"},
    {Outcome::ignored, "ignored"},
    {Outcome::quarantined, "quarantined"},
    {Outcome::undone, "undone"},
});

template <typename Names>
auto value_named(const Names& names, std::string_view name) {
  const auto found = std::ranges::find(names, name, [](const auto& pair) { return pair.second; });
  return found == names.end() ? std::nullopt : std::optional(found->first);
}

template <typename Names, typename Value>
std::string_view name_in(const Names& names, Value value) {
  return std::ranges::find(names, value, [](const auto& pair) { return pair.first; })->second;
}

bool is_hash(std::string_view text) {
  return text.size() == stored_hash_digits &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// One line's members, with the first thing that is wrong with them. null counts as absent.
class LineReader {
 public:
  explicit LineReader(const Json& line) : line_(line) {}

  std::string text(std::string_view key, bool required = false) {
    const Json* value = find(key, required);
    if (!value) return {};
    if (const auto* found = value->as_string()) return *found;
    return refuse(key, "is not a string");
  }

  std::string id(std::string_view key, bool required = false) {
    std::string found = text(key, required);
    if (!found.empty() && !is_valid_id(found)) return refuse(key, "is not an id");
    if (required && found.empty()) return refuse(key, "is empty");
    return found;
  }

  std::string hash(std::string_view key, bool required = false) {
    std::string found = text(key, required);
    if ((required || !found.empty()) && !is_hash(found)) return refuse(key, "is not 32 hex digits");
    return found;
  }

  Instant time(std::string_view key) {
    const auto time = parse_time(text(key, true));
    if (!time) refuse(key, "is not a time");
    return time.value_or(Instant{});
  }

  std::int64_t integer(std::string_view key) {
    const Json* value = find(key, true);
    const auto* found = value ? value->as_integer() : nullptr;
    if (!found) refuse(key, "is not a whole number");
    return found ? *found : 0;
  }

  template <typename Names>
  auto choice(std::string_view key, const Names& names) {
    const auto value = value_named(names, text(key, true));
    if (!value) refuse(key, "is none that this version knows");
    return value.value_or(names.front().first);
  }

  const std::string& reason() const { return reason_; }  // empty: nothing is wrong

 private:
  const Json* find(std::string_view key, bool required) {
    const Json* value = line_.find(key);
    if (value && !value->is_null()) return value;
    if (required) refuse(key, "is missing");
    return nullptr;
  }

  std::string refuse(std::string_view key, std::string_view what) {
    if (reason_.empty()) reason_ = "\"" + std::string(key) + "\" " + std::string(what);
    return {};
  }

  const Json& line_;
  std::string reason_;
};

void read_line(LineReader& line, const Json&, LogFile<Tombstone>& log) {
  Tombstone tombstone;
  tombstone.at = line.time("at");
  tombstone.id = line.id("id", true);
  tombstone.text_hash = line.hash("text_hash");
  tombstone.reason = line.choice("reason", reason_names);
  tombstone.by = line.text("by");
  tombstone.superseded_by = line.id("superseded_by");
  tombstone.loose = line.hash("loose");
  if (line.reason().empty()) log.lines.push_back(std::move(tombstone));
}

// What is no list of refs and hashes is left out: without a line of its own a promotion settles nothing.
PromotedLines promotion_of(const Json& json) {
  PromotedLines promoted;
  promoted.generation = json.integer_at("gen");
  promoted.run = json.text_at("run");
  promoted.at = parse_time(json.text_at("at")).value_or(Instant{});
  const Json *lines = json.find("promoted"), *dropped = json.find("dropped");
  for (const Json& one : lines && lines->as_array() ? *lines->as_array() : Json::Array{})
    if (const std::string *ref = one.string_at("ref"), *hash = one.string_at("line_hash"); ref && hash)
      promoted.lines.emplace_back(*ref, *hash);
  if (!dropped || !dropped->as_array()) return promoted;
  promoted.dropped.emplace();
  for (const Json& ref : *dropped->as_array())
    if (ref.as_string()) promoted.dropped->push_back(*ref.as_string());
  return promoted;
}

void read_generation(LineReader& line, const Json& whole, LedgerFile& log) {
  GenerationMark mark;
  mark.generation = line.integer("gen");
  mark.run = line.text("run");
  mark.at = line.time("at");
  mark.whole = whole == Json(true);
  if (line.reason().empty()) log.generations.push_back(std::move(mark));
}

void read_line(LineReader& line, const Json& json, LedgerFile& log) {
  if (json.find("promoted")) return log.promotions.push_back(promotion_of(json));
  if (const Json* whole = json.find("whole")) return read_generation(line, *whole, log);
  LedgerEntry entry;
  entry.generation = line.integer("gen");
  entry.run = line.text("run");
  entry.at = line.time("at");
  entry.fact = line.id("fact", true);
  entry.fact_hash = line.hash("fact_hash", true);
  entry.outcome = line.choice("outcome", outcome_names);
  entry.entry = line.id("entry");
  entry.entry_hash = line.hash("entry_hash");
  entry.into = line.id("into");
  entry.why = line.text("why");
  if (line.reason().empty()) log.lines.push_back(std::move(entry));
}

template <typename File>
class LogParser {
 public:
  LogParser(std::string_view bytes, const std::string& relative_path, size_t from)
      : bytes_(bytes), relative_path_(relative_path), position_(std::min(from, bytes.size())) {
    log_.complete_bytes = position_;
  }

  File parse() {
    for (size_t end; (end = bytes_.find('\n', position_)) != std::string_view::npos; position_ = end + 1) {
      std::string_view line = bytes_.substr(position_, end - position_);
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.find_first_not_of(" \t") != std::string_view::npos) take(line);
    }
    log_.complete_bytes = position_;
    if (position_ < bytes_.size())
      report("torn-line", "the last line has no end, so it does not count; the next write to this file goes on behind it");
    if (skipped_ > problems_limit)
      log_.problems.push_back({relative_path_, 0, "broken-line", std::to_string(skipped_) + " lines in all cannot be read"});
    return std::move(log_);
  }

 private:
  void take(std::string_view text) {
    const auto json = parse_json(text, {.bytes = line_limit});
    if (!json) return report("broken-line", json.error().message);
    if (!json->as_object()) return report("broken-line", "not a JSON object");
    LineReader reader(*json);
    read_line(reader, *json, log_);
    if (!reader.reason().empty()) report("broken-line", reader.reason());
  }

  void report(std::string code, const std::string& what) {
    if (++skipped_ > problems_limit) return;
    const auto line = 1 + std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(position_), '\n');
    const std::string advice = code == "broken-line" ? "; the line is skipped" : "";
    log_.problems.push_back({relative_path_, static_cast<int>(line), std::move(code), what + advice});
  }

  std::string_view bytes_;
  const std::string& relative_path_;
  size_t position_;
  size_t skipped_ = 0;
  File log_;
};

void add_unless_empty(Json& line, std::string_view key, const std::string& value) {
  if (!value.empty()) line.set(key, value);
}

}  // namespace

LogFile<Tombstone> parse_tombstones(std::string_view bytes, const std::string& relative_path, size_t from) {
  return LogParser<LogFile<Tombstone>>(bytes, relative_path, from).parse();
}

LedgerFile parse_ledger(std::string_view bytes, const std::string& relative_path, size_t from) {
  return LogParser<LedgerFile>(bytes, relative_path, from).parse();
}

std::string format(const Tombstone& tombstone) {
  Json line = Json::object();
  line.set("at", format_rfc3339(tombstone.at));
  line.set("id", tombstone.id);
  add_unless_empty(line, "text_hash", tombstone.text_hash);
  line.set("reason", name_in(reason_names, tombstone.reason));
  line.set("by", tombstone.by);
  add_unless_empty(line, "superseded_by", tombstone.superseded_by);
  add_unless_empty(line, "loose", tombstone.loose);
  return to_string(line) + '\n';
}

std::string format(const LedgerEntry& entry) {
  Json line = Json::object();
  line.set("gen", entry.generation);
  line.set("run", entry.run);
  line.set("at", format_rfc3339(entry.at));
  line.set("fact", entry.fact);
  line.set("fact_hash", entry.fact_hash);
  line.set("outcome", name_in(outcome_names, entry.outcome));
  add_unless_empty(line, "entry", entry.entry);
  add_unless_empty(line, "entry_hash", entry.entry_hash);
  add_unless_empty(line, "into", entry.into);
  add_unless_empty(line, "why", entry.why);
  return to_string(line) + '\n';
}

std::string format(const PromotedLines& promoted) {
  Json lines = Json::array();
  for (const auto& [ref, hash] : promoted.lines) {
    Json one = Json::object();
    one.set("ref", ref);
    one.set("line_hash", hash);
    lines.push_back(std::move(one));
  }
  Json line = Json::object();
  line.set("gen", promoted.generation);
  line.set("run", promoted.run);
  line.set("at", format_rfc3339(promoted.at));
  line.set("promoted", std::move(lines));
  if (promoted.dropped) line.set("dropped", *promoted.dropped);
  return to_string(line) + '\n';
}

std::string format(const GenerationMark& mark) {
  Json line = Json::object();
  line.set("gen", mark.generation);
  line.set("run", mark.run);
  line.set("at", format_rfc3339(mark.at));
  line.set("whole", mark.whole);
  return to_string(line) + '\n';
}

std::string_view name_of(Reason reason) { return name_in(reason_names, reason); }

std::string_view name_of(Outcome outcome) { return name_in(outcome_names, outcome); }

std::string host_of_log(std::string_view relative_path) {
  const std::string_view name = relative_path.substr(relative_path.rfind('/') + 1);  // npos + 1 is 0
  return std::string(name.substr(0, name.find('.')));
}

}  // namespace loci
