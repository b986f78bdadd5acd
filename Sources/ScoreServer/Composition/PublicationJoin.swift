// A publication in the dispatcher's terms: bytes and numbers, no cricket.

import MatchEngine
import PushDispatcher
import ScoreIngest
import ScoreTypes

extension Publication {
    /// What the dispatcher brings to every activity.
    var push: PushPublication {
        PushPublication(
            match: match,
            revision: revision,
            apnsTimestamp: apnsTimestamp,
            contentState: contentState,
            stateHash: stateHash,
            alertKey: alertID,
            alert: alert.map { PushAlert(title: $0.title, body: $0.body) },
            priority: priority == .ten ? .ten : .five,
            relevance: relevance,
            isFinal: isFinal,
            committedAt: committedAt,
            seenAt: seenAt,
            cause: cause.push,
            alertRevision: alertRevision
        )
    }

    /// What every start of the match carries.
    func startContent(attributesType: String) -> StartContent {
        let sides = info.teams.map(\.name)
        return StartContent(
            match: match,
            revision: revision,
            apnsTimestamp: apnsTimestamp,
            contentState: contentState,
            attributesType: attributesType,
            attributes: attributes,
            alert: PushAlert(
                title: sides.count == 2 ? "\(sides[0]) v \(sides[1])" : "The match begins",
                body: info.venue ?? info.competition ?? "Follow every ball"
            ),
            relevance: relevance
        )
    }
}

extension PublicationCause {
    /// How the dispatcher treats it.
    fileprivate var push: PushCause {
        switch self {
        case .reply: .ordinary
        // A confirmation is told at its own priority; it is never taken for an unchanged picture.
        case .confirmation: .correction
        case .keepAlive: .keepAlive
        }
    }
}
