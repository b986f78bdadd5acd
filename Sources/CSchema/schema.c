/* Embeds each file of sql/; a tidy test compares this list with the folder. */
#include "CSchema.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char f0001_down[] = {
#embed "../../sql/0001_init.down.sql"
};
static const unsigned char f0001_up[] = {
#embed "../../sql/0001_init.up.sql"
};
static const unsigned char f0002_down[] = {
#embed "../../sql/0002_activity_by_device.down.sql"
};
static const unsigned char f0002_up[] = {
#embed "../../sql/0002_activity_by_device.up.sql"
};
static const unsigned char f0003_down[] = {
#embed "../../sql/0003_change_by_batch.down.sql"
};
static const unsigned char f0003_up[] = {
#embed "../../sql/0003_change_by_batch.up.sql"
};
static const unsigned char f0004_down[] = {
#embed "../../sql/0004_ingest.down.sql"
};
static const unsigned char f0004_up[] = {
#embed "../../sql/0004_ingest.up.sql"
};
static const unsigned char f0005_down[] = {
#embed "../../sql/0005_wishes.down.sql"
};
static const unsigned char f0005_up[] = {
#embed "../../sql/0005_wishes.up.sql"
};
static const unsigned char f0006_down[] = {
#embed "../../sql/0006_clearing.down.sql"
};
static const unsigned char f0006_up[] = {
#embed "../../sql/0006_clearing.up.sql"
};
static const unsigned char f0007_down[] = {
#embed "../../sql/0007_alert_wishes.down.sql"
};
static const unsigned char f0007_up[] = {
#embed "../../sql/0007_alert_wishes.up.sql"
};
static const unsigned char f0008_down[] = {
#embed "../../sql/0008_channel_change.down.sql"
};
static const unsigned char f0008_up[] = {
#embed "../../sql/0008_channel_change.up.sql"
};
static const unsigned char f0009_down[] = {
#embed "../../sql/0009_owed.down.sql"
};
static const unsigned char f0009_up[] = {
#embed "../../sql/0009_owed.up.sql"
};
static const unsigned char f0010_down[] = {
#embed "../../sql/0010_erased.down.sql"
};
static const unsigned char f0010_up[] = {
#embed "../../sql/0010_erased.up.sql"
};
static const unsigned char f0011_down[] = {
#embed "../../sql/0011_words_kept.down.sql"
};
static const unsigned char f0011_up[] = {
#embed "../../sql/0011_words_kept.up.sql"
};
static const unsigned char f0012_down[] = {
#embed "../../sql/0012_change_dropped.down.sql"
};
static const unsigned char f0012_up[] = {
#embed "../../sql/0012_change_dropped.up.sql"
};
static const unsigned char f0013_down[] = {
#embed "../../sql/0013_counts.down.sql"
};
static const unsigned char f0013_up[] = {
#embed "../../sql/0013_counts.up.sql"
};
static const unsigned char f0014_down[] = {
#embed "../../sql/0014_shown_match.down.sql"
};
static const unsigned char f0014_up[] = {
#embed "../../sql/0014_shown_match.up.sql"
};
static const unsigned char f0015_down[] = {
#embed "../../sql/0015_ended_match.down.sql"
};
static const unsigned char f0015_up[] = {
#embed "../../sql/0015_ended_match.up.sql"
};
static const unsigned char f0016_down[] = {
#embed "../../sql/0016_released.down.sql"
};
static const unsigned char f0016_up[] = {
#embed "../../sql/0016_released.up.sql"
};

static const schema_file files[] = {
    {"0001_init.down.sql", f0001_down, sizeof f0001_down},
    {"0001_init.up.sql", f0001_up, sizeof f0001_up},
    {"0002_activity_by_device.down.sql", f0002_down, sizeof f0002_down},
    {"0002_activity_by_device.up.sql", f0002_up, sizeof f0002_up},
    {"0003_change_by_batch.down.sql", f0003_down, sizeof f0003_down},
    {"0003_change_by_batch.up.sql", f0003_up, sizeof f0003_up},
    {"0004_ingest.down.sql", f0004_down, sizeof f0004_down},
    {"0004_ingest.up.sql", f0004_up, sizeof f0004_up},
    {"0005_wishes.down.sql", f0005_down, sizeof f0005_down},
    {"0005_wishes.up.sql", f0005_up, sizeof f0005_up},
    {"0006_clearing.down.sql", f0006_down, sizeof f0006_down},
    {"0006_clearing.up.sql", f0006_up, sizeof f0006_up},
    {"0007_alert_wishes.down.sql", f0007_down, sizeof f0007_down},
    {"0007_alert_wishes.up.sql", f0007_up, sizeof f0007_up},
    {"0008_channel_change.down.sql", f0008_down, sizeof f0008_down},
    {"0008_channel_change.up.sql", f0008_up, sizeof f0008_up},
    {"0009_owed.down.sql", f0009_down, sizeof f0009_down},
    {"0009_owed.up.sql", f0009_up, sizeof f0009_up},
    {"0010_erased.down.sql", f0010_down, sizeof f0010_down},
    {"0010_erased.up.sql", f0010_up, sizeof f0010_up},
    {"0011_words_kept.down.sql", f0011_down, sizeof f0011_down},
    {"0011_words_kept.up.sql", f0011_up, sizeof f0011_up},
    {"0012_change_dropped.down.sql", f0012_down, sizeof f0012_down},
    {"0012_change_dropped.up.sql", f0012_up, sizeof f0012_up},
    {"0013_counts.down.sql", f0013_down, sizeof f0013_down},
    {"0013_counts.up.sql", f0013_up, sizeof f0013_up},
    {"0014_shown_match.down.sql", f0014_down, sizeof f0014_down},
    {"0014_shown_match.up.sql", f0014_up, sizeof f0014_up},
    {"0015_ended_match.down.sql", f0015_down, sizeof f0015_down},
    {"0015_ended_match.up.sql", f0015_up, sizeof f0015_up},
    {"0016_released.down.sql", f0016_down, sizeof f0016_down},
    {"0016_released.up.sql", f0016_up, sizeof f0016_up},
};

const schema_file *schema_files(size_t *count) {
  *count = sizeof files / sizeof *files;
  return files;
}
