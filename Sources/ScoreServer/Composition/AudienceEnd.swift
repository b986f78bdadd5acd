// Activities that end before their match is over: silent ones, those of an operator's order, those of erased devices.

import FollowService
import Logging
import MatchEngine
import MatchJournal
import Postgres
import PushDispatcher
import ScoreTypes

/// Ends activities: marked in the store, told to the phone, and closed in the store once Apple took the push.
struct AudienceEnd: Sendable {
    /// Activities ended in one go, so that marking them never holds a long transaction.
    static let batchMax = 1_000

    let activities: FollowService.Activities
    let devices: FollowService.Devices
    let dispatcher: Dispatcher
    let publisher: Publisher
    let pool: Pool
    let channels: ChannelRecords
    /// Told of each end that is on its way.
    let closing: EndClosing
    private let log = Logger(label: "score.ends")

    init(
        activities: FollowService.Activities,
        devices: FollowService.Devices,
        dispatcher: Dispatcher,
        publisher: Publisher,
        pool: Pool,
        channels: ChannelRecords,
        closing: EndClosing
    ) {
        self.activities = activities
        self.devices = devices
        self.dispatcher = dispatcher
        self.publisher = publisher
        self.pool = pool
        self.channels = channels
        self.closing = closing
    }

    /// Ends activities that the store has marked as ending.
    func end(_ ending: [EndingActivity]) async {
        for (match, group) in Dictionary(grouping: ending, by: \.match) {
            guard let newest = await newest(of: match) else { continue }
            var contents = EndContents(of: newest)
            var ends: [PushEnd] = []
            var told: [EndingActivity] = []
            for activity in group {
                guard case .token(let token) = activity.route else {
                    // A channel's activities end with its broadcast; nothing is sent to one of them alone.
                    told.append(activity)
                    continue
                }
                closing.expect(activity)
                ends.append(
                    PushEnd(
                        device: activity.device,
                        generation: activity.generation,
                        environment: activity.environment,
                        token: token,
                        content: contents[Look(variant: activity.variant, isFarewell: activity.reason == .expired)]
                    )
                )
            }
            await closing.finish(told)
            await dispatcher.end(ends)
            await wake(told.filter { $0.reason == .unfollowed })
        }
    }

    /// Takes the old activities away whose phones have new ones; the store knows only these any more.
    func end(_ renewed: [RenewalBook.Kept], of match: MatchID) async {
        guard !renewed.isEmpty, let newest = await newest(of: match) else { return }
        var contents = EndContents(of: newest, dismissAfter: .zero)
        var ends: [PushEnd] = []
        for kept in renewed {
            ends.append(
                PushEnd(
                    device: kept.activity.device,
                    generation: kept.activity.generation,
                    environment: kept.activity.environment,
                    token: kept.token,
                    content: contents[Look(variant: kept.activity.variant)]
                )
            )
        }
        await dispatcher.end(ends)
    }

    /// Wakes apps whose activity on a channel only they can end; the next reconcile tells them which one.
    private func wake(_ unfollowed: [EndingActivity]) async {
        var pushes: [PushNotification] = []
        for activity in unfollowed {
            // Who cannot be reached now ends it with the app's next start.
            guard let device = try? await devices.find(activity.device), let alert = device.alertToken else { continue }
            pushes.append(
                PushNotification(
                    match: activity.match,
                    device: activity.device,
                    generation: alert.generation,
                    environment: device.environment,
                    token: alert.token,
                    content: nil
                )
            )
        }
        if !pushes.isEmpty { await dispatcher.notify(pushes) }
    }

    /// Ends what is on a silent channel.
    func end(channel silent: SilentChannel) async {
        await end(silent, because: .silent, isFarewell: false, dismissAfter: PushEnd.dismissAfterDefault)
    }

    /// Ends what is on a channel with the day's card.
    ///
    /// - `retire`: Gives the channel up, once Apple took the end.
    func endDay(on channel: SilentChannel, then retire: @escaping @Sendable () async throws -> Void) async {
        let dismissAfter = PushEnd.dismissAfterDefault
        await end(channel, because: .over, isFarewell: false, dismissAfter: dismissAfter, then: retire)
    }

    /// Ends the activities on tokens that a day's play has left, in some buckets; false when more wait for room.
    func endDay(of match: MatchID, startedBefore end: Instant, in buckets: [Bucket]) async throws -> Bool {
        while await dispatcher.hasRoom {
            let devices = try await pool.query(
                SQL.left,
                [.text(match.text), .smallints(buckets.map(\.number)), .timestamp(end), .int(Int64(Self.batchMax))]
            ) { try $0.uuid(0) }
            if devices.isEmpty { return true }
            await self.end(try await activities.beginEnd(match: match, devices: devices, reason: .over))
        }
        return false
    }

    /// Ends what is on a channel that another has taken the place of.
    ///
    /// - `isOverdue`: Some have not moved to the other one; their card stays for a while, with a farewell.
    /// - `retire`: Gives the channel up, once Apple took the end.
    func end(
        superseded old: SilentChannel,
        isOverdue: Bool,
        then retire: @escaping @Sendable () async throws -> Void
    ) async {
        let dismissAfter = isOverdue ? PushEnd.dismissAfterDefault : .zero
        await end(old, because: .expired, isFarewell: isOverdue, dismissAfter: dismissAfter, then: retire)
    }

    /// Says the end of a channel again whose first sayer may be gone: phones that were off then hear it nowhere else.
    ///
    /// - at: When Apple took it.
    func repeatEnd(of record: FollowService.ChannelRecord, takenAt at: Instant, now: Instant) async {
        guard await !dispatcher.isEnding(record.channel), let newest = await newest(of: record.match) else { return }
        // Who changed over has another in its place; who had not in time was told where following goes on.
        let isFarewell = record.supersededAt != nil && record.createdAt < at + (.zero - Renewals.ageMax)
        let isReplaced = record.supersededAt != nil && !isFarewell
        var contents = EndContents(of: newest, dismissAfter: isReplaced ? .zero : PushEnd.dismissAfterDefault)
        await dispatcher.repeatEnd(
            of: record.channel,
            in: record.environment,
            with: contents[Look(variant: variant(of: record.attributesType), isFarewell: isFarewell)],
            toldFor: now - at
        )
    }

    private func variant(of attributesType: String) -> ActivityVariant {
        attributesType == SurfaceRenderer.attributesType ? .portable : .own
    }

    private func end(
        _ channel: SilentChannel,
        because reason: EndReason,
        isFarewell: Bool,
        dismissAfter: Duration,
        then retire: @escaping @Sendable () async throws -> Void = {}
    ) async {
        guard let newest = await newest(of: channel.match) else { return }
        let look = Look(variant: variant(of: channel.attributesType), isFarewell: isFarewell)
        var contents = EndContents(of: newest, dismissAfter: dismissAfter)
        // What Apple did not take stays open, and whoever asked for its end comes by it again.
        closing.expect(channel.channel) { [activities, log] in
            do {
                let finder = SilentActivities(activities: activities)
                _ = try await finder.finish(channel, in: Bucket.all, reason: reason)
                try await retire()
            } catch {
                log.warning("channel stays open", metadata: ["match.id": "\(channel.match)", "error": "\(error)"])
            }
        }
        await dispatcher.end(channel: channel.channel, in: channel.environment, with: contents[look])
    }

    /// Ends all activities of a match, on tokens and on channels.
    ///
    /// A hundred thousand are marked within the deadline of an operator's call: a thousand take some ten milliseconds.
    func endAll(of match: MatchID, because reason: EndReason) async throws {
        for record in try await channels.channels(of: match) where record.retiredAt == nil {
            let dismissAfter = PushEnd.dismissAfterDefault
            await end(SilentChannel(record), because: reason, isFarewell: false, dismissAfter: dismissAfter)
        }
        // What is on a channel in use is closed by its answer; what is on one that was given up is only marked.
        var bucket: Int16 = 0
        while true {
            let binds: [Bind] = [.text(match.text), .smallint(bucket), .int(Int64(Self.batchMax))]
            let found = try await pool.query(SQL.active, binds) { row in (try row.uuid(0), try row.int(1)) }
            guard let last = found.last else { return }
            await end(try await activities.beginEnd(match: match, devices: found.map(\.0), reason: reason))
            bucket = Int16(clamping: last.1)
        }
    }

    /// How many activities of a match ``endAll(of:because:)`` would end now.
    func activeCount(of match: MatchID) async throws -> Int64 {
        try await pool.query(SQL.activeCount, [.text(match.text)]) { try $0.int(0) }.first ?? 0
    }

    private func newest(of match: MatchID) async -> Publication? {
        if let current = await publisher.current(match) { return current }
        return try? await publisher.recall(match)
    }

    private enum SQL {
        static let left = Statement(
            """
            select device_id from activity
            where match_id = $1 and bucket = any($2) and state = 1 and channel_id is null and token_at < $3 limit $4
            """
        )
        static let active = Statement(
            """
            select a.device_id, a.bucket from activity a
            where a.match_id = $1 and a.state = 1 and a.bucket >= $2
              and not exists (select from channel c
                              where c.env = a.env and c.channel_id = a.channel_id and c.retired_at is null)
            order by a.bucket limit $3
            """
        )
        static let activeCount = Statement("select count(*) from activity where match_id = $1 and state = 1")
    }
}

/// What the last picture of an activity is like.
private struct Look: Hashable {
    let variant: ActivityVariant
    var isFarewell = false
}

/// The states to leave behind, each written once however many activities end with it.
private struct EndContents {
    private let newest: Publication
    private let dismissAfter: Duration
    private var written: [Look: EndContent] = [:]

    init(of newest: Publication, dismissAfter: Duration = PushEnd.dismissAfterDefault) {
        self.newest = newest
        self.dismissAfter = dismissAfter
    }

    subscript(look: Look) -> EndContent {
        mutating get {
            if let known = written[look] { return known }
            let content = EndContent(
                match: newest.match,
                revision: newest.revision,
                apnsTimestamp: newest.apnsTimestamp,
                contentState: look.isFarewell
                    ? Farewell(of: newest).contentState(for: look.variant) : newest.contentState(for: look.variant),
                dismissAfter: dismissAfter
            )
            written[look] = content
            return content
        }
    }
}
