/* Embeds each file of sql/; a test compares this list with the folder. */
#include "CSchema.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char f0001_down[] = {
#embed "../../sql/0001_schema.down.sql"
};
static const unsigned char f0001_up[] = {
#embed "../../sql/0001_schema.up.sql"
};

static const schema_file files[] = {
    {"0001_schema.down.sql", f0001_down, sizeof f0001_down},
    {"0001_schema.up.sql", f0001_up, sizeof f0001_up},
};

const schema_file *schema_files(size_t *count) {
  *count = sizeof files / sizeof *files;
  return files;
}
