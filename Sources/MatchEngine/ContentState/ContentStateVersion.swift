// Two layouts of the content state are rendered side by side, so that app and server need no common release.

public import LiveSurface

/// A layout of the content state.
///
/// A newer layout only adds keys: a phone decodes it and ignores the keys that it does not know.
public enum ContentStateVersion: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// The layout of broadcasts, and of phones that request no other.
    case one = 1
    /// Version 1 and `progress`, for apps that draw how much of the match has been played.
    case two = 2

    /// The newest layout that this build knows; an operator may select an older one (`EngineOptions.newestLayout`).
    public static let newest = two
    /// The layout of a phone that requests none.
    public static let standard = one

    /// The layouts that a server renders whose newest one is this, the oldest first.
    public var renderedLayouts: [ContentStateVersion] { Self.allCases.filter { $0 <= self } }

    /// The newest layout that a phone can read.
    ///
    /// - Parameter offered: The layout numbers of the phone's registration, in any order.
    /// - Returns: The newest layout among them; `standard` when none of them is rendered here.
    public static func chosen(from offered: some Sequence<Int>) -> ContentStateVersion {
        offered.compactMap(ContentStateVersion.init).max() ?? standard
    }

    /// Orders by age, the oldest first.
    public static func < (left: ContentStateVersion, right: ContentStateVersion) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension ContentStateRenderer {
    /// Converts a content state from the standard layout to another.
    ///
    /// - Parameters:
    ///   - content: The state in the standard layout.
    ///   - state: The folded match that it was rendered from.
    ///   - version: The layout to convert to.
    /// - Returns: A state of at most `EngineLimits.contentStateBytes` bytes whose `v` is the version.
    public static func laidOut(
        _ content: LiveActivityAttributes.ContentState,
        of state: MatchState,
        as version: ContentStateVersion
    ) -> LiveActivityAttributes.ContentState {
        guard version > .one else { return content }
        var content = content
        content.v = version.rawValue
        content.progress = state.progress
        return fitted(content, within: EngineLimits.contentStateBytes)
    }
}
