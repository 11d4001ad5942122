#include "cli/correction_choice.h"

#include <iostream>

#include "cli/entry_text.h"
#include "memory/forget.h"

namespace loci::cli {
namespace {

constexpr size_t text_width = 100;

// The number that was typed, from 1; 0 for anything else.
size_t ask_number(Output& out, size_t most) {
  out.flush();
  std::cerr << "which one is right, 1 to " << most << ", or leave it? " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  for (size_t number = 1; number <= most; ++number)
    if (answer == std::to_string(number)) return number;
  return 0;
}

}  // namespace

Json conflict_to_json(const CorrectionConflict& conflict) {
  Json value = Json::object(), versions = Json::array();
  for (const Entry& version : conflict.versions) versions.push_back(Json::Object{{"id", version.id}, {"text", version.text}});
  value.add_unchecked("corrected", conflict.id);
  value.add_unchecked("versions", std::move(versions));
  return value;
}

Status settle_conflict(Output& out, Memory& memory, const CorrectionConflict& conflict, bool may_ask) {
  out.line("two machines corrected " + out.styled(Style::id, conflict.id) + " differently");
  for (size_t i = 0; i < conflict.versions.size(); ++i)
    out.line("  " + std::to_string(i + 1) + "  " + out.styled(Style::id, conflict.versions[i].id) + "  " +
             one_line(conflict.versions[i].text, text_width));
  const size_t right = may_ask ? ask_number(out, conflict.versions.size()) : 0;
  if (right == 0) {
    if (!may_ask) out.line("  'loci forget ID' takes the wrong one away");
    return {};
  }
  std::vector<std::string> wrong;
  for (size_t i = 0; i < conflict.versions.size(); ++i)
    if (i + 1 != right) wrong.push_back(conflict.versions[i].id);
  const auto forgotten = TRY(forget(memory, wrong, {}));
  for (const Entry& entry : forgotten.entries) out.line("forgot " + out.styled(Style::id, entry.id));
  for (const std::string& note : forgotten.notes) out.note(note);
  return {};
}

}  // namespace loci::cli
