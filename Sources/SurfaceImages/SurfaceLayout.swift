// Each presentation of a Live Activity has sizes that Apple's guidelines state; all drawings start from them.

/// A presentation of a Live Activity, or the banner of its alert.
public enum SurfaceLayout: String, CaseIterable, Hashable, Sendable {
    case compact, minimal
    case minimalDetached = "minimal-detached"
    case expanded
    case lockScreen = "lock-screen"
    case standby
    case watch41 = "watch-41"
    case watch45 = "watch-45"
    case watch49 = "watch-49"
    case carPlay = "carplay"
    case carPlayTall = "carplay-tall"
    case carPlayNarrow = "carplay-narrow"
    case banner

    /// The layouts of the Dynamic Island.
    public static let island: [SurfaceLayout] = [.compact, .minimal, .minimalDetached, .expanded]

    /// The name for people.
    public var title: String {
        switch self {
        case .compact: "Dynamic Island, compact"
        case .minimal: "Dynamic Island, minimal, attached"
        case .minimalDetached: "Dynamic Island, minimal, detached"
        case .expanded: "Dynamic Island, expanded"
        case .lockScreen: "Lock Screen"
        case .standby: "StandBy"
        case .watch41: "Watch, 41 mm"
        case .watch45: "Watch, 45 mm"
        case .watch49: "Watch, 49 mm"
        case .carPlay: "CarPlay, 240 × 78"
        case .carPlayTall: "CarPlay, 240 × 100"
        case .carPlayNarrow: "CarPlay, 170 × 78"
        case .banner: "Alert banner"
        }
    }

    /// The size in points of the small presentation; nil for the other layouts.
    var smallSize: ImageSize? {
        switch self {
        case .watch41: ImageSize(165, 72.5)
        case .watch45: ImageSize(184, 80.5)
        case .watch49: ImageSize(191, 81.5)
        case .carPlay: ImageSize(240, 78)
        case .carPlayTall: ImageSize(240, 100)
        case .carPlayNarrow: ImageSize(170, 78)
        default: nil
        }
    }
}

/// The width of an iPhone's screen in points, which selects the sizes of all presentations.
public enum SurfaceScreen: Int, CaseIterable, Hashable, Sendable {
    case points393 = 393
    case points430 = 430

    var width: Double { Double(rawValue) }
    /// The width of the island in its compact and minimal form.
    var islandWidth: Double { self == .points430 ? 250 : 230 }
    /// The width of each side of the compact form.
    var compactWidth: Double { self == .points430 ? 62.33 : 52.33 }
    /// The width of the expanded form and of the Lock Screen's card.
    var cardWidth: Double { self == .points430 ? 408 : 371 }
}

/// The appearance of the Lock Screen and of a banner.
public enum SurfaceScheme: String, CaseIterable, Hashable, Sendable {
    case light, dark
    case alwaysOn = "always-on"
}

/// The condition of an activity beside its content state.
public enum SurfaceCondition: String, CaseIterable, Hashable, Sendable {
    /// Up to date.
    case current
    /// The stale date has passed; the app draws a note.
    case stale
    /// An operator holds the match; phones keep the last revision.
    case held
    /// The activity has ended; its card remains on the Lock Screen and the island is empty.
    case ended
}
