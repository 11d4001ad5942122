// What must not be shown to a model: [privacy] never_send. A rule is `#tag` (and what is below it), `project:NAME`, or a path with
// the wildcards of .lociignore. Pure.
#pragma once

#include <string>
#include <vector>

namespace loci {

class NeverSend {
 public:
  explicit NeverSend(const std::vector<std::string>& rules);
  bool matches(const std::vector<std::string>& tags, const std::string& project, const std::string& file) const;
  bool empty() const;

 private:
  std::vector<std::string> tags_, projects_, paths_;
};

}  // namespace loci
