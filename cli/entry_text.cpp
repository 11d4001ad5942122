#include "cli/entry_text.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/named_day.h"
#include "base/wall_time.h"

namespace loci::cli {
namespace {

std::string padded(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

}  // namespace

std::string place_text(const Entry& entry) {
  if (entry.places.empty()) return "-";
  const EntryPlace& place = entry.places.front();
  return printable(place.file) + ":" + std::to_string(place.line);
}

std::string time_text(const Clock& clock, const std::optional<Instant>& at) {
  if (!at) return "-";
  const bool is_day = *at == std::chrono::floor<std::chrono::days>(*at);  // no time is known
  return is_day ? named_day(clock, *at) : clock.local_date(*at) + ' ' + wall_time(*at);
}

std::string price_text(const std::optional<double>& price) {
  if (!price) return {};
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), *price < 1 ? ", costs %.4f" : ", costs %.2f", *price);
  return text.data();
}

std::string about_text(const Clock& clock, const Entry& entry) {
  std::string out =
      std::string(name_of(entry.layer)) + ", " + std::string(name_of(entry.source)) + ", " + std::string(name_of(entry.kind));
  if (entry.at) out += ", " + time_text(clock, entry.at);
  if (!entry.session.empty()) out += ", session " + entry.session;
  if (entry.turn) out += ", turn " + std::to_string(*entry.turn);
  if (!entry.role.empty()) out += ", " + entry.role;
  if (!entry.project.empty()) out += ", project " + entry.project;
  for (const std::string& tag : entry.tags) out += " #" + tag;
  if (!entry.active) out += ", inactive";
  return one_line(out, 1000);
}

void print_entry_line(Output& out, const Clock& clock, const Entry& entry) {
  const std::string head = padded(entry.id, 16) + "  " + (entry.at ? named_day(clock, *entry.at) : "-         ");
  const std::string place = place_text(entry);
  const size_t used = head.size() + place.size() + 4;
  const auto columns = static_cast<size_t>(out.columns());
  const size_t room = out.terminal() && columns > used + 20 ? columns - used : 100;
  out.line(out.styled(Style::id, padded(entry.id, 16)) + head.substr(std::max<size_t>(16, entry.id.size())) + "  " +
           out.styled(Style::place, place) + "  " + one_line(entry.text, room));
}

void print_entry(Output& out, const Clock& clock, const Entry& entry) {
  out.line(out.styled(Style::id, entry.id) + "  " + out.styled(Style::place, place_text(entry)));
  out.line(out.styled(Style::dim, about_text(clock, entry)));
  out.line();
  out.line(printable(entry.text));
}

}  // namespace loci::cli
