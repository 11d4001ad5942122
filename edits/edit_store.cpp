#include "edits/edit_store.h"

#include "parser/core_file.h"
#include "vault/purge/purge_json.h"
#include "vault/purge/purge_markdown.h"

namespace loci {
namespace {

// An act that is about what was purged goes: its id is made of the text.
std::optional<std::string> purge_edits(std::string_view file, std::string_view bytes, const PurgedText& text) {
  if (file.ends_with(".md")) return purge_memory_file(core_file_name, bytes, text);  // a file as it was before an answer
  if (file.ends_with(".json")) return purge_json_file(bytes, text);
  return purge_json_lines(bytes, text, [&](Json& line) {
    const bool goes =
        text.has_id(line.text_at("entry")) || text.has_hash(line.text_at("before")) || text.has_hash(line.text_at("after"));
    return goes ? PurgedLine::goes : PurgedLine::stays;
  });
}

}  // namespace

constinit const Store edit_store{"what edits are told from", StoreRoot::state, "edits/", Permissions::owner, purge_edits, "edits"};

}  // namespace loci
