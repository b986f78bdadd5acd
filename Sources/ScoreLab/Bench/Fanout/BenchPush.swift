// The latency benchmark sends what the publisher renders, as a server does.

import MatchEngine
import MatchJournal
import PushDispatcher
import ScoreTypes

extension Publication {
    /// The publication as the dispatcher sends it to every token.
    var benchPush: PushPublication {
        PushPublication(
            match: match,
            revision: revision,
            apnsTimestamp: apnsTimestamp,
            contentState: contentState,
            otherStates: [other.newestLayout, other.portable?.contentState ?? contentState],
            stateHash: stateHash,
            alertKey: alertID,
            alert: alert.map { PushAlert(title: $0.title, body: $0.body) },
            priority: priority == .ten ? .ten : .five,
            relevance: relevance,
            isFinal: isFinal,
            committedAt: committedAt,
            seenAt: seenAt,
            cause: cause == .confirmation ? .correction : cause == .keepAlive ? .keepAlive : .ordinary,
            alertRevision: alertRevision,
            alertReach: .everybody,
            standingAlerts: standingAlerts
        )
    }
}
