// Text that nobody else is to read, a key: kept once, and wiped when it is no longer needed. With the first one the process is no
// longer dumpable: neither a core file nor another process of the same user gets to see its memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace loci {

// Overwrites all that the string holds room for, and empties it.
void wipe(std::string& text);

class Secret {
 public:
  Secret() = default;
  // Takes the text over: none of it is left in `text`.
  explicit Secret(std::string&& text);
  Secret(Secret&& other) noexcept;
  Secret& operator=(Secret&& other) noexcept;
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  ~Secret();

  std::string_view text() const { return {bytes_.get(), size_}; }
  bool empty() const { return size_ == 0; }

 private:
  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0;
};

}  // namespace loci
