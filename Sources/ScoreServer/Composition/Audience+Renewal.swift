// A Test's day and a long one-day match outlast an activity: it is started anew half an hour before its phone ends it.

import FollowService
import Logging
import MatchJournal
import PushDispatcher
import ScoreTypes

extension Audience {
    /// Starts anew what grows too old on this node's buckets; the old one is ended once its phone has the new one.
    ///
    /// Phones' eight hours are real time, whatever the clock's speed.
    func renew(_ match: MatchID) async {
        guard let state = attended[match], !state.newest.isFinal else { return }
        let now = rooms.clock.wall
        do {
            try await renewTokens(of: match, at: now)
            for channel in try await rooms.channels.channels(of: match)
            where channel.retiredAt == nil && channel.createdAt < now + (.zero - Renewals.age) {
                try await renew(channel, of: match, at: now)
            }
        } catch {
            log.warning("renewal waits", metadata: ["match.id": "\(match)", "error": "\(error)"])
        }
    }

    private func renewTokens(of match: MatchID, at now: Instant) async throws {
        let aged = rooms.arenas.aged(before: now + (.zero - Renewals.age), in: match)
        let end = now + (.zero - Renewals.ageMax)
        guard let round = attended[match]?.renewals.look(at: aged, endingBefore: end) else { return }
        // First, since the book has told of them once and the store may fail below.
        let renewed = round.gone.filter { kept in
            // What is gone without a younger one in its place was ended in another way.
            let startedAt = rooms.arenas.activity(match: match, device: kept.activity.device)?.startedAt
            return startedAt.map { $0 > kept.activity.startedAt } ?? false
        }
        await rooms.end.end(renewed, of: match)
        for page in round.due.pages(of: Renewals.pageMax) {
            let starts = try await rooms.renewals.start(page.map(\.device), of: match)
            for old in page {
                let (device, generation) = (old.device, old.generation)
                guard let token = rooms.arenas.token(match: match, device: device, generation: generation) else {
                    continue
                }
                attended[match]?.renewals.keep(old, token: token)
            }
            await send(starts, of: match)
        }
        for page in round.overdue.pages(of: Renewals.pageMax) {
            await rooms.end.end(try await rooms.renewals.end(page, of: match))
        }
    }

    /// A channel gets a successor first; then its phones change over, those of each node by itself; its end is
    /// broadcast once nobody is left on it, or shortly before their phones would end what is.
    private func renew(_ channel: FollowService.ChannelRecord, of match: MatchID, at now: Instant) async throws {
        guard channel.supersededAt != nil else {
            guard rooms.hasDuty(match) else { return }
            return try await rooms.channels.supersede(channel.channel, in: channel.environment, at: now)
        }
        let kind = ChannelKind(
            environment: channel.environment,
            attributesType: channel.attributesType,
            profile: channel.profile
        )
        await ensureChannel(of: match, kind)
        guard let next = attended[match]?.channels[kind], next != channel.channel else { return }
        for bucket in rooms.membership() {
            while true {
                let devices = try await rooms.renewals.waiting(on: channel.channel, of: match, in: bucket)
                if devices.isEmpty { break }
                await send(try await rooms.renewals.start(devices, of: match), of: match)
            }
        }
        guard rooms.hasDuty(match) else { return }
        let isOverdue = channel.createdAt < now + (.zero - Renewals.ageMax)
        let isEmpty = try await rooms.renewals.isEmpty(channel.channel, of: match)
        guard isEmpty || isOverdue else { return }
        await rooms.end.end(superseded: SilentChannel(channel), isOverdue: !isEmpty) { [rooms] in
            try await rooms.dispatcher.retireChannel(channel.channel, in: channel.environment, of: match)
        }
    }
}

extension Array {
    /// The elements in order, so many at a time.
    fileprivate func pages(of count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min(self.count, $0 + count)]) }
    }
}
