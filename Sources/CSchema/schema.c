/* Embeds each file of sql/; a tidy test compares this list with the folder. */
#include "CSchema.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char f0001_down[] = {
#embed "../../sql/0001_init.down.sql"
};
static const unsigned char f0001_up[] = {
#embed "../../sql/0001_init.up.sql"
};
static const unsigned char f0010_down[] = {
#embed "../../sql/0010_ingest.down.sql"
};
static const unsigned char f0010_up[] = {
#embed "../../sql/0010_ingest.up.sql"
};

static const schema_file files[] = {
    {"0001_init.down.sql", f0001_down, sizeof f0001_down},
    {"0001_init.up.sql", f0001_up, sizeof f0001_up},
    {"0010_ingest.down.sql", f0010_down, sizeof f0010_down},
    {"0010_ingest.up.sql", f0010_up, sizeof f0010_up},
};

const schema_file *schema_files(size_t *count) {
  *count = sizeof files / sizeof *files;
  return files;
}
