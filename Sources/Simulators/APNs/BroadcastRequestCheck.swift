// The rules for the header fields of a broadcast; APNs requires other fields than for a push to a token.

import ScoreTypes

/// Checks the header fields of a broadcast; pure.
struct BroadcastRequestCheck {
    /// The checked header fields of a request.
    struct Wanted: Equatable {
        let channel: ChannelID
        let priority: Int
        /// Seconds since 1970; 0 delivers to present subscribers only.
        let expiration: Int64
    }

    /// All that can be said without knowing the channel.
    static func check(_ headers: PushHeaders) throws(PushRefusal) -> Wanted {
        guard !headers.hasDuplicates else { throw .duplicateHeaders }
        if let id = headers.requestID, !id.isCanonicalUUID { throw .badMessageID }
        guard let channel = headers.channel else { throw .missingChannel }
        guard let type = headers.pushType else { throw .missingPushType }
        guard type.equals("liveactivity") else { throw .invalidPushType }
        guard let expiration = headers.expiration?.wholeNumber else { throw .badExpiration }
        let priority = try DeviceRequestCheck.priority(headers)
        guard let id = ChannelID(channel.text) else { throw .badChannelID }
        return Wanted(channel: id, priority: priority, expiration: expiration)
    }

    /// Checks the fields that depend on the channel's storage policy, and the payload's length.
    static func check(_ wanted: Wanted, policy: Int?, bodyCount: Int) throws(PushRefusal) {
        guard let policy else { throw .unknownChannel }
        guard policy != 0 || wanted.expiration == 0 else { throw .badExpiration }
        guard bodyCount > 0 else { throw .payloadEmpty }
        guard bodyCount <= SimulatorLimits.broadcastPayloadBytes else { throw .payloadTooLarge }
    }
}
