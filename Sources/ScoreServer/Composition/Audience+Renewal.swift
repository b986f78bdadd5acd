// A Test's day and a long one-day match outlast an activity: it is started anew half an hour before its phone ends it.

import FollowService
import Logging
import PushDispatcher
import ScoreIngest
import ScoreTypes

extension Audience {
    /// Activities renewed at once: a page, so that no transaction is long.
    private static let renewedMax = 500

    /// Starts anew what grows too old on this node's buckets, and ends the old one after that.
    ///
    /// Phones' eight hours are real time, whatever the clock's speed.
    func renew(_ match: MatchID) async {
        guard let state = attended[match], !state.newest.isFinal else { return }
        let limit = rooms.clock.wall + (.zero - Renewals.age)
        do {
            let old = rooms.arenas.started(before: limit, in: match)
            for start in stride(from: 0, to: old.count, by: Self.renewedMax) {
                try await renew(Array(old[start..<min(old.count, start + Self.renewedMax)]), of: match)
            }
            for channel in try await rooms.channels.channels(of: match) where channel.createdAt < limit {
                try await renew(channel, of: match)
            }
        } catch {
            log.warning("renewal waits", metadata: ["match.id": "\(match)", "error": "\(error)"])
        }
    }

    /// A channel is given up first, so that the next round finds another in its place; then its phones change over,
    /// those of each node by itself; last its end is broadcast.
    private func renew(_ channel: FollowService.ChannelRecord, of match: MatchID) async throws {
        guard channel.retiredAt != nil else {
            guard rooms.hasDuty(match) else { return }
            return try await rooms.channels.retire(channel.channel, in: channel.environment, at: rooms.clock.wall)
        }
        let kind = ChannelKind(
            environment: channel.environment,
            attributesType: channel.attributesType,
            profile: channel.profile
        )
        await ensureChannel(of: match, kind)
        guard let next = attended[match]?.channels[kind], next != channel.channel else { return }
        for bucket in rooms.membership() {
            let old = try await rooms.renewals.activities(on: channel.channel, of: match, in: bucket)
            if !old.isEmpty { try await renew(old, of: match) }
        }
        guard rooms.hasDuty(match), try await rooms.renewals.isEmpty(channel.channel, of: match) else { return }
        let silent = SilentChannel(match: match, environment: channel.environment, channel: channel.channel)
        await rooms.end.end(channel: silent, buckets: rooms.membership(), because: .expired)
        // Without a record it is nobody's, and deleted with the next look at Apple's list: its end is out by then.
        try await rooms.channels.forget(channel.channel, in: channel.environment)
    }

    private func renew(_ old: [(device: DeviceID, generation: Int32)], of match: MatchID) async throws {
        let renewed = try await rooms.renewals.renew(old, of: match)
        await send(renewed.starts, of: match)
        await rooms.end.end(renewed.ending)
    }
}
