#include "tokens/token_counter.h"

#include "base/unicode.h"
#include "tokens/estimate.h"
#include "tokens/merge.h"

namespace loci {

std::optional<Encoding> encoding_from(std::string_view name) {
  for (const Encoding encoding : {Encoding::cl100k_base, Encoding::o200k_base})
    if (name == name_of(encoding)) return encoding;
  return std::nullopt;
}

std::string_view name_of(Encoding encoding) { return encoding == Encoding::o200k_base ? "o200k_base" : "cl100k_base"; }

std::optional<std::vector<std::uint32_t>> TokenCounter::encode(std::string_view text) const {
  const Splitter* splitter = table_ ? Splitter::of(encoding_) : nullptr;
  if (!splitter) return std::nullopt;
  std::string scrubbed;
  if (!is_valid_utf8(text)) text = scrubbed = scrub_utf8(text);
  std::vector<std::uint32_t> ranks;
  if (!splitter->split(text, [&](std::string_view piece) { merge(*table_, piece, ranks); })) return std::nullopt;
  return ranks;
}

TokenCount TokenCounter::count(std::string_view text) const {
  const auto ranks = encode(text);
  if (!ranks) return {estimate_tokens(text), false};
  return {static_cast<std::int64_t>(ranks->size()), true};
}

}  // namespace loci
