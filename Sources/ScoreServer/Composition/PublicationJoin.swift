// A publication in the dispatcher's terms: bytes and numbers, no cricket.

import FollowService
import MatchEngine
import MatchJournal
import PushDispatcher
import ScoreTypes

extension Publication {
    /// What the dispatcher brings to every activity.
    var push: PushPublication {
        PushPublication(
            match: match,
            revision: revision,
            apnsTimestamp: apnsTimestamp,
            contentState: contentState,
            otherStates: ActivityVariant.allCases.dropFirst().map(contentState(for:)),
            stateHash: stateHash,
            alertKey: alertID,
            alert: alert.map { PushAlert(title: $0.title, body: $0.body) },
            priority: priority == .ten ? .ten : .five,
            relevance: relevance,
            isFinal: isFinal,
            committedAt: committedAt,
            seenAt: seenAt,
            cause: cause.push,
            alertRevision: alertRevision,
            alertReach: AlertReach(of: told),
            standingAlerts: standingAlerts
        )
    }

    /// What an activity of a variant decodes.
    func contentState(for variant: ActivityVariant) -> [UInt8] {
        switch variant {
        case .own: contentState
        case .ownNewest: other.newestLayout
        case .portable: other.portable?.contentState ?? contentState
        }
    }

    /// What every start of the match carries that decodes a variant.
    ///
    /// - Parameters:
    ///   - variant: what the started activity decodes.
    ///   - ownType: the Swift name of the product's own attributes in the app.
    ///   - now: the newest state may be hours old before play, and a start must not look stale.
    /// - Returns: a start with the alert that Apple demands.
    func startContent(of variant: ActivityVariant, ownType: String, at now: Instant) -> StartContent {
        let sides = info.teams.map(\.name)
        let portable = variant == .portable ? other.portable : nil
        return StartContent(
            match: match,
            revision: revision,
            // A second earlier, since an update of this very second has to be the younger one.
            apnsTimestamp: max(apnsTimestamp, now.seconds - 1),
            contentState: contentState(for: variant),
            attributesType: portable == nil ? ownType : SurfaceRenderer.attributesType,
            attributes: portable?.attributes ?? attributes,
            alert: PushAlert(
                title: sides.count == 2 ? "\(sides[0]) v \(sides[1])" : "The match begins",
                body: info.venue ?? info.competition ?? "Follow every ball"
            ),
            relevance: relevance
        )
    }
}

extension Farewell {
    /// What an activity of a variant decodes.
    func contentState(for variant: ActivityVariant) -> [UInt8] {
        switch variant {
        case .own: contentState
        case .ownNewest: newestLayout
        case .portable: portable ?? contentState
        }
    }
}

extension AlertReach {
    /// Those who chose one of the moments; what nobody can choose is for all who are told of anything.
    init(of moments: [Moment]) {
        self.init()
        for moment in moments.compactMap(TellableMoment.init) {
            add(kinds: UInt8(clamping: moment.kind.rawValue), side: UInt8(clamping: moment.side.rawValue))
        }
        if isEmpty { self = .everybody }
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
