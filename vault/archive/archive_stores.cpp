#include "vault/archive/archive_stores.h"

#include "vault/purge/purge_json.h"
#include "vault/purge/purge_markdown.h"

namespace loci {
namespace {

// The text goes from the bytes that would be appended again. A line that cannot be read is of no use to anybody.
std::optional<std::string> purge_journal(std::string_view, std::string_view bytes, const PurgedText& text) {
  return purge_json_lines(bytes, text, [&](Json& line) {
    const std::string* appended = line.string_at("bytes");
    if (!appended) return PurgedLine::stays;
    line.set("bytes", purge_markdown(*appended, text));
    return PurgedLine::stays;
  });
}

}  // namespace

constinit const Store journal_store{"the journal of appends", StoreRoot::state, "journal/", Permissions::owner, purge_journal};
constinit const Store tail_store{"the notes of where files end", StoreRoot::state, "tails/", Permissions::owner};
constinit const Store verdict_store{"what was found out about lost entries", StoreRoot::state, "verdicts/", Permissions::owner};

}  // namespace loci
