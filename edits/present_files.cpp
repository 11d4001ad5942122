#include "edits/present_files.h"

#include "parser/parser.h"
#include "parser/text_hash.h"

namespace loci {
namespace {

constexpr std::chrono::seconds young{2};  // two writes within one tick of the clock have one time

Instant instant_of(std::int64_t ns) {
  return Instant(std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::nanoseconds(ns)));
}

FileSignature signature_of(const FileState& state) { return {state.size, state.inode, state.mtime_ns, state.ctime_ns}; }

}  // namespace

bool stands_as_looked_at(const Vault& vault, const FileRecord* known) {
  if (!known || !known->looked_at) return false;
  const auto stat = examine(vault, known->file);
  return stat && *stat && signature_of(**stat) == *known->looked_at;
}

const PresentFile& PresentFiles::of(const std::string& file) {
  const auto known = files_.find(file);
  return known != files_.end() ? known->second : files_.emplace(file, read(file)).first->second;
}

const std::map<std::string, std::string>& PresentFiles::words_of(const std::string& file) {
  const auto [known, is_new] = words_.try_emplace(file);
  if (!is_new) return known->second;
  for (const ParsedEntry& entry : parse(of(file).bytes).entries) {
    if (place_of(file) == Place::core && entry.metadata && !entry.metadata->ref.empty()) continue;
    for (const std::string& hash : {entry.hash, loose_text_hash(entry.text)}) known->second.emplace(hash, entry.id);
  }
  return known->second;
}

bool PresentFiles::has_changed(const std::string& file) {
  const auto now = examine(vault_, file);
  return now && *now != of(file).state;
}

PresentFile PresentFiles::read(const std::string& file) const {
  PresentFile now;
  const auto stat = examine(vault_, file);
  auto bytes = read_file_if_any(vault_.files(), vault_.file(file), static_cast<size_t>(vault_.config().max_file_bytes));
  const auto again = examine(vault_, file);
  now.readable = bytes.has_value() && stat.has_value();
  now.exists = bytes && *bytes;
  if (now.exists) now.bytes = std::move(**bytes);
  if (stat) now.state = *stat;
  now.seen = now.exists ? see_file(place_of(file), now.bytes) : SeenFile{};
  if (!stat || !*stat || !again || *again != *stat) return now;
  now.saved_at = instant_of((*stat)->mtime_ns);
  if (now_ - now.saved_at >= young) now.signature = signature_of(**stat);
  return now;
}

}  // namespace loci
