#include "base/result.h"

#include <cerrno>
#include <system_error>

#include "base/out_of_memory.h"

namespace loci {
namespace {

std::string hint_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free some space and try again; nothing was left half done";
    case EFBIG:
      return "the limit on a file's size is reached ('ulimit -f', or the file system's own); nothing was left half done";
    case EACCES:
    case EPERM:
      return "check the owner and the permissions";
    case EROFS:
      return "the file system is mounted read-only";
    case EMFILE:
    case ENFILE:
      return "too many files are open; raise the limit with 'ulimit -n'";
    case EIO:
      return "the disk reported an error; check it before you go on";
    case ELOOP:
      return "the path leads through a loop of symbolic links";
    default:
      return {};
  }
}

}  // namespace

std::string_view name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::failed:
      return "failed";
    case ErrorCode::usage:
      return "usage";
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::locked:
      return "locked";
    case ErrorCode::refused:
      return "refused";
    case ErrorCode::remote:
      return "remote";
  }
  return "failed";
}

std::unexpected<Error> fail_errno(std::string_view action, std::string_view path, int error_number) {
  Error error;
  error.code = ErrorCode::failed;
  error.message = "cannot " + std::string(action) + " " + std::string(path) + ": " + std::generic_category().message(error_number);
  error.hint = hint_for(error_number);
  error.file = path;
  return std::unexpected(std::move(error));
}

std::unexpected<Error> out_of_memory(std::string_view what) {
  return fail(ErrorCode::failed, "not enough memory to " + std::string(what),
              "nothing else is touched by that; free some and try again");
}

}  // namespace loci
