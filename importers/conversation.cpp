#include "importers/record.h"

namespace loci::importers {
namespace {

void append_paragraph(std::string& text, std::string_view more) {
  if (!text.empty()) text += "\n\n";
  text += more;
}

}  // namespace

Conversation::Conversation(Records& records, std::string session, std::string project)
    : records_(records), session_(std::move(session)), project_(std::move(project)) {}

Status Conversation::user(std::string_view text, std::optional<Instant> at, std::string_view key) {
  if (!turn_.assistant.empty()) TRY(end());
  if (turn_.user.empty()) {
    turn_.key = key;
    turn_.at = at;
  }
  append_paragraph(turn_.user, text);
  return {};
}

Status Conversation::assistant(std::string_view text, std::optional<Instant> at, std::string_view key) {
  if (turn_.key.empty()) turn_.key = key;
  if (!turn_.at) turn_.at = at;
  append_paragraph(turn_.assistant, text);
  if (at) turn_.answered_at = at;
  return {};
}

Status Conversation::end() {
  SaidTurn turn = std::exchange(turn_, {});
  if (turn.user.empty() && turn.assistant.empty()) return {};
  turn.session = session_;
  turn.project = project_;
  turn.number = number_++;
  return records_.take(std::move(turn));
}

}  // namespace loci::importers
