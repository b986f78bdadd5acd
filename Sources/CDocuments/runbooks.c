/* Operators read the runbooks in the console of the binary that they run. */
#include "CDocuments.h"
#pragma clang diagnostic ignored "-Wc23-extensions"
static const unsigned char abuse[] = {
#embed "../../docs/runbooks/abuse.md"
};
static const unsigned char api_errors[] = {
#embed "../../docs/runbooks/api-errors.md"
};
static const unsigned char apns_expired[] = {
#embed "../../docs/runbooks/apns-expired.md"
};
static const unsigned char apns_forbidden[] = {
#embed "../../docs/runbooks/apns-forbidden.md"
};
static const unsigned char apns_invalid[] = {
#embed "../../docs/runbooks/apns-invalid.md"
};
static const unsigned char apns_jwt[] = {
#embed "../../docs/runbooks/apns-jwt.md"
};
static const unsigned char apns_outage[] = {
#embed "../../docs/runbooks/apns-outage.md"
};
static const unsigned char apns_topic[] = {
#embed "../../docs/runbooks/apns-topic.md"
};
static const unsigned char audit[] = {
#embed "../../docs/runbooks/audit.md"
};
static const unsigned char capacity[] = {
#embed "../../docs/runbooks/capacity.md"
};
static const unsigned char channels[] = {
#embed "../../docs/runbooks/channels.md"
};
static const unsigned char clock[] = {
#embed "../../docs/runbooks/clock.md"
};
static const unsigned char dead_letters[] = {
#embed "../../docs/runbooks/dead-letters.md"
};
static const unsigned char disk[] = {
#embed "../../docs/runbooks/disk.md"
};
static const unsigned char feed_budget[] = {
#embed "../../docs/runbooks/feed-budget.md"
};
static const unsigned char feed_outage[] = {
#embed "../../docs/runbooks/feed-outage.md"
};
static const unsigned char feed_schema[] = {
#embed "../../docs/runbooks/feed-schema.md"
};
static const unsigned char freshness[] = {
#embed "../../docs/runbooks/freshness.md"
};
static const unsigned char logs[] = {
#embed "../../docs/runbooks/logs.md"
};
static const unsigned char memory[] = {
#embed "../../docs/runbooks/memory.md"
};
static const unsigned char metrics[] = {
#embed "../../docs/runbooks/metrics.md"
};
static const unsigned char payload_size[] = {
#embed "../../docs/runbooks/payload-size.md"
};
static const unsigned char postgres[] = {
#embed "../../docs/runbooks/postgres.md"
};
static const unsigned char priority_discipline[] = {
#embed "../../docs/runbooks/priority-discipline.md"
};
static const unsigned char publication[] = {
#embed "../../docs/runbooks/publication.md"
};
static const unsigned char push_latency[] = {
#embed "../../docs/runbooks/push-latency.md"
};
static const unsigned char reconnect_storm[] = {
#embed "../../docs/runbooks/reconnect-storm.md"
};
static const unsigned char redaction[] = {
#embed "../../docs/runbooks/redaction.md"
};
static const unsigned char restart[] = {
#embed "../../docs/runbooks/restart.md"
};
static const unsigned char sse_slow[] = {
#embed "../../docs/runbooks/sse-slow.md"
};
static const unsigned char stuck_activity[] = {
#embed "../../docs/runbooks/stuck-activity.md"
};
static const unsigned char sweeps[] = {
#embed "../../docs/runbooks/sweeps.md"
};
static const unsigned char token_hygiene[] = {
#embed "../../docs/runbooks/token-hygiene.md"
};
static const struct {
  const char *name;
  const unsigned char *bytes;
  long count;
} files[] = {
    {"abuse", abuse, sizeof abuse},
    {"api-errors", api_errors, sizeof api_errors},
    {"apns-expired", apns_expired, sizeof apns_expired},
    {"apns-forbidden", apns_forbidden, sizeof apns_forbidden},
    {"apns-invalid", apns_invalid, sizeof apns_invalid},
    {"apns-jwt", apns_jwt, sizeof apns_jwt},
    {"apns-outage", apns_outage, sizeof apns_outage},
    {"apns-topic", apns_topic, sizeof apns_topic},
    {"audit", audit, sizeof audit},
    {"capacity", capacity, sizeof capacity},
    {"channels", channels, sizeof channels},
    {"clock", clock, sizeof clock},
    {"dead-letters", dead_letters, sizeof dead_letters},
    {"disk", disk, sizeof disk},
    {"feed-budget", feed_budget, sizeof feed_budget},
    {"feed-outage", feed_outage, sizeof feed_outage},
    {"feed-schema", feed_schema, sizeof feed_schema},
    {"freshness", freshness, sizeof freshness},
    {"logs", logs, sizeof logs},
    {"memory", memory, sizeof memory},
    {"metrics", metrics, sizeof metrics},
    {"payload-size", payload_size, sizeof payload_size},
    {"postgres", postgres, sizeof postgres},
    {"priority-discipline", priority_discipline, sizeof priority_discipline},
    {"publication", publication, sizeof publication},
    {"push-latency", push_latency, sizeof push_latency},
    {"reconnect-storm", reconnect_storm, sizeof reconnect_storm},
    {"redaction", redaction, sizeof redaction},
    {"restart", restart, sizeof restart},
    {"sse-slow", sse_slow, sizeof sse_slow},
    {"stuck-activity", stuck_activity, sizeof stuck_activity},
    {"sweeps", sweeps, sizeof sweeps},
    {"token-hygiene", token_hygiene, sizeof token_hygiene},
};
const unsigned char *runbook_file(long index, const char **name, long *count) {
  if (index < 0 || index >= (long)(sizeof files / sizeof *files)) return 0;
  *name = files[index].name;
  *count = files[index].count;
  return files[index].bytes;
}
