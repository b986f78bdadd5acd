/* The operators' console travels inside the binary: templates, style and script. */
#include "CDocuments.h"
#include <string.h>
#pragma clang diagnostic ignored "-Wc23-extensions"
static const unsigned char activities_mustache[] = {
#embed "../../console/activities.mustache"
};
static const unsigned char activity_table_mustache[] = {
#embed "../../console/activity_table.mustache"
};
static const unsigned char apns_mustache[] = {
#embed "../../console/apns.mustache"
};
static const unsigned char audit_mustache[] = {
#embed "../../console/audit.mustache"
};
static const unsigned char configuration_mustache[] = {
#embed "../../console/configuration.mustache"
};
static const unsigned char console_css[] = {
#embed "../../console/console.css"
};
static const unsigned char console_js[] = {
#embed "../../console/console.js"
};
static const unsigned char device_mustache[] = {
#embed "../../console/device.mustache"
};
static const unsigned char devices_mustache[] = {
#embed "../../console/devices.mustache"
};
static const unsigned char dead_letters_mustache[] = {
#embed "../../console/dead_letters.mustache"
};
static const unsigned char enter_mustache[] = {
#embed "../../console/enter.mustache"
};
static const unsigned char feed_table_mustache[] = {
#embed "../../console/feed_table.mustache"
};
static const unsigned char alerts_mustache[] = {
#embed "../../console/alerts.mustache"
};
static const unsigned char feeds_mustache[] = {
#embed "../../console/feeds.mustache"
};
static const unsigned char flags_mustache[] = {
#embed "../../console/flags.mustache"
};
static const unsigned char layout_mustache[] = {
#embed "../../console/layout.mustache"
};
static const unsigned char match_mustache[] = {
#embed "../../console/match.mustache"
};
static const unsigned char match_card_mustache[] = {
#embed "../../console/match_card.mustache"
};
static const unsigned char matches_mustache[] = {
#embed "../../console/matches.mustache"
};
static const unsigned char nodes_mustache[] = {
#embed "../../console/nodes.mustache"
};
static const unsigned char overview_mustache[] = {
#embed "../../console/overview.mustache"
};
static const unsigned char phones_mustache[] = {
#embed "../../console/phones.mustache"
};
static const unsigned char push_mustache[] = {
#embed "../../console/push.mustache"
};
static const unsigned char push_attempt_mustache[] = {
#embed "../../console/push_attempt.mustache"
};
static const unsigned char pushes_mustache[] = {
#embed "../../console/pushes.mustache"
};
static const unsigned char revision_mustache[] = {
#embed "../../console/revision.mustache"
};
static const unsigned char runbook_mustache[] = {
#embed "../../console/runbook.mustache"
};
static const unsigned char runbooks_mustache[] = {
#embed "../../console/runbooks.mustache"
};
static const unsigned char streams_mustache[] = {
#embed "../../console/streams.mustache"
};
static const unsigned char sweeps_mustache[] = {
#embed "../../console/sweeps.mustache"
};
static const struct {
  const char *name;
  const unsigned char *bytes;
  long count;
} files[] = {
    {"activities.mustache", activities_mustache, sizeof activities_mustache},
    {"activity_table.mustache", activity_table_mustache, sizeof activity_table_mustache},
    {"apns.mustache", apns_mustache, sizeof apns_mustache},
    {"audit.mustache", audit_mustache, sizeof audit_mustache},
    {"configuration.mustache", configuration_mustache, sizeof configuration_mustache},
    {"console.css", console_css, sizeof console_css},
    {"console.js", console_js, sizeof console_js},
    {"dead_letters.mustache", dead_letters_mustache, sizeof dead_letters_mustache},
    {"device.mustache", device_mustache, sizeof device_mustache},
    {"devices.mustache", devices_mustache, sizeof devices_mustache},
    {"enter.mustache", enter_mustache, sizeof enter_mustache},
    {"feed_table.mustache", feed_table_mustache, sizeof feed_table_mustache},
    {"alerts.mustache", alerts_mustache, sizeof alerts_mustache},
    {"feeds.mustache", feeds_mustache, sizeof feeds_mustache},
    {"flags.mustache", flags_mustache, sizeof flags_mustache},
    {"layout.mustache", layout_mustache, sizeof layout_mustache},
    {"match.mustache", match_mustache, sizeof match_mustache},
    {"match_card.mustache", match_card_mustache, sizeof match_card_mustache},
    {"matches.mustache", matches_mustache, sizeof matches_mustache},
    {"nodes.mustache", nodes_mustache, sizeof nodes_mustache},
    {"overview.mustache", overview_mustache, sizeof overview_mustache},
    {"phones.mustache", phones_mustache, sizeof phones_mustache},
    {"push.mustache", push_mustache, sizeof push_mustache},
    {"push_attempt.mustache", push_attempt_mustache, sizeof push_attempt_mustache},
    {"pushes.mustache", pushes_mustache, sizeof pushes_mustache},
    {"revision.mustache", revision_mustache, sizeof revision_mustache},
    {"runbook.mustache", runbook_mustache, sizeof runbook_mustache},
    {"runbooks.mustache", runbooks_mustache, sizeof runbooks_mustache},
    {"streams.mustache", streams_mustache, sizeof streams_mustache},
    {"sweeps.mustache", sweeps_mustache, sizeof sweeps_mustache},
};
const unsigned char *console_file(const char *name, long *count) {
  for (unsigned index = 0; index < sizeof files / sizeof *files; index++) {
    if (strcmp(files[index].name, name) == 0) {
      *count = files[index].count;
      return files[index].bytes;
    }
  }
  *count = 0;
  return 0;
}
