// The way to APNs as operators read it.

import PushDispatcher
import ScoreTypes

extension DispatcherStatus.Environment {
    /// The environment for operators, with its switch, its errors and its last probe.
    func apnsJSON(isOn: Bool, flag: JSONValue, errors: [JSONValue], probe: ProbeReport?) -> JSONValue {
        let quantiles = roundTrips.quantiles([0.5, 0.9, 0.99]).map { JSONValue.number($0.tenths) }
        return .record([
            "environment": .text(environment.rawValue), "host": .text(host), "topic": .text(topic),
            "keyIdSuffix": .text(String(keyID.suffix(4))), "on": .bool(isOn), "switch": flag,
            "problem": problem.map { .text($0) }, "breaker": .text(breaker),
            "connections": .record(["open": .whole(gauges.connectionsOpen), "wanted": .whole(gauges.connections)]),
            "streams": .record(["inUse": .whole(gauges.streamsInUse), "allowed": .whole(gauges.streamsAllowed)]),
            "providerTokenAgeSeconds": providerTokenAge.map { .integer($0.components.seconds) },
            "providerTokensMinted": .whole(providerTokensMinted),
            "accepted": .whole(accepted), "rejected": .whole(rejected), "failed": .whole(failed),
            "expired": .whole(expired), "quarantinesWithheld": .whole(quarantinesWithheld),
            "roundTripMs": quantiles.isEmpty
                ? nil
                : .record([
                    "p50": quantiles[0], "p90": quantiles[1], "p99": quantiles[2], "samples": .whole(roundTrips.count),
                ]),
            "errors": .array(errors), "lastProbe": probe.map(\.json),
        ])
    }

    private var breaker: String {
        if gauges.breakersOpen == 0 { return "closed" }
        return gauges.breakersHalfOpen == gauges.breakersOpen ? "halfOpen" : "open"
    }
}

extension DispatcherStatus {
    /// The waiting requests by queue; `limit` is the number beyond which a further request is refused or dropped.
    var queues: [JSONValue] {
        let single = environments.flatMap { environment in
            let gauges = environment.gauges
            let perQueue = lanes * PushLimits.directedPerLane
            return [
                Self.queue(
                    "broadcasts",
                    environment,
                    gauges.broadcasts,
                    [.update, .end],
                    limit: PushLimits.directedPerLane
                ),
                Self.queue("notifications", environment, gauges.notifications, [.alert, .background], limit: perQueue),
                Self.queue("lifecycle", environment, gauges.lifecycle, [.start, .end, .widgets], limit: perQueue),
                .record([
                    "queue": .text("retries"), "environment": .text(environment.environment.rawValue),
                    "waiting": .whole(gauges.retriesWaiting),
                ]),
            ]
        }
        let shared: [JSONValue] = [
            .record([
                "queue": .text("publications"), "waiting": .whole(matches.count { $0.waitingRevision != nil }),
                "limit": .whole(matches.count),
            ]),
            .record([
                "queue": .text("plannedStarts"), "waiting": .whole(startsWaiting),
                "limit": .whole(PushLimits.startsWaiting),
            ]),
            .record([
                "queue": .text("repeatedEnds"), "waiting": .whole(endsWaiting), "limit": .whole(PushLimits.endsWaiting),
            ]),
        ]
        return single + shared
    }

    private static func queue(
        _ name: String,
        _ environment: Environment,
        _ gauge: QueueGauge,
        _ kinds: [PayloadKind],
        limit: Int
    ) -> JSONValue {
        .record([
            "queue": .text(name), "environment": .text(environment.environment.rawValue),
            "waiting": .whole(gauge.waiting),
            "byClass": .object(kinds.map { .init(name: $0.rawValue, value: .whole(gauge.waiting($0))) }),
            "retrying": .whole(gauge.retrying), "oldestMs": gauge.oldest.map { .integer($0.milliseconds) },
            "limit": .whole(limit),
        ])
    }
}

extension KeyReload {
    /// The result for operators; of a key's id the last four characters.
    var json: JSONValue {
        switch self {
        case .replaced(let id): .record(["replaced": .bool(true), "keyIdSuffix": .text(String(id.suffix(4)))])
        case .unchanged: .record(["replaced": .bool(false)])
        }
    }
}

extension ProbeReport {
    /// The answer of APNs with its meaning.
    var json: JSONValue {
        var (status, reason, duration): (Int?, APNsReason?, Duration?) = (nil, nil, nil)
        switch finding {
        case .good(let took): (status, reason, duration) = (400, .badDeviceToken, took)
        case .refused(let given, let cause, let took): (status, reason, duration) = (given, cause, took)
        case .unsigned, .unreachable: break
        }
        return .record([
            "good": .bool(isGood), "text": .text(finding.sentence), "status": status.map { .whole($0) },
            "reason": reason.map { .text($0.rawValue) }, "trap": trap.map { .text($0) },
            "durationMs": duration.map { .number($0.tenths) }, "at": .text(at.rfc3339),
        ])
    }

    /// Whether APNs accepts key and topic.
    var isGood: Bool { if case .good = finding { true } else { false } }

    private var trap: String? { if case .refused(_, let reason, _) = finding { reason.trap } else { nil } }
}
