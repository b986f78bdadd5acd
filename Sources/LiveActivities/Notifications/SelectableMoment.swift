// What the engine calls a moment, people choose by kind and by side.

import FollowService
import MatchEngine
import ScoreTypes

/// A moment in the terms in which people choose what they are told.
struct TellableMoment: Sendable {
    let moment: Moment
    let kind: AlertKinds
    let side: TeamIntent

    var relevance: Int { moment.relevance }

    /// nil for what nobody can choose: it is only drawn.
    init?(_ moment: Moment) {
        guard let kind = AlertKinds(moment.kind) else { return nil }
        self.moment = moment
        self.kind = kind
        side =
            switch moment.side {
            case .first: .first
            case .second: .second
            case nil: .neither
            }
    }

    /// Whether a person chose it: its kind, and the side that it belongs to.
    func suits(_ recipient: AlertRecipient) -> Bool {
        guard recipient.alerts.contains(kind) else { return false }
        return recipient.teamIntent == .neither || side == .neither || recipient.teamIntent == side
    }
}

extension AlertKinds {
    /// The choice that a kind of moment falls under.
    init?(_ kind: Moment.Kind) {
        switch kind {
        case .wicket: self = .wicket
        case .fifty, .hundred, .fiveWickets, .tenInMatch, .hatTrick, .fourInFour, .sixSixes, .teamMilestone,
            .partnership:
            self = .milestone
        case .inningsEnd, .superOver, .result: self = .result
        case .toss, .start, .resumption: self = .start
        default: return nil
        }
    }
}
