// Writes the dispatcher's counters, timers and gauges.

internal import Metrics
internal import ScoreTypes

/// Writes counts and gauges to the metrics system.
struct PushMetrics {
    private var attempts: [[String]: Counter] = [:]

    mutating func add(_ counts: LaneCounts, in environment: PushEnvironment) {
        counts.forEachAttempt { kind, outcome, reason, count in
            let counter =
                attempts[[kind.rawValue, outcome, reason.rawValue]]
                ?? Counter(
                    label: "score_push_attempts_total",
                    dimensions: [("class", kind.rawValue), ("outcome", outcome), ("reason", reason.rawValue)]
                )
            attempts[[kind.rawValue, outcome, reason.rawValue]] = counter
            counter.increment(by: count)
            if reason == .payloadTooLarge {
                increase("score_push_payload_too_large_total", count, [("class", kind.rawValue)])
            }
        }
        counts.forEachFinal { kind, reason, count in
            guard reason.trap != nil || reason.operatorFault != nil else { return }
            Self.countTrap(reason, operation: kind.rawValue, count)
        }
        increase("score_push_retries_total", counts.retries, [])
        increase("score_pushes_superseded_total", counts.superseded, [("stage", "retrying")])
        increase("score_push_directed_dropped_total", counts.directedDropped, [])
        for kind in PayloadKind.allCases {
            expired(kind, "queued", counts.expired[kind.index].waiting)
            expired(kind, "retrying", counts.expired[kind.index].retrying)
        }
        let labels = [("env", environment.rawValue)]
        increase("score_apns_connection_failures_total", counts.connectionFailures, labels)
        increase("score_apns_goaways_total", counts.goAways, labels)
        let attempt = Timer(label: "score_push_attempt_duration_seconds", dimensions: labels)
        for duration in counts.durations { attempt.recordNanoseconds(duration.nanoseconds) }
        for (kind, milliseconds) in counts.endToEnd {
            Timer(label: "score_push_end_to_end_seconds", dimensions: [("class", kind.rawValue)])
                .recordMilliseconds(milliseconds)
        }
        let first = Timer(label: "score_push_first_send_seconds")
        for send in counts.firstSends { first.recordMilliseconds(send.milliseconds) }
    }

    func set(_ environment: DispatcherStatus.Environment) {
        let (labels, gauges) = ([("env", environment.environment.rawValue)], environment.gauges)
        let down = gauges.connections - gauges.connectionsOpen
        gauge("score_apns_connections", gauges.connectionsOpen, labels + [("state", "open")])
        gauge("score_apns_connections", down, labels + [("state", "down")])
        gauge("score_apns_streams_in_use", gauges.streamsInUse, labels)
        gauge("score_push_inflight", gauges.streamsInUse, labels)
        gauge("score_apns_breaker_state", gauges.breakersOpen > 0 ? 1 : 0, labels)
        let queues = [
            ("broadcasts", gauges.broadcasts), ("lifecycle", gauges.lifecycle), ("notifications", gauges.notifications),
        ]
        for kind in PayloadKind.allCases {
            let waiting = queues.reduce(0) { $0 + $1.1.waiting(kind) }
            gauge("score_push_queue_depth", waiting, labels + [("class", kind.rawValue)])
        }
        for (name, queue) in queues {
            Gauge(label: "score_push_queue_oldest_seconds", dimensions: labels + [("queue", name)])
                .record((queue.oldest ?? .zero) / .seconds(1))
        }
        if let age = environment.providerTokenAge {
            gauge("score_apns_provider_token_age_seconds", Int(age.components.seconds), labels)
        }
    }

    func planned(_ kind: PayloadKind, isUrgent: Bool) {
        let name = kind == .update ? (isUrgent ? "urgent" : "normal") : kind.rawValue
        increase("score_pushes_planned_total", 1, [("class", name)])
    }

    func superseded(_ count: Int) { increase("score_pushes_superseded_total", count, [("stage", "queued")]) }

    /// Counts publications of priority 10 that were sent at 5.
    func lowered(_ count: Int, _ span: PriorityBudget.Span) {
        increase("score_pushes_lowered_total", count, [("span", span.rawValue)])
    }

    func unchanged(_ count: Int) { increase("score_pushes_unchanged_total", count, []) }

    /// Counts requests that became too old.
    func expired(_ kind: PayloadKind, _ stage: String, _ count: Int) {
        increase("score_pushes_expired_total", count, [("class", kind.rawValue), ("stage", stage)])
    }

    /// Counts activities whose bucket was completed without them; they are retried separately.
    func missed(_ count: Int) { increase("score_pushes_missed_total", count, []) }

    /// Counts bad tokens that were kept because there were too many.
    func quarantinesWithheld(_ environment: PushEnvironment, _ count: Int) {
        increase("score_push_quarantines_withheld_total", count, [("env", environment.rawValue)])
    }

    func payload(_ kind: PayloadKind, byteCount: Int) {
        Recorder(label: "score_push_payload_bytes", dimensions: [("class", kind.rawValue)]).record(Int64(byteCount))
    }

    func payloadTooLarge(_ kind: PayloadKind) {
        increase("score_push_payload_too_large_total", 1, [("class", kind.rawValue)])
    }

    func minted(_ environment: PushEnvironment, _ count: Int) {
        increase("score_apns_provider_tokens_minted_total", count, [("env", environment.rawValue)])
    }

    /// Counts answers that are caused by a known trap or an operator's error.
    static func countTrap(_ reason: APNsReason, operation: String, _ count: Int = 1) {
        Counter(
            label: "score_push_trap_errors_total",
            dimensions: [
                ("trap", reason.operatorFault ?? reason.trap ?? ""), ("id", reason.trap ?? ""),
                ("operation", operation),
            ]
        ).increment(by: count)
    }

    private func increase(_ label: String, _ count: Int, _ dimensions: [(String, String)]) {
        guard count > 0 else { return }
        Counter(label: label, dimensions: dimensions).increment(by: count)
    }

    private func gauge(_ label: String, _ value: Int, _ dimensions: [(String, String)]) {
        Gauge(label: label, dimensions: dimensions).record(value)
    }
}

extension Duration {
    /// Nanoseconds, clamped to an hour.
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(seconds, 3600) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
