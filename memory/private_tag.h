// The tag that people mark with what is private. It hides nothing by itself, only where a rule of [privacy] never_send names it:
// who wrote it without one may rely on it, so whoever takes such an entry in or looks for what is wrong says so. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "indexer/entry.h"
#include "vault/archive/append.h"
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

  bool is_on(const NewEntry& entry) const;
  bool is_on(const Entry& entry) const;  // wherever it stands

  // What to tell a person of so many entries.
  static std::string warning(size_t entries);
  // The same of those that are so marked; nothing if none is. Whoever stores an entry or changes one puts it beside what it did.
  std::vector<std::string> warnings(const std::vector<NewEntry>& entries) const;

 private:
  NeverSend rules_, usual_;
};

}  // namespace loci
