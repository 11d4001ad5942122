// What must not be shown to a model: [privacy] never_send. A rule is `#tag` or `tag:NAME` (and the tags below it, `#tag/…`),
// `project:NAME`, or a path with the wildcards of .lociignore. A bare word, without a slash or a wildcard, is all three: whoever
// writes "private" means every private thing. Tags and projects compare as a person sees them (parser/tag_names.h): whatever tag
// may be seen in a string that names some is found, and what has more tags than are kept may have had it. Nothing takes a rule back
// (`!` is an error): a vault that came from somewhere must not open what its reader closed. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vault/layout/ignore.h"

namespace loci {

class NeverSend {
 public:
  explicit NeverSend(const std::vector<std::string>& rules);

  // `tags` without #; `file` relative to the vault.
  bool matches(const std::vector<std::string>& tags, const std::string& project, const std::string& file) const;
  // Of a text or a heading: does something in it look like such a tag (parser/tag_marks.h)?
  bool matches_text(std::string_view text) const;
  bool empty() const { return tags_.empty() && projects_.empty() && paths_.empty(); }

 private:
  bool has_tag(std::string_view written) const;

  std::vector<std::string> tags_, projects_;  // tag_name(), name_seen()
  PathRules paths_;
};

// What is wrong with a rule, and what to write instead, for a person, behind the name of the setting; empty if nothing is. One that
// can name nothing in any vault would hide nothing while somebody relies on it.
std::string reason_against_rule(std::string_view rule);

}  // namespace loci
