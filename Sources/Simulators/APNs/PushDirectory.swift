// The tokens and channels that the simulated Apple knows, and the phones behind them.

import ScoreTypes
import Synchronization

/// Where pushes go; used by phones on any thread and by the server's loop.
final class PushDirectory: Sendable {
    typealias Deliver = @Sendable (DeliveredPush) -> Void

    /// A token that was registered at some time.
    enum TokenEntry: Sendable {
        case alive(PhoneTokenKind, Deliver)
        /// Dead since so many milliseconds after 1970.
        case dead(since: Int64)
    }

    private struct Channel {
        let policy: Int
        var subscribers: [UInt64: Deliver] = [:]
        var stored: (push: DeliveredPush, until: Int64)?
    }

    private struct State {
        var tokens: [[UInt8]: TokenEntry] = [:]
        var channels: [ChannelID: Channel] = [:]
        var hasBroadcastCapability = true
    }

    private let channelsMax: Int
    private let state = Mutex(State())

    init(channelsMax: Int) { self.channelsMax = channelsMax }

    // MARK: Tokens

    /// Registers a token, or revives it.
    func register(_ token: PushToken, _ kind: PhoneTokenKind, _ deliver: @escaping Deliver) {
        state.withLock { state in
            guard state.tokens.count < SimulatorLimits.tokens || state.tokens[token.bytes] != nil else { return }
            state.tokens[token.bytes] = .alive(kind, deliver)
        }
    }

    /// Declares a token dead, if it is known or may be unknown.
    func kill(_ token: PushToken, since: Instant, isKnown: Bool) {
        state.withLock { state in
            let hasRoom = !isKnown && state.tokens.count < SimulatorLimits.tokens
            guard hasRoom || state.tokens[token.bytes] != nil else { return }
            state.tokens[token.bytes] = .dead(since: since.milliseconds)
        }
    }

    func entry(_ token: [UInt8]) -> TokenEntry? { state.withLock { $0.tokens[token] } }

    // MARK: Channels

    /// Whether the app may use channels.
    var hasBroadcastCapability: Bool { state.withLock { $0.hasBroadcastCapability } }

    /// Switches the capability of the app; without it all channels are gone for good.
    func setBroadcastCapability(_ isOn: Bool) {
        state.withLock { state in
            state.hasBroadcastCapability = isOn
            if !isOn { state.channels = [:] }
        }
    }

    /// Creates a channel under an id that was never used; nil at Apple's limit.
    func create(policy: Int) -> ChannelID? {
        state.withLock { state in
            guard state.channels.count < channelsMax else { return nil }
            var generator = SystemRandomNumberGenerator()
            let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
            let text = String((0..<22).map { _ in letters[Int.random(in: 0..<64, using: &generator)] }) + "=="
            guard let id = ChannelID(text) else { return nil }
            state.channels[id] = Channel(policy: policy)
            return id
        }
    }

    /// Creates channels until there are so many.
    func fill(upTo count: Int) {
        for _ in channels.count..<max(channels.count, count) where create(policy: 0) == nil { return }
    }

    func delete(_ channel: ChannelID) -> Bool {
        state.withLock { $0.channels.removeValue(forKey: channel) != nil }
    }

    func policy(of channel: ChannelID) -> Int? { state.withLock { $0.channels[channel]?.policy } }

    /// All channels, in no order that would mean anything.
    var channels: [ChannelID] { state.withLock { Array($0.channels.keys) } }

    /// Joins a channel; a stored message that is still good comes at once, on the caller's thread.
    func subscribe(
        _ channel: ChannelID,
        _ subscriber: UInt64,
        now: Int64,
        _ deliver: @escaping Deliver
    ) -> Bool {
        let (isKnown, stored) = state.withLock { state -> (Bool, DeliveredPush?) in
            guard let known = state.channels[channel] else { return (false, nil) }
            state.channels[channel]?.subscribers[subscriber] = deliver
            return (true, known.stored.flatMap { $0.until > now ? $0.push : nil })
        }
        if let stored { deliver(stored) }
        return isKnown
    }

    func unsubscribe(_ channel: ChannelID, _ subscriber: UInt64) {
        state.withLock { $0.channels[channel]?.subscribers[subscriber] = nil }
    }

    /// The subscribers of a channel; a channel of policy 1 also stores the push for later subscribers.
    func publish(_ push: DeliveredPush, on channel: ChannelID, until expiration: Int64, now: Int64) -> [UInt64: Deliver]
    {
        state.withLock { state in
            guard let known = state.channels[channel] else { return [:] }
            if known.policy == 1 {
                let until = min(expiration, now + SimulatorLimits.storedMessageSeconds)
                state.channels[channel]?.stored = (push, until)
            }
            // Shares the dictionary's storage: it is copied only when a phone subscribes meanwhile.
            return known.subscribers
        }
    }
}
