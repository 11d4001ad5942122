// An agent's settings as its owner keeps them: JSON, with the comments, trailing commas and bare keys that some of them allow. What
// is added or taken out changes those bytes and no others. Pure.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace loci {

// A value and where it stands: bytes [begin, end) of the text.
struct SettingsNode {
  size_t begin = 0, end = 0;
  Json value;  // of a string, number, true, false or null; null for a list and an object
  bool is_list = false, is_object = false;
  struct Member;
  std::vector<Member> members;  // of a list (without keys) and of an object, in their order

  const SettingsNode* find(std::string_view key) const;
  // Without places; of the last of equal keys.
  Json to_json() const;
};
struct SettingsNode::Member {
  size_t begin = 0;  // of its key, if it has one
  std::string key;
  SettingsNode node;
};

// ErrorCode::usage with the line of what is wrong. An empty text, or one of white space, is an object without members at its end.
Result<SettingsNode> parse_settings(std::string_view text);

struct SettingsEdit {
  std::string text;                // all of it, after
  std::vector<std::string> added;  // the lines that are new, as they stand there
  std::vector<std::string> removed;
};

// A path is the keys that lead to a value; of an element of a list, its position, from "0" on.
// Sets the member, at the end of the object that the path leads to; objects on the way are made. ErrorCode::refused where
// something else than an object stands on the way, or the member is there already.
Result<SettingsEdit> add_member(std::string_view text, std::span<const std::string> path, const Json& value);
// Adds to the end of the list; the list is made if need be.
Result<SettingsEdit> add_element(std::string_view text, std::span<const std::string> path, const Json& value);
// Takes out what the path leads to; nothing where it leads nowhere.
Result<SettingsEdit> remove_member(std::string_view text, std::span<const std::string> path);
// Takes out the elements of the list that are `meant`.
Result<SettingsEdit> remove_elements(std::string_view text, std::span<const std::string> path,
                                     const std::function<bool(const Json&)>& meant);

// Several edits, one after the other; the first that fails ends it.
class SettingsEditor {
 public:
  explicit SettingsEditor(std::string text) : before_(text) { edit_.text = std::move(text); }
  Status apply(const std::function<Result<SettingsEdit>(std::string_view)>& step);
  SettingsEdit take();  // without the lines that stood there only between two steps
  const std::string& text() const { return edit_.text; }

 private:
  std::string before_;
  SettingsEdit edit_;
};

// Takes the list or object out that the path leads to if nothing is left in it, not even a comment.
Status remove_if_empty(SettingsEditor& editor, const std::vector<std::string>& where);

}  // namespace loci
