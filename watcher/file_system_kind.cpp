#include "watcher/file_system_kind.h"

#include <sys/statfs.h>

#include <cerrno>

namespace loci {
namespace {

struct Kind {
  std::uint32_t type;
  std::string_view name;
};

// From linux/magic.h, statfs(2) and the sources of those that are in neither.
constexpr Kind silent_kinds[] = {
    {0x00006969, "nfs"},    {0x0000517b, "smb"},   {0xff534d42, "cifs"},   {0xfe534d42, "smb2"},   {0x65735546, "fuse"},
    {0x01021997, "9p"},     {0x53464846, "wslfs"}, {0x786f4256, "vboxsf"}, {0xbacbacbc, "vmhgfs"}, {0x7c7c6673, "prl_fs"},
    {0x5346414f, "afs"},    {0x6b414653, "afs"},   {0x73757245, "coda"},   {0x00c36400, "ceph"},   {0x0000564c, "ncp"},
    {0x7461636f, "ocfs2"},  {0x01161970, "gfs2"},  {0x0bd00bd0, "lustre"}, {0x47504653, "gpfs"},   {0x20030528, "orangefs"},
    {0x00000187, "autofs"},
};

}  // namespace

std::optional<std::string_view> silent_kind(std::uint64_t type) {
  for (const Kind& kind : silent_kinds)
    if (kind.type == type) return kind.name;
  return std::nullopt;
}

std::optional<std::string_view> silent_kind_of(int folder) {
  struct statfs info{};
  int result = 0;
  do result = ::fstatfs(folder, &info);
  while (result != 0 && errno == EINTR);
  if (result != 0) return std::nullopt;
  return silent_kind(static_cast<std::uint32_t>(info.f_type));  // signed on some machines, and 32 bits of it count
}

}  // namespace loci
