#include "watcher/inotify_limits.h"

#include <sys/inotify.h>

#include <cerrno>
#include <system_error>

namespace loci {

std::string why_without_events(int error_number, size_t watches) {
  if (error_number == ENOSPC)
    return "no inotify watches are left after " + std::to_string(watches) + ": raise fs.inotify.max_user_watches (sysctl)";
  if (error_number == EMFILE)
    return "no inotify instances are left: raise fs.inotify.max_user_instances (sysctl) or the limit of open files";
  return "inotify does not work here: " + std::generic_category().message(error_number);
}

std::string why_no_events_of(const path& folder) {
  const Fd inotify(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (inotify && ::inotify_add_watch(inotify.get(), folder.c_str(), IN_CREATE | IN_ONLYDIR) >= 0) return {};
  return why_without_events(errno, 0);
}

}  // namespace loci
