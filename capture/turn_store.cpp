#include "capture/turn_store.h"

#include "vault/purge/purge_json.h"
#include "vault/purge/purge_markdown.h"

namespace loci {
namespace {

// Words of a conversation that stand in no entry yet: half of those of the text are enough.
std::optional<std::string> purge_turns(std::string_view file, std::string_view bytes, const PurgedText& text) {
  if (file.ends_with(".json")) return purge_json_file(bytes, text);
  return purge_json_lines(bytes, text, [&](Json& line) {
    for (const char* side : {"user", "assistant"})
      if (const std::string* said = line.string_at(side); said && text.is_said_in(*said)) line.set(side, purged_placeholder);
    purge_json(line, text);
    return PurgedLine::stays;
  });
}

}  // namespace

constinit const Store turn_store{
    "what is kept of conversations", StoreRoot::state, "turns/", Permissions::owner, purge_turns, "turns"};

}  // namespace loci
