/* libnghttp2, the HTTP/2 engine of the push transport. */
#pragma once
#include <nghttp2/nghttp2.h>
