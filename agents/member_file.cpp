#include "agents/member_file.h"

#include <algorithm>

#include "agents/hook_call.h"

namespace loci {
namespace {

using Path = std::vector<std::string>;

const SettingsNode* node_at(const SettingsNode& root, const Path& where) {
  const SettingsNode* node = &root;
  for (const std::string& key : where) node = node ? node->find(key) : nullptr;
  return node;
}

Json with_others(const Json& ours, const Json& present) {
  if (!ours.as_object() || !present.as_object()) return ours;
  Json all = Json::object();
  for (const auto& [key, value] : *ours.as_object()) {
    const Json* there = present.find(key);
    all.add_unchecked(key, there ? with_others(value, *there) : value);
  }
  for (const auto& [key, value] : *present.as_object())
    if (!ours.find(key)) all.add_unchecked(key, value);
  return all;
}

bool is_same_object(const Json& one, const Json& other) {
  return one.as_object() && other.as_object() && std::ranges::is_permutation(*one.as_object(), *other.as_object());
}

std::unexpected<Error> name_is_taken() {
  return fail(ErrorCode::refused, "there is a server named 'loci' that is no memory of loci's",
              "give it another name there, and connect again; nothing was written");
}

Result<SettingsEdit> with_member(const std::string& text, const OurMember& ours) {
  const auto root = TRY(parse_settings(text));
  const SettingsNode* present = node_at(root, ours.where);
  if (present && !is_server_of_loci(ours.words(present->to_json()))) return name_is_taken();
  const Json wanted = present ? with_others(ours.value, present->to_json()) : ours.value;
  if (present && is_same_object(present->to_json(), wanted)) return SettingsEdit{text, {}, {}};
  SettingsEditor editor(text);
  if (present) TRY(editor.apply([&](std::string_view now) { return remove_member(now, ours.where); }));
  TRY(editor.apply([&](std::string_view now) { return add_member(now, ours.where, wanted); }));
  return editor.take();
}

Result<SettingsEdit> without_member(const std::string& text, const OurMember& ours) {
  SettingsEditor editor(text);
  const auto root = TRY(parse_settings(text));
  const SettingsNode* present = node_at(root, ours.where);
  if (!present || !is_server_of_connect(ours.words(present->to_json()))) return editor.take();
  TRY(editor.apply([&](std::string_view now) { return remove_member(now, ours.where); }));
  if (editor.text() == text) return editor.take();
  for (Path around(ours.where.begin(), ours.where.end() - 1); !around.empty(); around.pop_back())
    TRY(remove_if_empty(editor, around));
  return editor.take();
}

}  // namespace

AgentFile member_file(const path& file, OurMember ours) {
  return {.file = file,
          .connect = [ours](const std::string& text) { return with_member(text, ours); },
          .disconnect = [ours](const std::string& text) { return without_member(text, ours); },
          .words = [ours](const std::string& text) -> std::optional<std::vector<std::string>> {
            const auto root = parse_settings(text);
            const SettingsNode* node = root ? node_at(*root, ours.where) : nullptr;
            auto words = node ? ours.words(node->to_json()) : std::vector<std::string>{};
            return is_server_of_loci(words) ? std::optional(std::move(words)) : std::nullopt;
          }};
}

}  // namespace loci
