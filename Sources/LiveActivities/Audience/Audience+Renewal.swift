// A phone ends an activity after eight hours, and a day's play may last longer: the activity is renewed before that.

internal import FollowService
internal import Logging
internal import MatchJournal
internal import PushDispatcher
internal import ScoreTypes

extension Audience {
    /// Renews what is too old on this node's buckets; the old activity ends once its phone has the new one.
    ///
    /// Without starts it only ends what is overdue or replaced. The eight hours are real time, whatever the clock's
    /// speed.
    ///
    /// - Returns: False if phones of a channel were left for the next round.
    func renew(_ match: MatchID, mayStart: Bool) async -> Bool {
        guard let state = matches[match], !state.newest.isFinal else { return true }
        let now = clock.wall
        var isDone = true
        do {
            try await renewTokens(of: match, at: now, mayStart: mayStart)
            for channel in try await stores.channels.channels(of: match)
            where channel.retiredAt == nil && channel.isOpened(before: now - FollowLimits.renewalAge) {
                if try await !renew(channel, of: match, at: now, mayStart: mayStart) { isDone = false }
            }
        } catch {
            log.warning("activities not renewed", metadata: ["match.id": "\(match)", "error": "\(error)"])
        }
        return isDone
    }

    private func renewTokens(of match: MatchID, at now: Instant, mayStart: Bool) async throws {
        let aged = stores.arenas.aged(before: now - FollowLimits.renewalAge, in: match)
        let end = now - FollowLimits.unrenewedAge
        guard let round = matches[match]?.renewals.look(at: aged, endingBefore: end, now: now) else { return }
        // First, since the schedule reports these only once and the store may fail below.
        let renewed = round.gone.filter { kept in
            // An activity that is gone without a younger one in its place has ended in another way.
            let startedAt = stores.arenas.activity(match: match, device: kept.activity.device)?.startedAt
            return startedAt.map { $0 > kept.activity.startedAt } ?? false
        }
        await ending.end(renewed, of: match)
        // An activity that is not kept is due again in the next round.
        for page in (mayStart ? round.due : []).pages(of: FollowLimits.renewalsPerPage) {
            let starts = try await stores.renewals.start(page.map(\.device), of: match)
            for old in page {
                guard let token = stores.arenas.token(of: match, device: old.device, generation: old.generation)
                else { continue }
                matches[match]?.renewals.keep(old, token: token, at: now)
            }
            await send(starts, of: match)
        }
        for page in round.overdue.pages(of: FollowLimits.renewalsPerPage) {
            await ending.end(try await stores.renewals.end(page, of: match))
        }
    }

    /// Moves the phones of a channel to its successor, each node its own; the end of the old channel is broadcast when
    /// no phone is left on it, or shortly before the phones would end its activities.
    ///
    /// - Returns: False if phones were left for the next round.
    private func renew(
        _ channel: ChannelRecord,
        of match: MatchID,
        at now: Instant,
        mayStart: Bool
    ) async throws -> Bool {
        let isOverdue = channel.isOpened(before: now - FollowLimits.unrenewedAge)
        guard channel.supersededAt != nil else {
            // A superseded channel is silent, so a channel whose phones cannot move is superseded at its end only.
            guard ownership.broadcasts(match), mayStart || isOverdue else { return true }
            try await stores.channels.supersede(channel.channel, in: channel.environment, at: now)
            return true
        }
        var isDone = true
        if mayStart {
            guard await hasSuccessor(channel, in: match) else { return true }
            isDone = try await startPhones(on: channel, of: match)
        }
        guard ownership.broadcasts(match) else { return isDone }
        let isEmpty = try await stores.renewals.isEmpty(channel.channel, of: match)
        guard isEmpty || isOverdue else { return isDone }
        // The activities of phones that have not moved stay for a while.
        let dismissAfter = isEmpty ? .zero : PushLimits.dismissAfter
        await ending.end(channel, because: .expired, isFarewell: !isEmpty, dismissAfter: dismissAfter, retires: true)
        return isDone
    }

    /// Creates the successor of a superseded channel unless there is one; false if there is none yet.
    private func hasSuccessor(_ channel: ChannelRecord, in match: MatchID) async -> Bool {
        await ensureChannel(channel.kind)
        guard let next = matches[match]?.channels[channel.kind] else { return false }
        return next != channel.channel
    }

    /// Starts the phones of a superseded channel on its successor; false if more wait than one round may start.
    ///
    /// A start that fails at once loses its mark, so that its phone is found again.
    private func startPhones(on channel: ChannelRecord, of match: MatchID) async throws -> Bool {
        var count = 0
        for bucket in ownership.buckets {
            while true {
                guard count < LiveActivityLimits.startsPerRound, await dispatcher.hasRoom else { return false }
                let devices = try await stores.renewals.waiting(on: channel.channel, of: match, in: bucket)
                if devices.isEmpty { break }
                count += devices.count
                await send(try await stores.renewals.start(devices, of: match), of: match)
            }
        }
        return true
    }
}

extension ChannelRecord {
    /// Whether the oldest activity on it began before an instant; a channel without an activity does not age.
    func isOpened(before instant: Instant) -> Bool { openedAt.map { $0 < instant } ?? false }
}

extension Array {
    /// The elements in order, so many at a time.
    fileprivate func pages(of count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min(self.count, $0 + count)]) }
    }
}
