/* Documents of the repository that are embedded in the binary. */
#pragma once
/* The bytes of openapi.yaml and their number. */
const unsigned char *openapi_document(long *count);
/* The bytes of docs/problems.md and their number. */
const unsigned char *problems_document(long *count);
/* The bytes of docs/special_cases.md and their number. */
const unsigned char *special_cases_document(long *count);
/* The bytes of docs/demo_match.json and their number. */
const unsigned char *demo_match_document(long *count);
/* The bytes of a file in console/ and their number; null when there is none of that name. */
const unsigned char *console_file(const char *name, long *count);
/* The bytes, the name and the length of a file of docs/runbooks, from 0 on in the order of names; null after the last. */
const unsigned char *runbook_file(long index, const char **name, long *count);
