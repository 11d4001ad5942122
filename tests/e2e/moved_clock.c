/* Preloaded into loci under test: a wall clock that a test moves, and files whose times agree with it.
 *
 *   MOVED_CLOCK=F   the file F holds pairs of 64-bit numbers: from this nanosecond of the real clock on, the clock is so many
 *                   nanoseconds ahead (behind, if negative). A pair of zeros ends them.
 *
 * What was written at a moment shows the time that the clock had at that moment, as on a machine on which the time really passed.
 * Clocks that only run forward, and so all waiting, are as they are. Programs that loci starts see the real time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
enum { SECOND = 1000000000 };

struct move {
  int64_t from, ahead;
};
static volatile const struct move* moves;

__attribute__((constructor)) static void open_moves(void) {
  const char* name = getenv("MOVED_CLOCK");
  if (!name || strncmp(program_invocation_short_name, "loci", 4) != 0) return;
  const int fd = open(name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) abort();
  moves = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
  if (moves == MAP_FAILED) abort();
  close(fd);
}

static int64_t nanoseconds(const struct timespec* time) { return time->tv_sec * (int64_t)SECOND + time->tv_nsec; }

static int64_t ahead_at(int64_t real) {
  int64_t ahead = 0;
  if (!moves) return 0;
  for (int i = 0; i < 256 && moves[i].from != 0 && moves[i].from <= real; ++i) ahead = moves[i].ahead;
  return ahead;
}

static void move(struct timespec* time, int64_t by) {
  const int64_t moved = nanoseconds(time) + by;
  time->tv_sec = moved / SECOND;
  time->tv_nsec = moved % SECOND;
}

/* --- the clock --- */

int clock_gettime(clockid_t clock, struct timespec* time) {
  const int result = REAL(clock_gettime)(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) move(time, ahead_at(nanoseconds(time)));
  return result;
}

time_t time(time_t* where) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (where) *where = now.tv_sec;
  return now.tv_sec;
}

/* --- what files say --- */

static int moved(int result, struct stat* info) {
  if (result != 0 || !moves) return result;
  struct timespec* times[] = {&info->st_mtim, &info->st_ctim, &info->st_atim};
  for (int i = 0; i < 3; ++i) move(times[i], ahead_at(nanoseconds(times[i])));
  return result;
}

int stat(const char* name, struct stat* info) { return moved(REAL(stat)(name, info), info); }
int lstat(const char* name, struct stat* info) { return moved(REAL(lstat)(name, info), info); }
int fstat(int fd, struct stat* info) { return moved(REAL(fstat)(fd, info), info); }
int fstatat(int folder, const char* name, struct stat* info, int flags) { return moved(REAL(fstatat)(folder, name, info, flags), info); }
int stat64(const char* name, struct stat64* info) { return stat(name, (struct stat*)info); }
int lstat64(const char* name, struct stat64* info) { return lstat(name, (struct stat*)info); }
int fstat64(int fd, struct stat64* info) { return fstat(fd, (struct stat*)info); }

/* A time that loci sets itself, as the clock that the file system keeps. */
int futimens(int fd, const struct timespec times[2]) {
  if (!moves || !times) return REAL(futimens)(fd, times);
  struct timespec now, back[2] = {times[0], times[1]};
  REAL(clock_gettime)(CLOCK_REALTIME, &now);
  for (int i = 0; i < 2; ++i)
    if (back[i].tv_nsec != UTIME_NOW && back[i].tv_nsec != UTIME_OMIT) move(&back[i], -ahead_at(nanoseconds(&now)));
  return REAL(futimens)(fd, back);
}
