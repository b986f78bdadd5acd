/* libpq, the client library of PostgreSQL, and the spawn flags that a private server needs. */
#pragma once
#include <libpq-fe.h>
#include <spawn.h>

/* Declared by glibc only under _GNU_SOURCE, which Swift's C importer does not define. */
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
enum { SPAWN_IN_NEW_SESSION = 0x80 /* POSIX_SPAWN_SETSID */ };
