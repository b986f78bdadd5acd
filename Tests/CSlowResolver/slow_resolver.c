/* A resolver for tests that does not answer: the executable's function takes precedence over that of libc. */
#define _GNU_SOURCE
#include "CSlowResolver.h"

#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting;
static int released;

typedef int (*lookup)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

static int is_slow(const char *node) {
  static const char suffix[] = ".slow.invalid";
  size_t length = node ? strlen(node) : 0;
  return length >= sizeof suffix && strcmp(node + length - (sizeof suffix - 1), suffix) == 0;
}

__attribute__((visibility("default"))) int getaddrinfo(const char *node, const char *service,
                                                       const struct addrinfo *hints, struct addrinfo **found) {
  if (!is_slow(node)) {
    lookup next = (lookup)dlsym(RTLD_NEXT, "getaddrinfo");
    return next ? next(node, service, hints, found) : EAI_SYSTEM;
  }
  pthread_mutex_lock(&lock);
  waiting++;
  while (!released) pthread_cond_wait(&changed, &lock);
  waiting--;
  pthread_mutex_unlock(&lock);
  return EAI_NONAME;
}

int slow_resolver_waiting(void) {
  pthread_mutex_lock(&lock);
  int count = waiting;
  pthread_mutex_unlock(&lock);
  return count;
}

void slow_resolver_release(void) {
  pthread_mutex_lock(&lock);
  released = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

void slow_resolver_hold(void) {
  pthread_mutex_lock(&lock);
  released = 0;
  pthread_mutex_unlock(&lock);
}
