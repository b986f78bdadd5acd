// The releases of iOS differ in what a push can do; a phone has exactly one of them.

/// A release of iOS with its part of ActivityKit.
public enum IOSRelease: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Live Activities, started by the app alone.
    case ios16 = "16.1"
    /// Starts by push.
    case ios17 = "17.2"
    /// Broadcast channels; a start by push says how the activity gets its updates.
    case ios18 = "18.4"
    /// Starts that the app schedules.
    case ios26 = "26.0"

    /// Orders by age.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    private var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Whether a push can start an activity (17.2).
    public var startsByPush: Bool { self >= .ios17 }
    /// Whether an app can draw a state with a timestamp, so that older pushes have no effect (17.2).
    var takesTimestamps: Bool { self >= .ios17 }
    /// Whether an activity can be on a channel (18).
    public var hasChannels: Bool { self >= .ios18 }
    /// Whether the app can start an activity at a later time (26).
    public var schedulesStarts: Bool { self >= .ios26 }
    /// Whether a push can reload the widgets (26).
    public var reloadsWidgetsByPush: Bool { self >= .ios26 }
    /// Whether content can become stale (16.2).
    var hasStaleDates: Bool { self > .ios16 }
    /// Whether a start by push must request a token or name a channel (18); before, it always gets a token.
    var startNamesSubscription: Bool { self >= .ios18 }
}
