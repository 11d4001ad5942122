// The tag that people mark with what is private. It hides nothing by itself, only where a rule of [privacy] never_send names it:
// who wrote it without one may rely on it, so whoever takes such an entry in or looks for what is wrong says so. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vault/layout/config.h"
#include "vault/layout/never_send.h"

namespace loci {

inline constexpr std::string_view usual_private_tag = "private";

class OpenPrivateTag {
 public:
  explicit OpenPrivateTag(const Config& config);

  // Is it so marked, by a tag or in its text, while no rule names it? `file` as for NeverSend::matches().
  bool is_on(const std::vector<std::string>& tags, const std::string& project, const std::string& file,
             std::string_view text) const;

  // What to tell a person of so many entries.
  static std::string warning(size_t entries);

 private:
  NeverSend rules_, usual_;
};

}  // namespace loci
