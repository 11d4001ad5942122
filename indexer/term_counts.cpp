#include "indexer/term_counts.h"

#include <algorithm>

namespace loci {
namespace {

enum class Step : std::uint8_t { row, stem_of_text, other_term, count_row, count_fact };

void add(std::string& bytes, Step step) { ByteWriter(bytes).fixed(static_cast<std::uint8_t>(step)); }

}  // namespace

void TermRecord::begin_row() { add(bytes_, Step::row); }

void TermRecord::add_term(std::string_view term, bool is_stem_of_text) {
  add(bytes_, is_stem_of_text ? Step::stem_of_text : Step::other_term);
  ByteWriter(bytes_).text(term);
}

void TermRecord::count_row(int change) {
  add(bytes_, Step::count_row);
  ByteWriter(bytes_).fixed(change);
}

void TermRecord::count_fact(int change) {
  add(bytes_, Step::count_fact);
  ByteWriter(bytes_).fixed(change);
}

void TermCounts::replay(std::string_view record) {
  for (ByteReader in(record); !in.at_end();) switch (const auto step = static_cast<Step>(in.fixed<std::uint8_t>()); step) {
      case Step::row:
        begin_row();
        break;
      case Step::stem_of_text:
      case Step::other_term:
        add_term(in.text(), step == Step::stem_of_text);
        break;
      case Step::count_row:
        for (const int change = in.fixed<int>(); const TermOfRow& term : terms_) term.count->rows += change;
        break;
      case Step::count_fact:
        for (const int change = in.fixed<int>(); const TermOfRow& term : terms_)
          if (term.is_stem_of_text) term.count->facts += change;
        break;
    }
}

// The empty term stands in every row and every text.
void TermCounts::begin_row() {
  terms_.clear();
  ++row_;
  add_term({}, true);
}

void TermCounts::add_term(std::string_view term, bool is_stem_of_text) {
  auto known = changes_.find(term);
  if (known == changes_.end()) known = changes_.emplace(std::string(term), Count()).first;
  Count& count = known->second;
  if (count.row == row_) {
    terms_[count.place].is_stem_of_text |= is_stem_of_text;
    return;
  }
  count.row = row_;
  count.place = terms_.size();
  terms_.push_back({&count, is_stem_of_text});
}

std::vector<std::pair<std::string, TermCounts::Count>> TermCounts::take() {
  std::vector<std::pair<std::string, Count>> changes(changes_.begin(), changes_.end());
  changes_.clear();
  terms_.clear();
  std::ranges::sort(changes, {}, &std::pair<std::string, Count>::first);
  return changes;
}

}  // namespace loci
