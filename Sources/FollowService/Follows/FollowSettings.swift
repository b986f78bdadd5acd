// The choices of one follower for one match: team, alerts and surfaces.

public import ScoreTypes

/// The team that a follower supports; the raw values are stored.
public enum TeamIntent: Int16, Sendable, Hashable, CaseIterable {
    case neither = 0
    case first = 1
    case second = 2
}

/// A kind of moment that a follower can be alerted of, by its name in the API.
public enum AlertKind: String, Sendable, Hashable, CaseIterable {
    case wicket, milestone, result, start
}

/// A set of alert kinds.
public struct AlertKinds: OptionSet, Sendable, Hashable {
    /// The bits as stored.
    public let rawValue: Int16

    /// Wraps stored bits.
    public init(rawValue: Int16) { self.rawValue = rawValue }

    /// Collects kinds by name.
    public init(_ kinds: some Sequence<AlertKind>) { rawValue = kinds.reduce(0) { $0 | $1.bit } }

    /// A wicket fell.
    public static let wicket = AlertKinds(rawValue: 1)
    /// A fifty, a hundred, five wickets, a hat-trick.
    public static let milestone = AlertKinds(rawValue: 2)
    /// The innings or the match ended.
    public static let result = AlertKinds(rawValue: 4)
    /// Play starts.
    public static let start = AlertKinds(rawValue: 8)
    /// The default of a follow.
    public static let all: AlertKinds = [.wicket, .milestone, .result, .start]

    /// The kinds in the set, in the order of their declaration.
    public var kinds: [AlertKind] { AlertKind.allCases.filter { rawValue & $0.bit != 0 } }
}

/// A surface of the phone beside Live Activity and alerts, by its name in the API; the app itself reads these settings.
public enum FollowSurface: String, Sendable, Hashable, CaseIterable {
    case widget, control, lockAccessory, standby
}

/// A set of surfaces.
public struct FollowSurfaces: OptionSet, Sendable, Hashable {
    /// The bits as stored.
    public let rawValue: Int16

    /// Wraps stored bits.
    public init(rawValue: Int16) { self.rawValue = rawValue }

    /// Collects surfaces by name.
    public init(_ surfaces: some Sequence<FollowSurface>) { rawValue = surfaces.reduce(0) { $0 | $1.bit } }

    /// A widget on the Home Screen.
    public static let widget = FollowSurfaces(rawValue: 1)
    /// A control in Control Center.
    public static let control = FollowSurfaces(rawValue: 2)
    /// An accessory beside the Lock Screen's clock.
    public static let lockAccessory = FollowSurfaces(rawValue: 4)
    /// StandBy: a charging phone in landscape.
    public static let standby = FollowSurfaces(rawValue: 8)
    /// The default of a follow.
    public static let all: FollowSurfaces = [.widget, .control, .lockAccessory, .standby]
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
    /// The bit that stands for the case in a stored set; the first case has the lowest.
    fileprivate var bit: Int16 { 1 << Int16(Self.allCases.firstIndex(of: self) ?? 0) }
}

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
