/* Pages that the binary has to know travel inside it, so that it always has those that it was built with. */
#include "CDocuments.h"
#pragma clang diagnostic ignored "-Wc23-extensions"
static const unsigned char openapi[] = {
#embed "../../openapi.yaml"
};
const unsigned char *openapi_document(long *count) {
  *count = (long)sizeof openapi;
  return openapi;
}
static const unsigned char problems[] = {
#embed "../../docs/problems.md"
};
const unsigned char *problems_document(long *count) {
  *count = (long)sizeof problems;
  return problems;
}
static const unsigned char special_cases[] = {
#embed "../../docs/special_cases.md"
};
const unsigned char *special_cases_document(long *count) {
  *count = (long)sizeof special_cases;
  return special_cases;
}
