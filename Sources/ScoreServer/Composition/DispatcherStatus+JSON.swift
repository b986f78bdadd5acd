// The admin API shows the state of the arenas and of the dispatcher.

import FollowService
import PushDispatcher
import ScoreTypes

extension ArenaStatus {
    /// The object of the admin API.
    var json: JSONValue {
        .record([
            "matches": .count(matchCount), "tokens": .count(tokenCount),
            "bytes": .count(byteCount), "evictionsWaiting": .count(evictionsWaiting),
            "lagMs": .integer(lag.milliseconds), "changesApplied": .count(changesApplied),
        ])
    }
}

extension DispatcherStatus {
    /// The object of the admin API.
    var json: JSONValue {
        .record([
            "environments": .array(environments.map(\.json)),
            "matches": .array(matches.map(\.json)),
            "unrecordedSends": .count(unrecordedSends),
            "startsWaiting": .count(startsWaiting),
            "endsWaiting": .count(endsWaiting),
            "recentRejections": .array(recentRejections.map(\.json)),
        ])
    }
}

extension DispatcherStatus.Environment {
    fileprivate var json: JSONValue {
        .record([
            "environment": .text(environment.rawValue),
            "paused": .bool(isPaused),
            "problem": problem.map { .text($0) } ?? .null,
            "accepted": .count(accepted),
            "rejected": .count(rejected),
            "failed": .count(failed),
            "expired": .count(expired),
            "connections": .count(gauges.connections),
            "connectionsOpen": .count(gauges.connectionsOpen),
            "streamsInUse": .count(gauges.streamsInUse),
            "streamsAllowed": .count(gauges.streamsAllowed),
            "breakersOpen": .count(gauges.breakersOpen),
            "directedWaiting": .count(gauges.directedWaiting),
            "retriesWaiting": .count(gauges.retriesWaiting),
            "quarantinesWithheld": .count(quarantinesWithheld),
            "providerTokenAgeSeconds": providerTokenAge.map { .integer($0.components.seconds) } ?? .null,
            "providerTokensMinted": .count(providerTokensMinted),
        ])
    }
}

extension DispatcherStatus.Match {
    fileprivate var json: JSONValue {
        .record([
            "matchId": .text(match.text),
            "revision": revision.map { .integer($0) } ?? .null,
            "waitingRevision": waitingRevision.map { .integer($0) } ?? .null,
            "bucketsServed": .count(bucketsServed),
            "bucketsCurrent": .count(bucketsCurrent),
            "superseded": .count(superseded),
            "unchanged": .count(unchanged),
            "exceptions": .count(exceptions),
        ])
    }
}

extension RecentRejection {
    fileprivate var json: JSONValue {
        .record([
            "atMs": .integer(at.milliseconds),
            "environment": .text(environment.rawValue),
            "matchId": .text(match.text),
            "kind": .text(kind.rawValue),
            "token": fingerprint.map { .text($0.description) } ?? .null,
            "status": .count(status),
            "reason": .text(reason.rawValue),
        ])
    }
}
