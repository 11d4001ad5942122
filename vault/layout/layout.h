// What a path inside a vault means: pure functions over the relative path. docs/guide.md ("A vault is a folder") says it to people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parser/metadata.h"

namespace loci {

enum class Place : std::uint8_t {
  archive,       // archive/**
  consolidated,  // consolidated/**
  core,          // MEMORY.md at the root
  user,          // user.md at the root
  note,          // every other markdown file
};

enum class Layer : std::uint8_t { L0, L1, L2 };
std::string_view name_of(Layer layer);  // "L0"
std::optional<Layer> layer_from(std::string_view name);

Place place_of(std::string_view relative_path);

// L0: user.md and MEMORY.md. L1: consolidated, notes, and archive facts that are pending or were ignored. L2: the rest of the
// archive.
Layer layer_of(Place place, EntryKind kind, bool settled);

// The source that is believed: what the metadata says in the four memory places, elsewhere at most `user`, and at most
// `system` in an untrusted file. Without metadata: `user`, or `system` in an untrusted file.
Source believed_source(Place place, std::optional<Source> claimed, bool untrusted);

// What was said and summed up stands in archive/: elsewhere every entry is a fact, whatever it claims to be.
EntryKind believed_kind(Place place, std::optional<EntryKind> claimed);

// archive/sessions/**: where the turns and summaries of a conversation count as such.
bool is_conversation_file(std::string_view relative_path);

// The day that the file's name starts with, "2026-11-21"; empty if it starts with none.
std::string_view date_in_name(std::string_view relative_path);

}  // namespace loci
