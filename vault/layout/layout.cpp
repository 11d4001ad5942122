#include "vault/layout/layout.h"

#include <algorithm>

#include "base/clock.h"

namespace loci {

std::string_view name_of(Layer layer) {
  switch (layer) {
    case Layer::L0:
      return "L0";
    case Layer::L1:
      return "L1";
    case Layer::L2:
      return "L2";
  }
  return "L1";
}

std::optional<Layer> layer_from(std::string_view name) {
  for (const Layer layer : {Layer::L0, Layer::L1, Layer::L2})
    if (name == name_of(layer)) return layer;
  return std::nullopt;
}

Place place_of(std::string_view relative_path) {
  if (relative_path.starts_with("archive/")) return Place::archive;
  if (relative_path.starts_with("consolidated/")) return Place::consolidated;
  if (relative_path == "MEMORY.md") return Place::core;
  if (relative_path == "user.md") return Place::user;
  return Place::note;
}

Layer layer_of(Place place, EntryKind kind, bool settled) {
  switch (place) {
    case Place::core:
    case Place::user:
      return Layer::L0;
    case Place::consolidated:
    case Place::note:
      return Layer::L1;
    case Place::archive:
      break;
  }
  return kind == EntryKind::fact && !settled ? Layer::L1 : Layer::L2;
}

Source believed_source(Place place, std::optional<Source> claimed, bool untrusted) {
  if (untrusted) return Source::system;
  const Source source = claimed.value_or(Source::user);
  return place == Place::note ? std::min(source, Source::user) : source;
}

EntryKind believed_kind(Place place, std::optional<EntryKind> claimed) {
  return place == Place::archive ? claimed.value_or(EntryKind::fact) : EntryKind::fact;
}

bool is_conversation_file(std::string_view relative_path) { return relative_path.starts_with("archive/sessions/"); }

std::string_view date_in_name(std::string_view relative_path) {
  constexpr std::size_t date_size = 10;  // "2026-11-21"
  const auto slash = relative_path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? relative_path : relative_path.substr(slash + 1);
  if (name.size() < date_size || name[4] != '-' || name[7] != '-') return {};
  const bool goes_on = name.size() > date_size && name[date_size] >= '0' && name[date_size] <= '9';
  const std::string_view date = name.substr(0, date_size);
  return goes_on || !parse_time(date) ? std::string_view{} : date;
}

}  // namespace loci
