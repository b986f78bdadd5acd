// At the start of a match all phones report the same few channels, so that their records are remembered.

import FollowService
import ScoreTypes
import Synchronization

/// Remembers the records of channels for ``FollowLimits/knownChannelAge``.
final class KnownChannels: Sendable {
    private struct Name: Hashable {
        let channel: ChannelID
        let environment: PushEnvironment
    }

    private let channels: any ChannelFinder
    private let clock: ServiceClock
    private let known = Mutex(
        GenerationCache<Name, (record: ChannelRecord, readAt: Duration)>(capacity: ServerLimits.knownChannels)
    )

    init(_ channels: any ChannelFinder, clock: ServiceClock) {
        self.channels = channels
        self.clock = clock
    }

    /// Checks that an activity can be on a channel: it is one of the match, the environment and the attributes type.
    ///
    /// - Throws: The problem `validation-failed` for an unknown or a foreign channel, `conflict` for a retired one.
    func check(
        _ channel: ChannelID,
        of match: MatchID,
        in environment: PushEnvironment,
        attributesType: String?
    ) async throws {
        guard let record = try await find(Name(channel: channel, environment: environment)),
            record.match == match, attributesType.map({ $0 == record.attributesType }) ?? true
        else {
            let error = FieldError(
                pointer: "/channelId",
                code: "unknown",
                detail: "expected the channelId of this match, apnsEnvironment and attributesType from an answer"
            )
            throw ServiceProblem.validation([error])
        }
        guard record.retiredAt == nil else {
            throw ServiceProblem(.conflict, "This channel is retired; end the activity and start another one.")
        }
    }

    private func find(_ name: Name) async throws -> ChannelRecord? {
        let oldest = clock.monotonic - FollowLimits.knownChannelAge
        if let found = known.withLock({ $0[name] }), found.readAt > oldest { return found.record }
        guard let record = try await channels.find(name.channel, in: name.environment) else { return nil }
        known.withLock { $0[name] = (record, clock.monotonic) }
        return record
    }
}
