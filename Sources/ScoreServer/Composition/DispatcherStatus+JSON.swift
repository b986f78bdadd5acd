// The admin API shows the state of the arenas and of the dispatcher.

import FollowService
import PushDispatcher
import ScoreTypes

extension ArenaStatus {
    /// The object of the admin API.
    var json: JSONValue {
        .record([
            "matches": .whole(matchCount), "tokens": .whole(tokenCount),
            "bytes": .whole(byteCount), "evictionsWaiting": .whole(evictionsWaiting),
            "lagMs": .integer(lag.milliseconds), "changesApplied": .whole(changesApplied),
        ])
    }
}

extension DispatcherStatus {
    /// The object of the admin API.
    var json: JSONValue {
        .record([
            "environments": .array(environments.map(\.json)),
            "matches": .array(matches.map(\.json)),
            "unrecordedSends": .whole(unrecordedSends),
            "startsWaiting": .whole(startsWaiting),
            "endsWaiting": .whole(endsWaiting),
        ])
    }
}

extension DispatcherStatus.Environment {
    fileprivate var json: JSONValue {
        .record([
            "environment": .text(environment.rawValue),
            "paused": .bool(isPaused),
            "problem": problem.map { .text($0) } ?? .null,
            "accepted": .whole(accepted),
            "rejected": .whole(rejected),
            "failed": .whole(failed),
            "expired": .whole(expired),
            "connections": .whole(gauges.connections),
            "connectionsOpen": .whole(gauges.connectionsOpen),
            "streamsInUse": .whole(gauges.streamsInUse),
            "streamsAllowed": .whole(gauges.streamsAllowed),
            "breakersOpen": .whole(gauges.breakersOpen),
            "directedWaiting": .whole(gauges.directedWaiting),
            "retriesWaiting": .whole(gauges.retriesWaiting),
            "quarantinesWithheld": .whole(quarantinesWithheld),
            "providerTokenAgeSeconds": providerTokenAge.map { .integer($0.components.seconds) } ?? .null,
            "providerTokensMinted": .whole(providerTokensMinted),
        ])
    }
}

extension DispatcherStatus.Match {
    fileprivate var json: JSONValue {
        .record([
            "matchId": .text(match.text),
            "revision": revision.map { .integer($0) } ?? .null,
            "waitingRevision": waitingRevision.map { .integer($0) } ?? .null,
            "bucketsServed": .whole(bucketsServed),
            "bucketsCurrent": .whole(bucketsCurrent),
            "superseded": .whole(superseded),
            "unchanged": .whole(unchanged),
            "exceptions": .whole(exceptions),
            "firstRequests": .array(
                firstRequests.map { .record(["rev": .integer($0.revision), "ms": .integer($0.milliseconds)]) }
            ),
            "firstRequestMedianMs": firstRequestMedian.map { .integer($0) } ?? .null,
        ])
    }
}
