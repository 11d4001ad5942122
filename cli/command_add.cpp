#include <algorithm>

#include "cli/command.h"
#include "cli/standard_input.h"
#include "edits/understand.h"
#include "memory/add.h"
#include "memory/json_shapes.h"
#include "memory/private_tag.h"

namespace loci::cli {
namespace {

constexpr PositionalSpec add_positionals[] = {{"TEXT", ValueKind::text, false, true}};
constexpr OptionSpec add_options[] = {
    {"--tag", "TAG", ValueKind::tag, "give it this tag", true},
    {"--project", "NAME", ValueKind::project, "the project it belongs to"},
    {"--task", "ID", ValueKind::task, "the task it belongs to"},
    {"--category", "NAME", ValueKind::text, "preference, decision, or whatever you like"},
    {"--confidence", "SHARE", ValueKind::share, "how sure it is, from 0 to 1"},
    {"--session", "ID", ValueKind::session, "the conversation in which it was said"},
    {"--turn", "N", ValueKind::number, "and the turn of it"},
    {"--kind", "KIND", ValueKind::kind, "what it is (else a fact)"},
    {"--jsonl", "", ValueKind::none, "read many from standard input, one JSON object a line"},
};

constexpr size_t batch_size = 256;  // entries of one append: one fdatasync for all of them

Metadata metadata_from(const Arguments& arguments) {
  Metadata metadata;
  metadata.source = Source::user;
  metadata.tags = arguments.all("--tag");
  metadata.project = arguments.text("--project");
  metadata.task = arguments.text("--task");
  metadata.category = arguments.text("--category");
  metadata.confidence = arguments.share("--confidence");
  metadata.session = arguments.text("--session");
  metadata.turn = arguments.number("--turn");
  metadata.kind = kind_from(arguments.text("--kind"));
  return metadata;
}

Json appended_to_json(const Appended& entry) {
  Json value = versioned();
  value.add_unchecked("id", entry.id);
  value.add_unchecked("file", entry.file);
  value.add_unchecked("line", entry.line);
  return value;
}

void warn_unsearchable(Output& out, const Searchable& searchable) {
  if (!searchable.yes) out.warn("stored, but not searchable yet: " + searchable.reason);
}

Result<int> add_one(Invocation& invocation, Memory& memory) {
  std::string text = invocation.arguments.joined();
  if (text == "-") {
    auto input = TRY(read_standard_input(max_entry_bytes));
    text = std::move(input);
  }
  const Metadata metadata = metadata_from(invocation.arguments);
  const auto added = TRY(add(memory, {NewEntry{metadata, std::move(text)}}));
  const Appended& entry = added.entries.front();
  Output& out = invocation.out;
  if (out.json()) {
    Json value = appended_to_json(entry);
    value.add_unchecked("searchable", added.searchable.yes);
    out.value(value);
  } else
    out.line(out.terminal()
                 ? out.styled(Style::id, entry.id) + "  " + out.styled(Style::place, entry.file + ":" + std::to_string(entry.line))
                 : entry.id);
  warn_unsearchable(out, added.searchable);
  for (const std::string& note : added.notes) out.warn(note);
  return 0;
}

// Reads many lines, stores them in batches, and goes on behind a bad one.
class ManyEntries {
 public:
  ManyEntries(Invocation& invocation, Memory& memory)
      : invocation_(invocation),
        memory_(memory),
        common_(metadata_from(invocation.arguments)),
        open_tag_(memory.vault().config()) {}

  void take(const InputLine& line) {
    if (line.text.find_first_not_of(" \t\r") == std::string_view::npos && !line.too_long) return;
    auto entry = line.too_long ? Result<NewEntry>(fail(ErrorCode::usage, "the line is too long"))
                               : entry_from_json_line(line.text, Actor::person);
    if (!entry) return report(line.number, entry.error());
    apply_common(entry->metadata);
    batch_.push_back(std::move(*entry));
    numbers_.push_back(line.number);
    if (batch_.size() == batch_size) store();
  }

  Status finish() {
    store();
    if (!files_.empty()) warn_unsearchable(invocation_.out, make_searchable(memory_, files_));
    if (open_ > 0) invocation_.out.warn(OpenPrivateTag::warning(open_));
    return {};
  }

  bool all_stored() const { return bad_ == 0; }
  size_t stored() const { return stored_; }
  size_t bad() const { return bad_; }

 private:
  // What the options say holds where the line says nothing.
  void apply_common(Metadata& metadata) const {
    if (metadata.project.empty()) metadata.project = common_.project;
    if (metadata.task.empty()) metadata.task = common_.task;
    if (metadata.category.empty()) metadata.category = common_.category;
    if (metadata.session.empty()) metadata.session = common_.session;
    if (!metadata.turn) metadata.turn = common_.turn;
    if (!metadata.kind) metadata.kind = common_.kind;
    if (!metadata.confidence) metadata.confidence = common_.confidence;
    for (const std::string& tag : common_.tags)
      if (std::ranges::find(metadata.tags, tag) == metadata.tags.end()) metadata.tags.push_back(tag);
  }

  void store() {
    if (batch_.empty()) return;
    const auto batch = std::exchange(batch_, {});
    const auto numbers = std::exchange(numbers_, {});
    if (auto appended = append_new(memory_, batch)) {
      for (size_t i = 0; i < batch.size(); ++i) acknowledge(batch[i], (*appended)[i]);
      return;
    } else if (batch.size() == 1 || appended.error().code != ErrorCode::refused) {
      for (const int number : numbers) report(number, appended.error());
      return;
    }
    // One of them was refused, and nothing was written: one by one, so that the others are stored.
    for (size_t i = 0; i < batch.size(); ++i) {
      const auto appended = append_new(memory_, {batch[i]});
      if (appended)
        acknowledge(batch[i], appended->front());
      else
        report(numbers[i], appended.error());
    }
  }

  void acknowledge(const NewEntry& given, const Appended& entry) {
    ++stored_;
    if (open_tag_.is_on(given)) ++open_;
    if (std::ranges::find(files_, entry.file) == files_.end()) files_.push_back(entry.file);
    if (invocation_.out.json())
      invocation_.out.value(appended_to_json(entry));
    else
      invocation_.out.line(entry.id);
  }

  void report(int number, const Error& error) {
    ++bad_;
    Error located = error;
    located.file = "standard input";
    located.line = number;
    invocation_.out.error(located);
  }

  Invocation& invocation_;
  Memory& memory_;
  Metadata common_;
  std::vector<NewEntry> batch_;
  std::vector<int> numbers_;  // of the lines in the batch
  std::vector<std::string> files_;
  OpenPrivateTag open_tag_;
  size_t stored_ = 0, bad_ = 0, open_ = 0;
};

Result<int> add_many(Invocation& invocation, Memory& memory) {
  ManyEntries many(invocation, memory);
  const auto read = read_lines(2 * max_entry_bytes, [&](const InputLine& line) {
    many.take(line);
    return true;
  });
  TRY(many.finish());
  if (!read) return std::unexpected(read.error());
  if (many.all_stored()) return 0;
  invocation.out.note(std::to_string(many.stored()) + " stored, " + std::to_string(many.bad()) + " bad lines left out");
  return 1;
}

Result<int> run_add(Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  const bool many = invocation.arguments.has("--jsonl");
  if (!many && words.empty())
    return fail(ErrorCode::usage, "TEXT is missing", "write the text, or - to read it from standard input");
  if (many && !(words.empty() || words == std::vector<std::string>{"-"}))
    return fail(ErrorCode::usage, "--jsonl reads standard input: TEXT makes no sense with it");
  auto memory = TRY(invocation.open_memory_to_add());
  auto added = many ? add_many(invocation, memory) : add_one(invocation, memory);
  (void)follow_entries_in_core(memory);  // what was changed by hand since; if it cannot be had now, the next command does it
  return added;
}

}  // namespace

constinit const Command add_command = {
    "add",
    "Store an entry in today's archive",
    "Prints the id of the entry, which is found from then on. TEXT - reads it from standard input.\n"
    "With --jsonl each line is an object with \"text\" and, if you like, source, kind, tags, project, task, category,\n"
    "confidence, session, turn, role and at. A bad line is reported with its number, the others are stored.",
    add_positionals,
    add_options,
    run_add};

}  // namespace loci::cli
