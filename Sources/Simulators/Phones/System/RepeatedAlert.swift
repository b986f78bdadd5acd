// A repeated alert is a fault unless the server was killed in between, so that both arrivals are kept.

public import ScoreTypes

/// How an alert reached a phone.
public struct AlertArrival: Sendable, Hashable {
    /// The kinds of push that alert.
    public enum Way: Sendable, Hashable {
        /// The ordinary notification.
        case notification
        /// An update of the activity by its token.
        case token
        /// A broadcast to all activities on the channel.
        case channel(ChannelID)
    }

    /// The kind of push.
    public let way: Way
    /// When APNs accepted the push, on the wall clock.
    public let acceptedAt: Instant

    init(way: Way, acceptedAt: Instant) { (self.way, self.acceptedAt) = (way, acceptedAt) }

    init(of push: DeliveredPush) {
        let isOfActivity = push.event == .update || push.event == .end
        self.init(
            way: push.channel.map { .channel($0) } ?? (isOfActivity ? .token : .notification),
            acceptedAt: push.acceptedAt
        )
    }
}

/// An alert of a moment that the phone had sounded before.
public struct RepeatedAlert: Sendable, Hashable {
    /// The title.
    public let title: String
    /// The arrival of the moment's first alert.
    public let first: AlertArrival
    /// The arrival of this one.
    public let again: AlertArrival
}
