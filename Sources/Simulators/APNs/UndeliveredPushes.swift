// APNs keeps pushes for a phone that it cannot reach: per token the newest one, of a channel as its policy says.

import ScoreTypes

/// The storage of APNs for one unreachable phone.
struct UndeliveredPushes: Sendable {
    private var newest: [PushToken: DeliveredPush] = [:]
    /// Channels that sent something meanwhile; APNs itself stores the newest message of a channel of policy 1.
    private(set) var missedChannels: Set<ChannelID> = []

    var isEmpty: Bool { newest.isEmpty && missedChannels.isEmpty }

    /// Stores a push in place of the one before; with expiration 0 nothing is stored.
    ///
    /// - Returns: Whether it was stored.
    @discardableResult
    mutating func store(_ push: DeliveredPush, for token: PushToken) -> Bool {
        guard push.expiration != 0 else { return false }
        newest[token] = push
        return true
    }

    mutating func miss(_ channel: ChannelID) { missedChannels.insert(channel) }

    mutating func forget(_ token: PushToken) { newest[token] = nil }

    /// Removes everything, and returns the pushes that have not expired, in the order of their timestamps.
    mutating func takeAll(now seconds: Int64) -> (pushes: [(PushToken, DeliveredPush)], channels: Set<ChannelID>) {
        let good = newest.filter { $0.value.expiration.map { $0 > seconds } ?? true }
        let missed = missedChannels
        self = UndeliveredPushes()
        return (good.sorted { $0.value.timestamp < $1.value.timestamp }.map { ($0.key, $0.value) }, missed)
    }
}
