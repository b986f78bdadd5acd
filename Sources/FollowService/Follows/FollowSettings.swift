// The choices of one follower for one match: team, alerts and surfaces.

public import ScoreTypes

/// The team that a follower supports; the raw values are stored.
public enum TeamIntent: Int16, Sendable, Hashable, CaseIterable {
    case neither = 0
    case first = 1
    case second = 2
}

/// A kind of moment that a follower can be alerted of, by its name in the API.
///
/// `milestone` is a fifty, a hundred, five wickets or a hat-trick, `result` the end of an innings or of the match,
/// `start` the start of play.
public enum AlertKind: String, Sendable, Hashable, CaseIterable {
    case wicket, milestone, result, start
}

/// A surface of the phone beside Live Activity and alerts, by its name in the API; the app itself reads these settings.
public enum FollowSurface: String, Sendable, Hashable, CaseIterable {
    case widget, control, lockAccessory, standby
}

/// A set of cases as it is stored: one bit for each, the lowest for the first case.
public struct Choices<Choice: CaseIterable & Equatable & Sendable>: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// The bits as stored.
    public let rawValue: Int16

    /// Wraps stored bits.
    public init(rawValue: Int16) { self.rawValue = rawValue }

    /// Collects choices.
    public init(_ choices: some Sequence<Choice>) { rawValue = choices.reduce(0) { $0 | Self.bit(of: $1) } }

    /// Collects choices.
    public init(arrayLiteral choices: Choice...) { self.init(choices) }

    /// All choices, the default of a follow.
    public static var all: Self { Self(rawValue: 1 << Int16(Choice.allCases.count) - 1) }

    /// The choices in the set, in the order of their declaration.
    public var choices: [Choice] { Choice.allCases.filter { contains($0) } }

    /// Whether the set has all choices.
    public var isComplete: Bool { Choice.allCases.allSatisfy(contains) }

    /// Whether the set has a choice.
    public func contains(_ choice: Choice) -> Bool { rawValue & Self.bit(of: choice) != 0 }

    private static func bit(of choice: Choice) -> Int16 {
        Choice.allCases.enumerated().first { $0.element == choice }.map { 1 << Int16($0.offset) } ?? 0
    }
}

/// A set of alert kinds.
public typealias AlertKinds = Choices<AlertKind>
/// A set of surfaces.
public typealias FollowSurfaces = Choices<FollowSurface>

/// The settings with which a device follows a match.
public struct FollowSettings: Sendable, Hashable {
    /// The match.
    public let match: MatchID
    /// The team that the follower supports.
    public let teamIntent: TeamIntent
    /// The alerts that the follower wants.
    public let alerts: AlertKinds
    /// Whether the server may start a Live Activity for the match.
    public let wantsActivity: Bool
    /// The other surfaces that the follower wants.
    public let surfaces: FollowSurfaces

    /// Makes settings; the defaults are those of a follower who chose nothing.
    public init(
        match: MatchID,
        teamIntent: TeamIntent = .neither,
        alerts: AlertKinds = .all,
        wantsActivity: Bool = true,
        surfaces: FollowSurfaces = .all
    ) {
        self.match = match
        self.teamIntent = teamIntent
        self.alerts = alerts
        self.wantsActivity = wantsActivity
        self.surfaces = surfaces
    }
}
