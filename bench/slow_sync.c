// A disk on which every fdatasync and fsync takes 5 ms longer. For LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

typedef int (*sync_function)(int);

static int after_a_while(const char *name, int fd) {
  const struct timespec delay = {0, 5 * 1000 * 1000};
  nanosleep(&delay, NULL);
  return ((sync_function)dlsym(RTLD_NEXT, name))(fd);
}

int fdatasync(int fd) { return after_a_while("fdatasync", fd); }
int fsync(int fd) { return after_a_while("fsync", fd); }
