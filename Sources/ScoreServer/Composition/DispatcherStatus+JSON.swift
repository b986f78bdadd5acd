// The admin API shows the state of the arenas and of the dispatcher.

import FollowService
import PushDispatcher
import ScoreTypes

extension ArenaStatus {
    /// The object of the admin API.
    var json: JSONValue {
        .record([
            "matches": .integer(Int64(matchCount)), "tokens": .integer(Int64(tokenCount)),
            "bytes": .integer(Int64(byteCount)), "evictionsWaiting": .integer(Int64(evictionsWaiting)),
            "lagMs": .integer(lag.milliseconds), "changesApplied": .integer(Int64(changesApplied)),
        ])
    }
}

extension DispatcherStatus {
    /// The object of the admin API.
    var json: JSONValue {
        .record([
            "environments": .array(environments.map(\.json)),
            "matches": .array(matches.map(\.json)),
            "unrecordedSends": .integer(Int64(unrecordedSends)),
            "startsWaiting": .integer(Int64(startsWaiting)),
            "endsWaiting": .integer(Int64(endsWaiting)),
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
            "accepted": .integer(Int64(accepted)),
            "rejected": .integer(Int64(rejected)),
            "failed": .integer(Int64(failed)),
            "expired": .integer(Int64(expired)),
            "connections": .integer(Int64(gauges.connections)),
            "connectionsOpen": .integer(Int64(gauges.connectionsOpen)),
            "streamsInUse": .integer(Int64(gauges.streamsInUse)),
            "streamsAllowed": .integer(Int64(gauges.streamsAllowed)),
            "breakersOpen": .integer(Int64(gauges.breakersOpen)),
            "directedWaiting": .integer(Int64(gauges.directedWaiting)),
            "retriesWaiting": .integer(Int64(gauges.retriesWaiting)),
            "quarantinesWithheld": .integer(Int64(quarantinesWithheld)),
            "providerTokenAgeSeconds": providerTokenAge.map { .integer($0.components.seconds) } ?? .null,
            "providerTokensMinted": .integer(Int64(providerTokensMinted)),
        ])
    }
}

extension DispatcherStatus.Match {
    fileprivate var json: JSONValue {
        .record([
            "matchId": .text(match.text),
            "revision": revision.map { .integer($0) } ?? .null,
            "waitingRevision": waitingRevision.map { .integer($0) } ?? .null,
            "bucketsServed": .integer(Int64(bucketsServed)),
            "bucketsCurrent": .integer(Int64(bucketsCurrent)),
            "superseded": .integer(Int64(superseded)),
            "unchanged": .integer(Int64(unchanged)),
            "exceptions": .integer(Int64(exceptions)),
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
            "status": .integer(Int64(status)),
            "reason": .text(reason.rawValue),
        ])
    }
}
