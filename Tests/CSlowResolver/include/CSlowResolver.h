/* Names below `.slow.invalid` are looked up for as long as a test wants; all others as ever. */
#pragma once

/* How many lookups of such names wait. */
int slow_resolver_waiting(void);

/* Lets those that wait and all that come be answered: the name is not known. */
void slow_resolver_release(void);

/* Has lookups that come wait again. */
void slow_resolver_hold(void);
