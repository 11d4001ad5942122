/* Preloaded into a daemon under test: faults that are switched on and off while it runs.
 *
 *   FAULT_SWITCH=F   the first byte of the file F says what is wrong at the moment:
 *     N  the disk is full (ENOSPC): new files and longer ones fail; a write takes half of its bytes first, as the kernel does
 *     E  the disk is broken (EIO): writing files fails
 *     R  the same for reading files
 *     D  the inotify descriptor that is read next is deaf from then on; turns into '-' when that has happened
 *     B  the wall clock is a day behind
 *     F  the wall clock is a day ahead
 *     -  nothing
 *
 * Only regular files are meant: sockets, pipes and event descriptors work.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static volatile char* letter;
static volatile int listening = -1, deaf = -1;

__attribute__((constructor)) static void open_switch(void) {
  const char* name = getenv("FAULT_SWITCH");
  if (!name) return;
  const int fd = REAL(open)(name, O_RDWR | O_CLOEXEC);
  if (fd < 0) abort();
  letter = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (letter == MAP_FAILED) abort();
  close(fd);
}

static int is(char fault) { return letter && *letter == fault; }

static int is_file(int fd) {
  struct stat info;
  return fd > 2 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

/* The errno that a call fails with: of one that needs room, and of one that only needs a disk. */
static int without_room(void) { return is('N') ? ENOSPC : is('E') ? EIO : 0; }
static int without_disk(void) { return is('E') ? EIO : 0; }

#define FAIL_WITH(error_number, name, ...) \
  do {                                     \
    const int error = error_number;        \
    if (error) return errno = error, -1;   \
    return REAL(name)(__VA_ARGS__);        \
  } while (0)

/* --- writing --- */

ssize_t write(int fd, const void* bytes, size_t size) {
  const int error = without_room();
  if (!error || !is_file(fd)) return REAL(write)(fd, bytes, size);
  if (error == ENOSPC && size > 1) return REAL(write)(fd, bytes, size / 2);
  return errno = error, -1;
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) { FAIL_WITH(without_room(), pwrite, fd, bytes, size, offset); }
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t offset) {
  FAIL_WITH(without_room(), pwrite64, fd, bytes, size, offset);
}
int fsync(int fd) { FAIL_WITH(without_disk(), fsync, fd); }
int fdatasync(int fd) { FAIL_WITH(without_disk(), fdatasync, fd); }
int ftruncate(int fd, off_t size) { FAIL_WITH(without_disk(), ftruncate, fd, size); }
int ftruncate64(int fd, off64_t size) { FAIL_WITH(without_disk(), ftruncate64, fd, size); }
int rename(const char* from, const char* to) { FAIL_WITH(without_room(), rename, from, to); }
int link(const char* from, const char* to) { FAIL_WITH(without_room(), link, from, to); }
int unlink(const char* file) { FAIL_WITH(without_disk(), unlink, file); }
int mkdir(const char* folder, mode_t mode) { FAIL_WITH(without_room(), mkdir, folder, mode); }

static int of_open(const char* file, int flags) {
  const int error = without_room();
  if (error == EIO) return flags & (O_CREAT | O_WRONLY | O_RDWR | O_TRUNC) ? EIO : 0;
  return error && flags & O_CREAT && access(file, F_OK) != 0 ? error : 0;
}

#define DEFINE_OPEN(name)                                                         \
  int name(const char* file, int flags, ...) {                                    \
    va_list rest;                                                                 \
    va_start(rest, flags);                                                        \
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                                 \
    FAIL_WITH(of_open(file, flags), name, file, flags, mode);                     \
  }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

long syscall(long number, ...) {
  va_list rest;
  va_start(rest, number);
  long argument[6];
  for (int i = 0; i < 6; ++i) argument[i] = va_arg(rest, long);
  va_end(rest);
  FAIL_WITH(number == SYS_renameat2 ? without_disk() : 0, syscall, number, argument[0], argument[1], argument[2], argument[3],
            argument[4], argument[5]);
}

/* --- reading --- */

static int unreadable(void) { return is('R') ? EIO : 0; }

ssize_t pread(int fd, void* bytes, size_t size, off_t offset) { FAIL_WITH(unreadable(), pread, fd, bytes, size, offset); }
ssize_t pread64(int fd, void* bytes, size_t size, off64_t offset) { FAIL_WITH(unreadable(), pread64, fd, bytes, size, offset); }

int inotify_init1(int flags) {
  deaf = -1;
  return listening = REAL(inotify_init1)(flags);
}

ssize_t read(int fd, void* bytes, size_t size) {
  if (fd >= 0 && fd == listening && is('D')) {
    deaf = fd;
    *letter = '-';
  }
  if (fd >= 0 && fd == deaf) {
    while (REAL(read)(fd, bytes, size) > 0) {
    }
    return errno = EAGAIN, -1;
  }
  FAIL_WITH(unreadable() && is_file(fd) ? EIO : 0, read, fd, bytes, size);
}

/* --- the clock --- */

int clock_gettime(clockid_t clock, struct timespec* now) {
  const int done = REAL(clock_gettime)(clock, now);
  if (done == 0 && clock == CLOCK_REALTIME) now->tv_sec += is('F') ? 86400 : is('B') ? -86400 : 0;
  return done;
}
