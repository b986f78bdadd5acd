/* The Linux calls that the Glibc module of Swift lacks: epoll, eventfd, timerfd, thread names, spawn extras,
   malloc_trim; and calls that need macros of C. */
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
/* Reads from a socket with SO_TIMESTAMPNS; `nanoseconds` becomes the wall time at which the kernel received the last of
   the bytes, or stays. CMSG_FIRSTHDR is a macro. */
#include <stdint.h>
#include <string.h>
static inline ssize_t receive_with_time(int socket, void *bytes, size_t count, int64_t *nanoseconds) {
  union { char bytes[128]; struct cmsghdr alignment; } control;
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t result = recvmsg(socket, &message, 0);
  if (result <= 0) return result;
  for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SO_TIMESTAMPNS) continue;
    struct timespec time;
    memcpy(&time, CMSG_DATA(head), sizeof time);
    *nanoseconds = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
  }
  return result;
}
/* Forbids dumps of this process's memory, and reading it by other processes of the same user: prctl is variadic. */
static inline int forbid_memory_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
