// A phone's view of Apple's network: it registers a token or subscribes to a channel, and pushes arrive.

public import ScoreTypes

/// The kinds of token that iOS gives to an app.
public enum PhoneTokenKind: Sendable, Hashable {
    case alert, pushToStart, activity
}

/// Apple's side as phones meet it.
public protocol PushNetwork: Sendable {
    /// Makes a token known; pushes to it come to the closure, which must be quick.
    func register(token: PushToken, kind: PhoneTokenKind, deliver: @escaping @Sendable (DeliveredPush) -> Void)
    /// Forgets a token: from now on pushes to it are answered 410.
    func unregister(token: PushToken)
    /// Joins a broadcast channel; false when there is none of that name.
    func subscribe(
        channel: ChannelID,
        subscriber: UInt64,
        deliver: @escaping @Sendable (DeliveredPush) -> Void
    ) -> Bool
    /// Leaves a broadcast channel.
    func unsubscribe(channel: ChannelID, subscriber: UInt64)
}
