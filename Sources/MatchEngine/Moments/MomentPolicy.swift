// Defines how prominently each kind of moment is announced in each format, and what a configuration may change.

/// How prominently each kind of moment is announced, by format (cricket.md C.12, PUBLICATION section 2).
public struct MomentPolicy: Sendable, Hashable {
    /// How prominently a moment is announced.
    public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
        /// The moment is not created.
        case off
        /// The content state displays it while its ball is the newest.
        ///
        /// It needs no confirmation and no journal entry: a T20 match has forty boundaries.
        case flash
        /// The content state displays it; priority 5, no sound, no confirmation.
        case quiet
        /// Confirmed and alerted at priority 5.
        case spoken
        /// Confirmed and alerted at priority 10.
        case loud

        /// APNs priority.
        public var priority: Moment.Priority { self == .loud ? .ten : .five }
        /// Whether it makes a sound.
        public var isAlert: Bool { self == .spoken || self == .loud }
    }

    /// The policy of PUBLICATION section 2.
    public static let standard = MomentPolicy()

    private var levels: [Format: [Moment.Kind: Level]] = [:]
    private var hauls: [Format: Int] = [:]
    private var teamHundreds: [Format: Level] = [:]
    private var partnershipHundreds: [Format: Level] = [:]

    /// Makes the standard policy.
    public init() {}

    /// The level of a kind of moment in a format.
    ///
    /// Boundaries are at most `flash`: a confirmation would cost a journal entry each.
    public subscript(kind: Moment.Kind, format: Format) -> Level {
        get { levels[format]?[kind] ?? Self.standardLevel(of: kind, in: format) }
        set {
            let isFleeting = kind == .four || kind == .six
            levels[format, default: [:]][kind] = isFleeting && newValue != .off ? .flash : newValue
        }
    }

    /// The level of a side's hundred in a format; its other multiples of fifty have the level of `teamMilestone`.
    public subscript(teamHundred format: Format) -> Level {
        get { teamHundreds[format] ?? self[.teamMilestone, format] }
        set { teamHundreds[format] = newValue }
    }

    /// The level of a partnership of a hundred, and of every further hundred, in a format.
    public subscript(partnershipHundred format: Format) -> Level {
        get { partnershipHundreds[format] ?? self[.partnership, format] }
        set { partnershipHundreds[format] = newValue }
    }

    /// Wickets in an innings from which a bowler's figures are a moment: 3 in short formats, 4 in one-day ones, 5 in
    /// long.
    public subscript(smallestHaul format: Format) -> Int {
        get { hauls[format] ?? Self.standardHaul(in: format) }
        set { hauls[format] = max(2, newValue) }
    }

    private static func standardHaul(in format: Format) -> Int {
        switch format {
        case .test, .firstClass: 5
        case .odi, .listA: 4
        case .t20i, .t20, .t10, .hundred: 3
        }
    }

    private static func standardLevel(of kind: Moment.Kind, in format: Format) -> Level {
        switch kind {
        case .wicket, .hundred, .fiveWickets, .hatTrick, .inningsEnd, .result, .superOver, .resumption: .loud
        case .fifty: format.isLimitedOvers ? .loud : .quiet
        case .four, .six: .flash
        default: .quiet
        }
    }
}

/// The policy of one match, stored in an array by kind so that a ball costs no dictionary lookup.
struct MomentRules: Sendable, Hashable {
    private let levels: [MomentPolicy.Level]
    let teamHundred: MomentPolicy.Level
    let partnershipHundred: MomentPolicy.Level
    let smallestHaul: Int

    init(_ policy: MomentPolicy, format: Format) {
        levels = Moment.Kind.allCases.map { policy[$0, format] }
        teamHundred = policy[teamHundred: format]
        partnershipHundred = policy[partnershipHundred: format]
        smallestHaul = policy[smallestHaul: format]
    }

    /// The level of a kind; nil when it is off.
    func level(of kind: Moment.Kind) -> MomentPolicy.Level? {
        let level = levels[kind.rank]
        return level == .off ? nil : level
    }
}

extension Moment.Kind {
    /// Relevance, 0 to 100: the values of PUBLICATION section 2, and others between them.
    var relevance: Int {
        switch self {
        case .result: 100
        case .wicket, .hundred, .fiveWickets, .hatTrick, .fourInFour, .tenInMatch, .sixSixes, .superOver: 90
        case .inningsEnd: 70
        case .fifty: 60
        case .teamMilestone, .partnership, .resumption, .wicketHaul, .followOn, .fiveSixes, .onHatTrick: 50
        case .doubleWicketOver, .targetRevised, .oversLost: 50
        case .lastOver, .powerplayEnd, .newBall, .substitute, .penaltyRuns, .review, .maiden, .start: 45
        case .four, .six: 40
        case .interval, .delay: 30
        case .toss, .lineups: 10
        }
    }
}
