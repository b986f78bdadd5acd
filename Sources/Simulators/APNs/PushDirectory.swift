// The tokens and channels that the simulated Apple knows, and the phones behind them.

import ScoreTypes
import Synchronization

/// Where pushes go; used by phones on any thread and by the server's loop.
final class PushDirectory: Sendable {
    /// Apple's limit for one app in one environment.
    static let channelsMax = 10_000

    typealias Deliver = @Sendable (PhonePush) -> Void

    /// A token that was registered at some time.
    enum TokenEntry: Sendable {
        case alive(PhoneTokenKind, Deliver)
        /// Dead since so many milliseconds after 1970.
        case dead(since: Int64)
    }

    private struct Channel: Sendable {
        let policy: Int
        var subscribers: [UInt64: Deliver] = [:]
    }

    private struct State {
        var tokens: [[UInt8]: TokenEntry] = [:]
        var channels: [ChannelID: Channel] = [:]
        var order: [ChannelID] = []
        var created = 0
    }

    private let state = Mutex(State())

    func register(_ token: PushToken, _ kind: PhoneTokenKind, _ deliver: @escaping Deliver) {
        state.withLock { $0.tokens[token.bytes] = .alive(kind, deliver) }
    }

    func unregister(_ token: PushToken, since: Int64) {
        state.withLock { $0.tokens[token.bytes] = .dead(since: since) }
    }

    func entry(_ token: [UInt8]) -> TokenEntry? { state.withLock { $0.tokens[token] } }

    /// Creates a channel; nil at Apple's limit.
    func create(policy: Int) -> ChannelID? {
        state.withLock { state in
            guard state.channels.count < Self.channelsMax else { return nil }
            state.created += 1
            var generator = SystemRandomNumberGenerator()
            let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
            let text = String((0..<22).map { _ in letters[Int.random(in: 0..<64, using: &generator)] }) + "=="
            guard let id = ChannelID(text) else { return nil }
            state.channels[id] = Channel(policy: policy)
            state.order.append(id)
            return id
        }
    }

    func delete(_ channel: ChannelID) -> Bool {
        state.withLock { state in
            state.order.removeAll { $0 == channel }
            return state.channels.removeValue(forKey: channel) != nil
        }
    }

    func policy(of channel: ChannelID) -> Int? { state.withLock { $0.channels[channel]?.policy } }

    var channels: [ChannelID] { state.withLock { $0.order } }

    func subscribe(_ channel: ChannelID, _ subscriber: UInt64, _ deliver: @escaping Deliver) -> Bool {
        state.withLock { state in
            guard state.channels[channel] != nil else { return false }
            state.channels[channel]?.subscribers[subscriber] = deliver
            return true
        }
    }

    func unsubscribe(_ channel: ChannelID, _ subscriber: UInt64) {
        state.withLock { $0.channels[channel]?.subscribers[subscriber] = nil }
    }

    /// Those who listen to a channel; nil when there is none of that name.
    func subscribers(of channel: ChannelID) -> [Deliver]? {
        state.withLock { state in state.channels[channel].map { Array($0.subscribers.values) } }
    }
}
