// Apple's limit may leave no room for all requested channels; the matches nearest to their start win.

internal import FollowService
internal import ScoreTypes

/// The channels that one look creates, and the ones that it deletes to make room.
struct ChannelPlan {
    /// Requested channels to create, in order.
    private(set) var creations: [ChannelKind] = []
    /// Unused channels to delete first.
    private(set) var deletions: [ChannelRecord] = []
    /// Requests without room.
    private(set) var refusedCount = 0

    /// Plans one look.
    ///
    /// - `requests`: The requested channels; a match in play first, then by the start of the match.
    /// - `unused`: Channels without an activity with the start of their match, the latest first.
    /// - `room`: How many channels may be added; negative above the limit.
    init(requests: [ChannelRequest], unused: [(channel: ChannelRecord, startsAt: Instant)], room: Int) {
        var room = room
        var replaceable = unused[...]
        for request in requests {
            if room > 0 {
                room -= 1
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
