#include <algorithm>
#include <utility>

#include "importers/record.h"
#include "parser/tag_marks.h"

namespace loci::importers {
namespace {

void append_paragraph(std::string& text, std::string_view more) {
  if (!text.empty()) text += "\n\n";
  text += more;
}

}  // namespace

Conversation::Conversation(Records& records, std::string session, std::string project)
    : records_(records), session_(std::move(session)), project_(std::move(project)) {}

void Conversation::add_origin(const std::string& session) {
  if (session != session_ && std::ranges::find(origins_, session) == origins_.end()) origins_.push_back(session);
}

void Conversation::set_title(std::string_view title) { tags_ = marks_in_prose(title); }

bool Conversation::keeps_out(std::string_view text, std::optional<Instant> at) {
  return records_.keeps_out(session_, text, at) ||
         std::ranges::any_of(origins_, [&](const std::string& origin) { return records_.keeps_out(origin, text, at); });
}

Status Conversation::user(std::string_view text, std::optional<Instant> at, std::string_view key) {
  if (is_answered_) TRY(end());
  is_begun_ = true;
  is_out_ = keeps_out(text, at);
  turn_.is_kept_out = turn_.is_kept_out || is_out_;
  if (is_out_) return {};
  if (turn_.user.empty()) {
    turn_.key = key;
    turn_.at = at;
  }
  append_paragraph(turn_.user, text);
  return {};
}

Status Conversation::assistant(std::string_view text, std::optional<Instant> at, std::string_view key) {
  is_begun_ = is_answered_ = true;
  is_out_ = is_out_ || keeps_out({}, at);
  if (is_out_) return {};
  if (turn_.key.empty()) turn_.key = key;
  if (!turn_.at) turn_.at = at;
  append_paragraph(turn_.assistant, text);
  return {};
}

Status Conversation::end() {
  SaidTurn turn = std::exchange(turn_, {});
  is_answered_ = is_out_ = false;
  if (!std::exchange(is_begun_, false)) return {};
  turn.session = session_;
  turn.project = project_;
  turn.tags = tags_;
  turn.number = number_++;
  return records_.take(std::move(turn));
}

}  // namespace loci::importers
