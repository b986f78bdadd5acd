/* Files of the repository's top level, embedded when the package is built. */
#pragma once
/* The bytes of openapi.yaml and their number. */
const unsigned char *openapi_document(long *count);
