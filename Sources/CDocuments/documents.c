/* The API's description travels inside the binary, so that a server can always show the one it was built with. */
#include "CDocuments.h"
#pragma clang diagnostic ignored "-Wc23-extensions"
static const unsigned char openapi[] = {
#embed "../../openapi.yaml"
};
const unsigned char *openapi_document(long *count) {
  *count = (long)sizeof openapi;
  return openapi;
}
