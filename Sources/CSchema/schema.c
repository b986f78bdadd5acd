/* Embeds each file of sql/; a tidy test compares this list with the folder. */
#include "CSchema.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char f0001_down[] = {
#embed "../../sql/0001_init.down.sql"
};
static const unsigned char f0001_up[] = {
#embed "../../sql/0001_init.up.sql"
};
static const unsigned char f0020_down[] = {
#embed "../../sql/0020_activity_by_device.down.sql"
};
static const unsigned char f0020_up[] = {
#embed "../../sql/0020_activity_by_device.up.sql"
};
static const unsigned char f0021_down[] = {
#embed "../../sql/0021_change_by_batch.down.sql"
};
static const unsigned char f0021_up[] = {
#embed "../../sql/0021_change_by_batch.up.sql"
};

static const schema_file files[] = {
    {"0001_init.down.sql", f0001_down, sizeof f0001_down},
    {"0001_init.up.sql", f0001_up, sizeof f0001_up},
    {"0020_activity_by_device.down.sql", f0020_down, sizeof f0020_down},
    {"0020_activity_by_device.up.sql", f0020_up, sizeof f0020_up},
    {"0021_change_by_batch.down.sql", f0021_down, sizeof f0021_down},
    {"0021_change_by_batch.up.sql", f0021_up, sizeof f0021_up},
};

const schema_file *schema_files(size_t *count) {
  *count = sizeof files / sizeof *files;
  return files;
}
