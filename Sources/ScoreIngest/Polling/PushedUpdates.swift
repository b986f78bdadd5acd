// Several updates may be pushed before the match is polled; none of them may hide another.

internal import Providers

/// The pushes about one match that no poll has used yet.
package struct PushedUpdates: Sendable {
    /// Whole replies; the newest of each part.
    private(set) var parts = ProviderReplies()
    /// Notices, in the order in which they came; each may name a part to be requested.
    private(set) var notices: [ProviderNotice] = []

    package init() {}

    var isEmpty: Bool { parts.isEmpty && notices.isEmpty }

    /// Adds a push.
    mutating func take(_ push: ProviderPush) {
        switch push {
        case .notice(let notice): notices = (notices + [notice]).suffix(IngestLimits.noticesMax)
        case .replies(_, let replies): parts.merge(replies)
        }
    }

    /// The same updates after older notices that no request has followed yet.
    func after(_ older: [ProviderNotice]) -> PushedUpdates {
        var all = self
        all.notices = (older + notices).suffix(IngestLimits.noticesMax)
        return all
    }
}
