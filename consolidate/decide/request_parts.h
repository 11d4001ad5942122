// What the requests of consolidation are made of: schemas as the strictest provider wants them, and texts as data. Pure.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "consolidate/decide/material.h"

namespace loci {

// All properties required, no others.
Json object_schema(std::initializer_list<std::pair<std::string_view, Json>> properties);
Json typed(std::string_view type);
Json list_of(Json items);
Json one_of(std::initializer_list<std::string_view> names);

// `,"source":"user","date":"2026-11-20","weekday":"Friday"`: who said it, and on which day.
std::string said_when(Source source, std::string_view date);
// The day of an entry: the newest that was said in it.
const std::string& day_of(const DurableEntry& entry);

}  // namespace loci
