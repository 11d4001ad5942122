/* Preloaded into the program under test: makes its n-th system call that changes files fail, or kills the process there.
 *
 *   FAIL_CALL=N         the N-th such call, from 1; 0 or unset: none
 *   FAIL_WITH=ENOSPC    ENOSPC, EIO or KILL (SIGKILL before the call)
 *   FAIL_STICKY=1       every later one fails as well, as on a full disk
 *   FAIL_COUNT_FILE=F   at exit, the number of such calls is written to F
 *
 * Calls on standard input, output and error do not count. A write that meets ENOSPC takes half of its
 * bytes first, as the kernel does when the last block is full.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static long number_of(const char* name) {
  const char* value = getenv(name);
  return value ? atol(value) : 0;
}

/* 0: go on; else the errno to fail with. */
static int fault(void) {
  const long now = atomic_fetch_add(&calls, 1) + 1;
  const long wanted = number_of("FAIL_CALL");
  if (wanted == 0 || now < wanted || (now > wanted && !number_of("FAIL_STICKY"))) return 0;
  const char* with = getenv("FAIL_WITH");
  if (with && strcmp(with, "KILL") == 0) raise(SIGKILL);
  return with && strcmp(with, "EIO") == 0 ? EIO : ENOSPC;
}

/* A full disk does not keep anyone from freeing space. */
static int fault_unless_it_frees_space(void) {
  const int error = fault();
  return error == ENOSPC ? 0 : error;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL_WITH(error_number, name, ...) \
  do {                                     \
    const int error = error_number;        \
    if (error) return errno = error, -1;   \
    return REAL(name)(__VA_ARGS__);        \
  } while (0)
#define FAIL_OR(name, ...) FAIL_WITH(fault(), name, __VA_ARGS__)
#define FAIL_OR_FREE(name, ...) FAIL_WITH(fault_unless_it_frees_space(), name, __VA_ARGS__)

ssize_t write(int fd, const void* bytes, size_t size) {
  if (fd <= 2) return REAL(write)(fd, bytes, size);
  const int error = fault();
  if (error == ENOSPC && size > 1) {
    const ssize_t half = REAL(write)(fd, bytes, size / 2);
    if (half > 0) return half;
  }
  if (error) return errno = error, -1;
  return REAL(write)(fd, bytes, size);
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) { FAIL_OR(pwrite, fd, bytes, size, offset); }
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t offset) { FAIL_OR(pwrite64, fd, bytes, size, offset); }
int fsync(int fd) { FAIL_OR(fsync, fd); }
int fdatasync(int fd) { FAIL_OR(fdatasync, fd); }
int ftruncate(int fd, off_t size) { FAIL_OR_FREE(ftruncate, fd, size); }
int ftruncate64(int fd, off64_t size) { FAIL_OR_FREE(ftruncate64, fd, size); }
int rename(const char* from, const char* to) { FAIL_OR(rename, from, to); }
int link(const char* from, const char* to) { FAIL_OR(link, from, to); }
int unlink(const char* file) { FAIL_OR_FREE(unlink, file); }
int mkdir(const char* folder, mode_t mode) { FAIL_OR(mkdir, folder, mode); }
int fchmod(int fd, mode_t mode) { FAIL_OR_FREE(fchmod, fd, mode); }

static mode_t mode_argument(int flags, va_list rest) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; }

#define DEFINE_OPEN(name)                              \
  int name(const char* file, int flags, ...) {         \
    va_list rest;                                      \
    va_start(rest, flags);                             \
    const mode_t mode = mode_argument(flags, rest);    \
    va_end(rest);                                      \
    if (!(flags & (O_CREAT | O_WRONLY | O_RDWR | O_TRUNC))) return REAL(name)(file, flags, mode); \
    FAIL_OR(name, file, flags, mode);                  \
  }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

long syscall(long number, ...) {
  va_list rest;
  va_start(rest, number);
  long argument[6];
  for (int i = 0; i < 6; ++i) argument[i] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_renameat2) {
    const int error = fault();
    if (error) return errno = error, -1;
  }
  return REAL(syscall)(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
}

__attribute__((destructor)) static void report(void) {
  const char* file = getenv("FAIL_COUNT_FILE");
  if (!file) return;
  FILE* out = fopen(file, "w");
  if (!out) return;
  fprintf(out, "%ld\n", atomic_load(&calls));
  fclose(out);
}
