#!/usr/bin/env python3
"""Writes the dashboards of this folder; with --check fails when a file differs. Panels are easier to change here than in JSON."""

import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent
DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
NODES = 'instance=~"$instance"'


def rate(metric, by="", where=""):
    """The sum over nodes of a counter's increase in a second."""
    labels = ",".join(part for part in (NODES, where) if part)
    grouping = f" by ({by})" if by else ""
    return f"sum{grouping} (rate({metric}{{{labels}}}[$__rate_interval]))"


def latest(metric, by, how="max", where=""):
    """A gauge, combined over nodes."""
    labels = ",".join(part for part in (NODES, where) if part)
    return f"{how} by ({by}) ({metric}{{{labels}}})"


def quantile(metric, by="", where=""):
    """The quantile that the dashboard selects, of a histogram."""
    groups = f"le, {by}" if by else "le"
    return f"histogram_quantile($quantile, {rate(metric + '_bucket', groups, where)})"


def panel(title, unit, *targets):
    """A graph; a target is an expression and the legend of its series."""
    return {"title": title, "unit": unit, "targets": targets}


OVERVIEW = {
    "Service levels": [
        panel("Balls later than 1 s", "percentunit", ("score:freshness_errors:ratio_rate1h", "1 h")),
        panel("Pushes later than 5 s", "percentunit", ("score:push_errors:ratio_rate1h", "1 h")),
        panel("Reads with 5xx", "percentunit", ("score:read_errors:ratio_rate1h", "1 h")),
    ],
    "The path of a ball": [
        panel("Reply to publication", "s", (quantile("score_ball_to_content_seconds"), "all nodes")),
        panel("Commit to first request", "s", (quantile("score_push_first_send_seconds"), "all nodes")),
        panel("Commit to acceptance", "s", (quantile("score_push_end_to_end_seconds", "class"), "{{class}}")),
        panel("Publications", "ops", (rate("score_publications_total", "cause"), "{{cause}}")),
        panel("Pushes by outcome", "ops", (rate("score_push_attempts_total", "outcome"), "{{outcome}}")),
        panel("Open streams", "short", (latest("score_sse_connections", "instance", "sum"), "{{instance}}")),
    ],
    "Nodes": [
        panel("Checks of readiness", "short", (latest("score_ready", "instance, check", "min"), "{{instance}} {{check}}")),
        panel("Failed publications", "ops", (rate("score_publication_failures_total", "instance"), "{{instance}}")),
        panel("Releases", "short", (latest("score_build_info", "version", "count"), "{{version}}")),
    ],
}

FEEDS = {
    "Requests": [
        panel("Requests by outcome", "reqps", (rate("score_feed_requests_total", "feed, outcome"), "{{feed}} {{outcome}}")),
        panel("Duration", "s", (quantile("score_feed_request_duration_seconds", "feed"), "{{feed}}")),
        panel("Size of replies", "bytes", (quantile("score_feed_response_bytes", "feed"), "{{feed}}")),
        panel(
            "Age of the last readable reply",
            "s",
            ("time() - " + latest("score_feed_last_success_timestamp_seconds", "feed"), "{{feed}}"),
        ),
        panel("Breaker: 0 closed, 2 open", "short", (latest("score_feed_breaker_state", "feed"), "{{feed}}")),
        panel(
            "Time to the next poll and list",
            "s",
            (latest("score_feed_poll_interval_seconds", "feed"), "{{feed}}"),
            (latest("score_feed_list_interval_seconds", "feed"), "{{feed}} list"),
        ),
        panel("Waits for the plan", "ops", (rate("score_feed_budget_waits_total", "feed"), "{{feed}}")),
        panel("Lists that were cut", "ops", (rate("score_feed_lists_cut_total", "feed"), "{{feed}}")),
    ],
    "Replies": [
        panel("Provider's time to receipt", "s", (quantile("score_feed_lag_seconds", "feed"), "{{feed}}")),
        panel("Changes", "ops", (rate("score_feed_changes_total", "feed, kind"), "{{feed}} {{kind}}")),
        panel(
            "Replies that were not accepted",
            "ops",
            (rate("score_feed_quarantined_payloads_total", "feed, cause"), "{{feed}} {{cause}}"),
        ),
        panel("Unknown words", "short", (latest("score_feed_unknown_words", "feed"), "{{feed}}")),
        panel("Disagreements", "ops", (rate("score_feed_disagreements_total", "feed, kind"), "{{feed}} {{kind}}")),
        panel("Changes of the leading feed", "ops", (rate("score_feed_failovers_total", "feed"), "{{feed}}")),
        panel("Webhook calls", "ops", (rate("score_feed_notices_total", "feed, outcome"), "{{feed}} {{outcome}}")),
        panel("Captures that were not written", "ops", (rate("score_feed_captures_dropped_total", "reason"), "{{reason}}")),
    ],
    "Journal": [
        panel("Revisions", "ops", (rate("score_revisions_total", "cause"), "{{cause}}")),
        panel("New epochs of matches", "ops", (rate("score_epoch_changes_total", "instance"), "{{instance}}")),
        panel("Matches read again", "ops", (rate("score_journal_reloads_total", "instance"), "{{instance}}")),
        panel("Confirmation to alert", "s", (quantile("score_confirmation_to_alert_seconds"), "all nodes")),
    ],
}

PUSH = {
    "Pushes": [
        panel("Planned", "ops", (rate("score_pushes_planned_total", "class"), "{{class}}")),
        panel("Attempts by outcome", "ops", (rate("score_push_attempts_total", "class, outcome"), "{{class}} {{outcome}}")),
        panel(
            "Reasons of refusals",
            "ops",
            (rate("score_push_attempts_total", "reason", 'outcome!="accepted"'), "{{reason}}"),
        ),
        panel("Known traps", "ops", (rate("score_push_trap_errors_total", "trap, operation"), "{{trap}} {{operation}}")),
        panel("Request to answer", "s", (quantile("score_push_attempt_duration_seconds", "env"), "{{env}}")),
        panel("Size", "bytes", (quantile("score_push_payload_bytes", "class"), "{{class}}")),
        panel("Superseded", "ops", (rate("score_pushes_superseded_total", "stage"), "{{stage}}")),
        panel("Expired", "ops", (rate("score_pushes_expired_total", "class, stage"), "{{class}} {{stage}}")),
        panel("Repeated", "ops", (rate("score_push_retries_total", "instance"), "{{instance}}")),
        panel("Waiting", "short", (latest("score_push_queue_depth", "env, class", "sum"), "{{env}} {{class}}")),
        panel("Oldest that waits", "s", (latest("score_push_queue_oldest_seconds", "env, queue"), "{{env}} {{queue}}")),
        panel("Given up", "ops", (rate("score_push_dead_letters_total", "class, reason"), "{{class}} {{reason}}")),
        panel("Dropped", "ops", (rate("score_push_directed_dropped_total", "instance"), "{{instance}}")),
        panel("Too large", "ops", (rate("score_push_payload_too_large_total", "class"), "{{class}}")),
        panel("Widgets", "ops", (rate("score_widget_reloads_total", "cause, complete"), "{{cause}} {{complete}}")),
    ],
    "Connections to Apple": [
        panel("Connections", "short", (latest("score_apns_connections", "env, state", "sum"), "{{env}} {{state}}")),
        panel("Requests in flight", "short", (latest("score_apns_streams_in_use", "env", "sum"), "{{env}}")),
        panel("Failures", "ops", (rate("score_apns_connection_failures_total", "env"), "{{env}}")),
        panel("GOAWAY", "ops", (rate("score_apns_goaways_total", "env"), "{{env}}")),
        panel("Breaker: 1 open", "short", (latest("score_apns_breaker_state", "env, instance"), "{{env}} {{instance}}")),
        panel("Age of the provider token", "s", (latest("score_apns_provider_token_age_seconds", "env"), "{{env}}")),
        panel("Provider tokens signed", "ops", (rate("score_apns_provider_tokens_minted_total", "env"), "{{env}}")),
    ],
    "Channels": [
        panel("Channels", "short", (latest("score_channels", "env"), "{{env}}")),
        panel("Missing", "short", (latest("score_channels_missing", "env"), "{{env}}")),
        panel(
            "Requests",
            "ops",
            (rate("score_channel_requests_total", "operation, outcome, reason"), "{{operation}} {{outcome}} {{reason}}"),
        ),
        panel("Duration", "s", (quantile("score_channel_request_duration_seconds", "operation"), "{{operation}}")),
    ],
}

STREAMS = {
    "Streams": [
        panel("Open", "short", (latest("score_sse_connections", "instance", "sum"), "{{instance}}")),
        panel("Opened, by resumption", "ops", (rate("score_sse_opens_total", "resume"), "{{resume}}")),
        panel("Ended, by reason", "ops", (rate("score_sse_closes_total", "reason"), "{{reason}}")),
        panel("Events", "ops", (rate("score_sse_frames_total", "event"), "{{event}}")),
        panel("Bytes", "Bps", (rate("score_sse_bytes_total", "instance"), "{{instance}}")),
        panel("States skipped by slow readers", "ops", (rate("score_sse_conflated_frames_total", "instance"), "{{instance}}")),
        panel("Unsent bytes", "bytes", (latest("score_sse_unsent_bytes", "instance", "sum"), "{{instance}}")),
        panel("Replays", "ops", (rate("score_sse_replays_total", "source"), "{{source}}")),
        panel("Writing of a state", "s", (quantile("score_sse_fanout_duration_seconds", "instance"), "{{instance}}")),
    ],
    "HTTP": [
        panel("Answers by status", "reqps", (rate("score_http_requests_total", "listener, code"), "{{listener}} {{code}}")),
        panel(
            "Duration of public routes",
            "s",
            (quantile("score_http_request_duration_seconds", "route", 'listener="public"'), "{{route}}"),
        ),
        panel("Connections", "short", (latest("score_http_connections", "listener, instance", "sum"), "{{listener}} {{instance}}")),
        panel("Connections ended", "ops", (rate("score_http_connections_closed_total", "reason"), "{{reason}}")),
        panel("Refused by a limit", "ops", (rate("score_rate_limit_decisions_total", "policy"), "{{policy}}")),
        panel("Wrong credentials", "ops", (rate("score_auth_failures_total", "surface, cause"), "{{surface}} {{cause}}")),
    ],
}

DEVICES = {
    "Devices and tokens": [
        panel("Registrations", "ops", (rate("score_device_registrations_total", "result"), "{{result}}")),
        panel("Replaced tokens", "ops", (rate("score_token_rotations_total", "kind"), "{{kind}}")),
        panel(
            "Tokens that are no longer valid",
            "percentunit",
            (
                rate("score_push_attempts_total", "", 'reason=~"BadDeviceToken|Unregistered"')
                + " / "
                + rate("score_push_attempts_total"),
                "share of attempts",
            ),
        ),
        panel("Bad tokens that were kept", "ops", (rate("score_push_quarantines_withheld_total", "env"), "{{env}}")),
    ],
    "What phones show": [
        panel(
            "Activities",
            "short",
            (latest("score_activities_accepted", "job", "sum"), "newest state accepted"),
            (latest("score_activities_confirmed", "job", "sum"), "newest state confirmed"),
            (latest("score_activities_unknown", "job", "sum"), "no receipt"),
            (latest("score_activities_stuck", "job", "sum"), "stuck"),
        ),
        panel("Activities by kind", "short", (latest("score_live_activities", "state", "sum"), "{{state}}")),
        panel("Receipts by state", "ops", (rate("score_activity_confirmations_total", "shown"), "{{shown}}")),
        panel("Revisions behind", "short", (quantile("score_activity_confirm_lag_revisions"), "all nodes")),
        panel("Receipts by effect", "ops", (rate("score_receipts_total", "result"), "{{result}}")),
        panel("Reports of apps", "ops", (rate("score_client_events_total", "kind"), "{{kind}}")),
        panel("Missed by their bucket", "ops", (rate("score_pushes_missed_total", "instance"), "{{instance}}")),
    ],
}

RUNTIME = {
    "Process": [
        panel("Resident memory", "bytes", (latest("process_resident_memory_bytes", "instance"), "{{instance}}")),
        panel(
            "Descriptors in use",
            "percentunit",
            (latest("process_open_fds", "instance") + " / " + latest("process_max_fds", "instance"), "{{instance}}"),
        ),
        panel("Time since the start", "s", ("time() - " + latest("process_start_time_seconds", "instance"), "{{instance}}")),
        panel("Lateness of tasks", "s", (quantile("score_task_lag_seconds", "instance"), "{{instance}}")),
        panel("Metrics dropped", "short", (latest("score_metrics_dropped_total", "instance"), "{{instance}}")),
        panel("Clock ahead of PostgreSQL", "s", (latest("score_clock_offset_seconds", "instance"), "{{instance}}")),
        panel("Log lines dropped", "ops", (rate("score_log_records_dropped_total", "instance"), "{{instance}}")),
        panel("Secrets removed from logs", "ops", (rate("score_log_redactions_total", "instance"), "{{instance}}")),
    ],
    "Store": [
        panel("PostgreSQL answers", "short", (latest("score_ready", "instance", "min", 'check="db"'), "{{instance}}")),
        panel("The node may write", "short", (latest("score_ready", "instance", "min", 'check="term"'), "{{instance}}")),
        panel("Connections", "short", (latest("score_db_pool_connections", "pool, state", "sum"), "{{pool}} {{state}}")),
        panel("Errors", "ops", (rate("score_db_errors_total", "pool, class"), "{{pool}} {{class}}")),
        panel("Sweeps", "ops", (rate("score_sweep_runs_total", "kind, result"), "{{kind}} {{result}}")),
        panel("Duration of sweeps", "s", (quantile("score_sweep_duration_seconds", "kind"), "{{kind}}")),
        panel("Rows deleted", "ops", (rate("score_retention_rows_total", "table"), "{{table}}")),
        panel("Changes without a notification", "ops", (rate("score_db_poll_catchups_total", "instance"), "{{instance}}")),
    ],
    "Audit": [
        panel("Actions of operators", "ops", (rate("score_admin_actions_total", "action, outcome"), "{{action}} {{outcome}}")),
        panel("Entries", "short", (latest("score_audit_entries", "job"), "newest")),
        panel("Faults in the chain", "short", (latest("score_audit_faults", "instance"), "{{instance}}")),
        panel("Refusals without an entry", "ops", (rate("score_audit_dropped_total", "instance"), "{{instance}}")),
    ],
}

DASHBOARDS = {
    "overview": ("Overview and service levels", OVERVIEW),
    "feeds": ("Feeds and journal", FEEDS),
    "push": ("Push and APNs", PUSH),
    "streams": ("Streams and HTTP", STREAMS),
    "devices": ("Devices, tokens and phones", DEVICES),
    "runtime": ("Store and runtime", RUNTIME),
}


def drawn(description, number, column, row):
    """A panel of Grafana; three stand beside each other."""
    targets = [
        {"datasource": DATASOURCE, "expr": expression, "legendFormat": legend, "refId": chr(ord("A") + index)}
        for index, (expression, legend) in enumerate(description["targets"])
    ]
    return {
        "id": number,
        "type": "timeseries",
        "title": description["title"],
        "datasource": DATASOURCE,
        "gridPos": {"x": column * 8, "y": row, "w": 8, "h": 7},
        "fieldConfig": {"defaults": {"unit": description["unit"]}, "overrides": []},
        "targets": targets,
    }


def rows(sections):
    """The first section is open; the others query only when they are opened."""
    result, number, height = [], 1, 0
    for index, (title, panels) in enumerate(sections.items()):
        is_open = index == 0
        header = {"id": number, "type": "row", "title": title, "collapsed": not is_open, "panels": []}
        header["gridPos"] = {"x": 0, "y": height, "w": 24, "h": 1}
        content = [drawn(p, number + 1 + i, i % 3, height + 1 + i // 3 * 7) for i, p in enumerate(panels)]
        number += 1 + len(panels)
        height += 1
        result.append(header)
        if is_open:
            result += content
            height += (len(panels) + 2) // 3 * 7
        else:
            header["panels"] = content
    return result


def variables():
    """The data source, the nodes and the quantile."""
    return [
        {"name": "datasource", "type": "datasource", "query": "prometheus"},
        {
            "name": "instance",
            "type": "query",
            "datasource": DATASOURCE,
            "query": "label_values(score_build_info, instance)",
            "refresh": 2,
            "multi": True,
            "includeAll": True,
            "allValue": ".*",
            "current": {"text": "All", "value": "$__all"},
        },
        {
            "name": "quantile",
            "type": "custom",
            "query": "0.99,0.95,0.5",
            "current": {"text": "0.99", "value": "0.99"},
            "options": [{"text": value, "value": value, "selected": value == "0.99"} for value in ("0.99", "0.95", "0.5")],
        },
    ]


def dashboard(name, title, sections):
    """The model that Grafana imports or provisions."""
    return {
        "uid": f"score-{name}",
        "title": f"score-server: {title}",
        "tags": ["score-server"],
        "schemaVersion": 38,
        "editable": False,
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "templating": {"list": variables()},
        "panels": rows(sections),
    }


def main():
    differing = []
    for name, (title, sections) in DASHBOARDS.items():
        file = FOLDER / f"{name}.json"
        text = json.dumps(dashboard(name, title, sections), indent=1) + "\n"
        if "--check" not in sys.argv:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            differing.append(file.name)
    if differing:
        sys.exit(f"Run deploy/grafana/dashboards.py: it would change {', '.join(differing)}")


main()
