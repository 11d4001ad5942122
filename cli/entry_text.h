// How entries look to a person. Everything that comes from a memory goes through printable() or one_line().
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "cli/output.h"
#include "indexer/entry.h"
#include "indexer/index_reader.h"

namespace loci::cli {

// "archive/2026-11-21.md:7"
std::string place_text(const Entry& entry);

// "2026-11-21 20:14" on the clock on the wall; "2026-11-21" if only a day is known; "-" if nothing is. For people: JSON is in UTC.
std::string time_text(const Clock& clock, const std::optional<Instant>& at);

// ", costs 0.0231" behind what was spent, in the currency of [models.NAME] price_per_million; empty if that is not known.
std::string price_text(const std::optional<double>& price);

// One line: id, the day where this machine is, place, the beginning of the text.
void print_entry_line(Output& out, const Clock& clock, const Entry& entry);

// Id and place on one line, the facts about it on the next, then the whole text.
void print_entry(Output& out, const Clock& clock, const Entry& entry);

// "agent, fact, 2026-11-21 20:14, #deploy, project atlas"
std::string about_text(const Clock& clock, const Entry& entry);

}  // namespace loci::cli
