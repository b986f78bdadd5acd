/* In a file of its own, so that the linker can omit it from score-server. */
#include "CDocuments.h"
#pragma clang diagnostic ignored "-Wc23-extensions"
static const unsigned char demo_match[] = {
#embed "../../docs/demo_match.json"
};
const unsigned char *demo_match_document(long *count) {
  *count = (long)sizeof demo_match;
  return demo_match;
}
