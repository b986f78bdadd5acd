// The dispatcher works on bytes and numbers; here a publication loses its cricket.

import FollowService
import MatchEngine
public import MatchJournal
public import PushDispatcher
internal import ScoreTypes

/// The properties by which the starts of a match differ.
struct StartForm: Hashable {
    /// The content state that the started activity decodes.
    let variant: ActivityVariant
    /// The channel that it subscribes to; nil for a token.
    var channel: ChannelID?
}

extension Publication {
    /// The publication that the dispatcher sends to every activity.
    public var push: PushPublication {
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
            cause: cause.push,
            alertRevision: alertRevision,
            alertReach: AlertReach(of: announced),
            standingAlerts: standingAlerts
        )
    }

    /// The content state that activities of a variant decode; the standard one where there is no portable one.
    func contentState(for variant: ActivityVariant) -> [UInt8] {
        switch variant {
        case .own: contentState
        case .ownNewest: other.newestLayout
        case .portable: other.portable?.contentState ?? contentState
        }
    }

    /// The content of every start of the match in one form, with the alert that Apple demands.
    ///
    /// It has the time of now, since the newest state may be hours old before play, and a start must not look stale.
    func startContent(_ form: StartForm, ownType: String, at now: Instant) -> StartContent {
        let sides = info.teams.map(\.name)
        let portable = form.variant == .portable ? other.portable : nil
        return StartContent(
            match: match,
            revision: revision,
            // One second earlier, since an update within this second has to be the newer one.
            apnsTimestamp: max(apnsTimestamp, now.seconds - 1),
            contentState: contentState(for: form.variant),
            attributesType: portable == nil ? ownType : SurfaceRenderer.attributesType,
            attributes: portable?.attributes ?? attributes(on: form.channel),
            alert: PushAlert(
                title: sides.count == 2 ? "\(sides[0]) v \(sides[1])" : "The match begins",
                body: info.venue ?? info.competition ?? "Follow every ball"
            ),
            relevance: relevance
        )
    }
}

extension Publication {
    /// The attributes with the channel of the activity, since ActivityKit names it to no app.
    private func attributes(on channel: ChannelID?) -> [UInt8] {
        guard let channel else { return attributes }
        let member = JSONWriter.document(reservingBytes: 128) { $0.field("channelId", channel.text) }
        return attributes.dropLast() + [UInt8(ascii: ",")] + member.dropFirst()
    }
}

extension Farewell {
    /// The content state that activities of a variant decode.
    func contentState(for variant: ActivityVariant) -> [UInt8] {
        switch variant {
        case .own: contentState
        case .ownNewest: newestLayout
        case .portable: portable ?? contentState
        }
    }
}

extension AlertReach {
    /// The followers who chose one of the moments; a moment that cannot be chosen reaches all who want any alert.
    init(of moments: [ConfirmedMoment]) {
        self.init()
        for moment in moments.compactMap(SelectableMoment.init) {
            add(kinds: UInt8(clamping: AlertKinds([moment.kind]).rawValue), side: UInt8(clamping: moment.side.rawValue))
        }
        if isEmpty { self = .everybody }
    }
}

extension PublicationCause {
    /// How the dispatcher treats it.
    fileprivate var push: PushCause {
        switch self {
        case .reply: .ordinary
        // A confirmation is sent at its own priority; it is never suppressed as an unchanged state.
        case .confirmation: .correction
        case .keepAlive: .keepAlive
        }
    }
}
