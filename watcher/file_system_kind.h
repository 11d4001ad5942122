// Which file systems send no events for what others do to them: a watch there is deaf without saying so. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace loci {

// The name of a kind (statfs(2)'s f_type) whose files change without events: network, FUSE and host-shared folders. None for
// local ones.
std::optional<std::string_view> silent_kind(std::uint64_t type);

// The same for the file system of an open folder. None, too, if it cannot be asked: then inotify is worth trying.
std::optional<std::string_view> silent_kind_of(int folder);

}  // namespace loci
