// Two layouts of the content state are served side by side, so that apps and server need not be released together.

public import LiveSurface

/// A layout of the content state.
///
/// Layouts only add keys: a phone decodes a newer one and ignores what it does not know.
public enum ContentStateVersion: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// The layout of every phone that does not ask for another, and of all broadcasts.
    case one = 1
    /// Version 1 and `progress`, for apps that draw how much of the match is played.
    case two = 2

    /// The newest layout, N.
    public static let newest = two
    /// The oldest that is still rendered, N - 1.
    public static let oldest = one
    /// What a phone gets that asks for nothing.
    public static let standard = one

    /// The newest layout that a phone can read, by the numbers of its registration in any order.
    ///
    /// `standard` when it names none of those rendered here.
    public static func chosen(from offered: some Sequence<Int>) -> ContentStateVersion {
        offered.compactMap(ContentStateVersion.init).max() ?? standard
    }

    /// Orders by age, the oldest first.
    public static func < (left: ContentStateVersion, right: ContentStateVersion) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension ContentStateRenderer {
    /// The content state of a match in a given layout; see `render(_:info:revision:event:isStale:)`.
    ///
    /// - Returns: a state of at most `bytesMax` bytes whose `v` is the version.
    public static func render(
        _ state: MatchState,
        info: MatchInfo,
        revision: Int64,
        event: Moment? = nil,
        isStale: Bool = false,
        version: ContentStateVersion
    ) -> LiveActivityAttributes.ContentState {
        let content = render(state, info: info, revision: revision, event: event, isStale: isStale)
        return laidOut(content, of: state, as: version)
    }

    /// A content state in the standard layout, laid out anew.
    ///
    /// - Returns: a state of at most `bytesMax` bytes whose `v` is the version.
    public static func laidOut(
        _ content: LiveActivityAttributes.ContentState,
        of state: MatchState,
        as version: ContentStateVersion
    ) -> LiveActivityAttributes.ContentState {
        guard version > .one else { return content }
        var content = content
        content.v = version.rawValue
        content.progress = state.progress
        return fitted(content, within: bytesMax)
    }
}
