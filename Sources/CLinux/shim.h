/* The Linux calls that the Glibc module of Swift lacks: epoll, eventfd, timerfd, thread names, spawn extras, malloc_trim. */
#pragma once
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Declared by glibc only under _GNU_SOURCE, which the Glibc module of Swift does not define. */
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pthread_setname_np(pthread_t, const char *);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
/* Pins one thread to one core; cpu_set_t needs _GNU_SOURCE, too. Returns 0, or -1 with errno. */
#include <sys/syscall.h>
static inline int pin_thread(int thread, int core) {
  unsigned long mask[16] = {0};
  if (core < 0 || core >= (int)(sizeof mask * 8)) return -1;
  mask[core / (8 * sizeof mask[0])] |= 1UL << (core % (8 * sizeof mask[0]));
  return (int)syscall(SYS_sched_setaffinity, thread, sizeof mask, mask);
}
/* Forbids dumps of this process's memory, and reading it by other processes of the same user: prctl is variadic. */
static inline int forbid_memory_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
