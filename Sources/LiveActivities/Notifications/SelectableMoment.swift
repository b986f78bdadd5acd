// The engine names moments in detail; followers choose them by four kinds and by side.

internal import FollowService
internal import MatchEngine
internal import MatchJournal
internal import PushDispatcher
internal import ScoreTypes

/// A moment that a follower can choose alerts for.
struct SelectableMoment: Sendable {
    let moment: Moment
    let kind: AlertKind
    let side: TeamIntent
    /// The revision that confirmed it, and when.
    let confirmed: (revision: Int64, at: Instant)
    /// Withdraws its notifications.
    let recall = NotificationRecall()

    /// Relevance, 0 to 100.
    var relevance: Int { moment.relevance }

    /// Classifies a moment; nil for one that cannot be chosen: it appears in the content state only.
    init?(_ announced: ConfirmedMoment) {
        guard let kind = AlertKind(announced.moment.kind) else { return nil }
        moment = announced.moment
        self.kind = kind
        confirmed = (announced.revision, announced.at)
        side =
            switch moment.side {
            case .first: .first
            case .second: .second
            case nil: .neither
            }
    }

    /// The moments that can be chosen, the most important first, as `Moment.mostImportant` selects: of equal ones the
    /// latest, which has the words for several wickets.
    ///
    /// `moments` are in match order.
    static func choices(of moments: [ConfirmedMoment]) -> [SelectableMoment] {
        moments.reversed().compactMap(SelectableMoment.init).sorted { $0.moment.importance > $1.moment.importance }
    }

    /// Whether a follower chose its kind and the side that it belongs to.
    func suits(_ recipient: AlertRecipient) -> Bool {
        guard recipient.alerts.contains(kind) else { return false }
        return recipient.teamIntent == .neither || side == .neither || recipient.teamIntent == side
    }
}

extension AlertKind {
    /// The choice that a kind of moment falls under; nil for one that cannot be chosen.
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
