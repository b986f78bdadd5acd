// Scorers correct a catch sooner than a run out, so their corrections are counted by class.

internal import MatchEngine

/// A class of moments whose corrections are counted together.
public enum MomentClass: String, Sendable, Hashable, Codable, CaseIterable {
    case caught, bowled, lbw, stumped
    case runOut = "run_out"
    /// Every other way to be out.
    case otherDismissal = "other_dismissal"
    /// A score of a batter, a partnership or a side; a bowler's wickets.
    case milestone
    /// The end of an innings, a super over.
    case innings
    /// The result, a resumption, and all else that no innings has.
    case match

    /// The class of a moment; `ball` is the ball of a wicket.
    init(_ moment: Moment, on ball: Delivery?) {
        switch moment.kind {
        case .wicket: self.init(ball?.dismissals.first { $0.out.id == moment.subject }?.kind ?? .other)
        case .inningsEnd, .superOver: self = .innings
        case _ where moment.innings == 0: self = .match
        default: self = .milestone
        }
    }

    private init(_ dismissal: DismissalKind) {
        switch dismissal {
        case .caught, .caughtAndBowled: self = .caught
        case .bowled, .hitWicket: self = .bowled
        case .lbw: self = .lbw
        case .stumped: self = .stumped
        case .runOut: self = .runOut
        case .obstructingTheField, .hitTheBallTwice, .timedOut, .handledTheBall, .retiredOut, .retiredHurt,
            .retiredNotOut, .other:
            self = .otherDismissal
        }
    }
}
