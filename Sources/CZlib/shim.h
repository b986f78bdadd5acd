/* zlib, for compressed feed replies and webhooks. */
#pragma once
#include <zlib.h>
