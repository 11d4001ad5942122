#include "base/secret.h"

#include <sys/prctl.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace loci {

void wipe(std::string& text) {
  text.resize(text.capacity());  // never grows: all that was ever written into it is overwritten
  ::explicit_bzero(text.data(), text.size());
  text.clear();
}

Secret::Secret(std::string&& text) : size_(text.size()) {
  if (size_ == 0) return;
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  bytes_ = std::make_unique<char[]>(size_);
  std::ranges::copy(text, bytes_.get());
  wipe(text);
}

Secret::Secret(Secret&& other) noexcept : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}

Secret& Secret::operator=(Secret&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(size_, other.size_);
  return *this;
}

Secret::~Secret() {
  if (bytes_) ::explicit_bzero(bytes_.get(), size_);
}

}  // namespace loci
