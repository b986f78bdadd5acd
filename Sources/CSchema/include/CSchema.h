/* The migrations of sql/, embedded in the binary so that it can be copied to any machine. */
#pragma once
#include <stddef.h>

typedef struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} schema_file;

/* All files of sql/, in the order of their names. */
const schema_file *schema_files(size_t *count);
