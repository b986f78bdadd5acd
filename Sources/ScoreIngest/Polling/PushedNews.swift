// A webhook may bring several things before the poller looks at the match; none of them may hide another.

internal import Providers

/// What a provider has told by itself about one match and the poller has not looked at yet.
struct PushedNews: Sendable {
    /// Notices that wait: two overs of balls, all put right; what an older one told is found by later polls.
    static let noticesMax = 16

    /// Replies that came whole; the newest of each part.
    private(set) var parts = ProviderReplies()
    /// What has to be asked for, in the order in which it was told.
    private(set) var notices: [ProviderNotice] = []

    /// Takes what came.
    mutating func take(_ push: ProviderPush) {
        switch push {
        case .notice(let notice): notices = (notices + [notice]).suffix(Self.noticesMax)
        case .replies(_, let replies): parts.merge(replies)
        }
    }

    /// The same news behind older notices that could not be acted on.
    func after(_ older: [ProviderNotice]) -> PushedNews {
        var all = self
        all.notices = (older + notices).suffix(Self.noticesMax)
        return all
    }
}
