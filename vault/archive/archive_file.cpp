#include "vault/archive/archive_file.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/id.h"
#include "vault/archive/append.h"
#include "vault/archive/journal.h"
#include "vault/git/git_operation.h"
#include "vault/layout/inside.h"
#include "vault/rewrite/replace.h"

namespace loci {
namespace {

constexpr size_t date_length = std::string_view("2026-11-21").size();

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

constexpr const char* conversations_folder = "archive/sessions";

bool exists(const Vault& vault, const std::string& file) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(vault.file(file), ignored));
}

// What is known of a stem's files while git works: git may have taken some of them away for the moment, so the journal counts too.
struct NumberDuringGit {
  int highest = 0;
  bool is_fresh = false;  // the highest one was made since the operation began
};

Result<NumberDuringGit> number_during_git(const Vault& vault, const ArchiveStem& stem, int highest, Instant since) {
  const auto records = TRY(read_journal(vault));
  const auto is_journalled = [&](int number) {
    return std::ranges::find(records, numbered_file(stem.stem, number), &JournalRecord::file) != records.end();
  };
  while (is_journalled(highest + 1)) ++highest;
  const bool is_fresh = std::ranges::any_of(records, [&](const JournalRecord& record) {
    return record.file == numbered_file(stem.stem, highest) && record.at >= since && record.offset <= stem.heading.size() + 1;
  });
  return NumberDuringGit{highest, is_fresh};
}

// Makes the file with its heading, whole from the moment that it has its name: of several processes that make it at once one wins,
// and the heading stands once.
Status make_archive_file(const Vault& vault, const ArchiveStem& stem, const std::string& file) {
  auto made = create_file(vault, file, stem.heading);
  if (!made && made.error().code == ErrorCode::refused) return {};  // another one made it
  return made;
}

Result<OpenArchive> open_numbered(const Vault& vault, const std::string& file) {
  const auto name = TRY(resolve_inside(vault, file));
  auto fd = TRY(vault.files().open(name, O_RDWR | O_APPEND | O_NOCTTY | O_NONBLOCK));
  return OpenArchive{.file = file, .name = name, .fd = std::move(fd), .tail = {}};
}

// True if the file can take `bytes` more; fills in what was seen of its end. A file that has only its heading takes anything.
Result<bool> can_take(const Vault& vault, const ArchiveStem& stem, OpenArchive& archive, std::uint64_t bytes) {
  const auto tail = TRY(examine_tail(vault, archive.file, archive.fd, archive.name));
  archive.tail = tail;
  return tail.takes_entries && (tail.size + bytes <= rotation_limit(vault) || tail.size <= stem.heading.size());
}

}  // namespace

std::string numbered_file(const std::string& stem, int number) {
  return number <= 1 ? stem + ".md" : stem + '.' + std::to_string(number) + ".md";
}

std::string session_in_name(std::string_view session) {
  constexpr size_t longest = 64;
  if (!session.empty() && session.size() <= longest && std::ranges::all_of(session, is_name_character)) return std::string(session);
  return hex(as_bytes(sha256(session)), 32);
}

std::uint64_t rotation_limit(const Vault& vault) {
  return std::min<std::uint64_t>(rotation_bytes, static_cast<std::uint64_t>(vault.config().max_file_bytes));
}

bool goes_to_conversation(const Metadata& metadata) {
  return !metadata.session.empty() && (metadata.kind == EntryKind::turn || metadata.kind == EntryKind::session_summary);
}

const std::string* FirstDays::of(const std::string& ending) {
  if (!std::exchange(is_read_, true)) read();
  const auto found = days_.find(ending);
  return found == days_.end() ? nullptr : &found->second;
}

void FirstDays::read() {
  std::error_code ignored;  // no folder yet: no file
  for (const auto& item : std::filesystem::directory_iterator(vault_.file(conversations_folder), ignored)) {
    std::string_view name = item.path().native();
    name.remove_prefix(name.rfind('/') + 1);
    if (name.size() < date_length || !name.ends_with(".md") || !parse_time(name.substr(0, date_length))) continue;
    const std::string_view day = name.substr(0, date_length);
    std::string_view ending = name.substr(date_length, name.size() - date_length - std::string_view(".md").size());
    const auto note = [&] {
      const auto [place, is_new] = days_.try_emplace(std::string(ending), day);
      if (!is_new && day < place->second) place->second = day;
    };
    note();
    // "-a1b2.k3f9.2": a number may follow, which looks like a host's id.
    const size_t dot = ending.rfind('.');
    if (dot == std::string_view::npos || dot + 1 == ending.size()) continue;
    if (ending.find_first_not_of("0123456789", dot + 1) != std::string_view::npos) continue;
    ending = ending.substr(0, dot);
    note();
  }
}

ArchiveStem archive_stem(FirstDays& first_days, const Vault& vault, const Metadata& metadata, const std::string& day,
                         const std::string& host) {
  const std::string host_suffix = host.empty() ? "" : '.' + host;
  if (!goes_to_conversation(metadata)) return {"archive/" + day + host_suffix, "# " + day + '\n'};

  const std::string folder = conversations_folder, ending = '-' + session_in_name(metadata.session) + host_suffix;
  std::string first = day;
  // Reading a folder of ten thousand conversations takes milliseconds; today's need not pay that.
  if (!exists(vault, numbered_file(folder + '/' + day + ending, 1)))
    if (const std::string* found = first_days.of(ending)) first = *found;
  return {folder + '/' + first + ending, "# Conversation of " + first + '\n'};
}

Result<OpenArchive> open_archive(const Vault& vault, const ArchiveStem& stem, std::uint64_t bytes) {
  int number = 0;
  while (exists(vault, numbered_file(stem.stem, number + 1))) ++number;
  if (const auto operation = git_operation_around(vault.root())) {
    const auto during = TRY(number_during_git(vault, stem, number, operation->since));
    number = during.is_fresh ? during.highest : during.highest + 1;
  }
  // Another process may make and fill files at the same time, so the end is not known beforehand; it comes at most a few numbers
  // on.
  for (number = std::max(number, 1);; ++number) {
    const std::string file = numbered_file(stem.stem, number);
    if (!exists(vault, file)) TRY(make_archive_file(vault, stem, file));
    auto archive = TRY(open_numbered(vault, file));
    const auto takes = TRY(can_take(vault, stem, archive, bytes));
    if (takes) return archive;
  }
}

}  // namespace loci
