// The shapes that several operations answer with; memory/json_shapes.h makes them. Constants.
#pragma once

#include "operations/shape.h"

namespace loci::shapes {

using Type = Field::Type;
inline constexpr auto programs = Field::For::programs;

inline constexpr Field place[] = {{"file"}, {"line", Type::integer}};

inline constexpr Field entry[] = {
    {"id"},
    {"layer"},
    {"kind"},
    {"text"},
    {"source"},
    {"confidence", Type::number},
    {"at"},
    {"updated"},
    {"file"},
    {"line", Type::integer},
    {"line_end", Type::integer, programs},
    {"places", Type::objects, programs, place},
    {"place_count", Type::integer, programs},
    {"hash", Type::text, programs},
    {"role"},
    {"section", Type::texts},
    {"tags", Type::texts},
    {"project"},
    {"task"},
    {"session"},
    {"turn", Type::integer},
    {"status"},
    {"recalls", Type::integer, programs},
    {"first_seen", Type::text, programs},
    {"sources", Type::texts, programs},
    {"from", Type::texts, programs},
};

inline constexpr Field problem[] = {{"file"}, {"line", Type::integer}, {"code"}, {"message"}};

inline constexpr Field index_state[] = {{"generation", Type::integer}, {"pending_files", Type::integer}, {"checked_at"}};

}  // namespace loci::shapes
