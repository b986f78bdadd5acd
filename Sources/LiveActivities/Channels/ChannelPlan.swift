// Apple's limit may not allow all requested channels; the matches nearest to their start win.

internal import FollowService
internal import ScoreTypes

/// The channels that one look creates, and the ones that it deletes first.
struct ChannelPlan {
    /// Requested channels to create, in order.
    private(set) var creations: [ChannelKind] = []
    /// Unused channels to delete first.
    private(set) var deletions: [ChannelRecord] = []
    /// Requests beyond the limit.
    private(set) var refusedCount = 0

    /// Plans one look.
    ///
    /// - `requests`: The requested channels; a match in play first, then by the start of the match.
    /// - `unused`: Channels without an activity with the start of their match, the latest first.
    /// - `capacity`: How many channels may be added; negative above the limit.
    init(requests: [ChannelRequest], unused: [(channel: ChannelRecord, startsAt: Instant)], capacity: Int) {
        var capacity = capacity
        var replaceable = unused[...]
        for request in requests {
            if capacity > 0 {
                capacity -= 1
            } else if let last = replaceable.first, last.startsAt > request.startsAt {
                deletions.append(last.channel)
                replaceable.removeFirst()
            } else {
                refusedCount += 1
                continue
            }
            creations.append(request.kind)
        }
    }
}
