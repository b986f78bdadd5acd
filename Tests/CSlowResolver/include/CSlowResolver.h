/* Lookups of names below `.slow.invalid` wait until a test releases them; other names are resolved as usual. */
#pragma once

/* Number of such lookups that wait. */
int slow_resolver_waiting(void);

/* Answers waiting and later lookups: the name does not exist. */
void slow_resolver_release(void);

/* Makes later lookups wait again. */
void slow_resolver_hold(void);
