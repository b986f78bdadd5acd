// Activities that end before their match is over: silent ones, those of an operator's order, those of erased devices.

import FollowService
import Logging
import Postgres
import PushDispatcher
import ScoreIngest
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
    /// Told of each end that is on its way.
    let closing: EndClosing
    private let log = Logger(label: "score.ends")

    init(
        activities: FollowService.Activities,
        devices: FollowService.Devices,
        dispatcher: Dispatcher,
        publisher: Publisher,
        pool: Pool,
        closing: EndClosing
    ) {
        self.activities = activities
        self.devices = devices
        self.dispatcher = dispatcher
        self.publisher = publisher
        self.pool = pool
        self.closing = closing
    }

    /// Ends activities that the store has marked as ending.
    func end(_ ending: [EndingActivity]) async {
        for (match, group) in Dictionary(grouping: ending, by: \.match) {
            guard let content = await content(of: match) else { continue }
            var ends: [PushEnd] = []
            var told: [EndingActivity] = []
            for activity in group {
                guard case .token(let token) = activity.route else {
                    // Apple cannot end one activity on a channel; its app can, and is woken for it.
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
                        content: content
                    )
                )
            }
            await closing.finish(told)
            await dispatcher.end(ends)
            await wake(told)
        }
    }

    /// Wakes apps that have to end an activity themselves; their next reconcile names it.
    private func wake(_ told: [EndingActivity]) async {
        var wakes: [PushNotification] = []
        for activity in told {
            // Without a token the app learns of it when it is opened next.
            guard let record = try? await devices.find(activity.device), let token = record.alertToken else { continue }
            wakes.append(
                PushNotification(
                    match: activity.match,
                    device: activity.device,
                    generation: token.generation,
                    environment: record.environment,
                    token: token.token,
                    content: nil
                )
            )
        }
        await dispatcher.notify(wakes)
    }

    /// Ends what is on a silent channel.
    func end(channel silent: SilentChannel, with finder: SilentActivities, buckets: [Bucket]) async {
        guard let content = await content(of: silent.match) else { return }
        await dispatcher.end(channel: silent.channel, in: silent.environment, with: content)
        do { _ = try await finder.finish(silent, in: buckets) } catch {
            log.warning("a silent channel stays open", metadata: ["match.id": "\(silent.match)", "error": "\(error)"])
        }
    }

    /// Ends all activities of a match, on tokens and on channels.
    func endAll(of match: MatchID, because reason: EndReason) async throws {
        while true {
            let devices = try await pool.query(SQL.active, [.text(match.text), .int(Int64(Self.batchMax))]) { row in
                try row.uuid(0)
            }
            if devices.isEmpty { return }
            var ending: [EndingActivity] = []
            for device in devices {
                if let one = try await activities.beginEnd(match: match, device: device, reason: reason) {
                    ending.append(one)
                }
            }
            await end(ending)
        }
    }

    private func content(of match: MatchID) async -> EndContent? {
        guard let newest = await newest(of: match) else { return nil }
        return EndContent(
            match: match,
            revision: newest.revision,
            apnsTimestamp: newest.apnsTimestamp,
            contentState: newest.contentState
        )
    }

    private func newest(of match: MatchID) async -> Publication? {
        if let current = await publisher.current(match) { return current }
        return try? await publisher.recall(match)
    }

    private enum SQL {
        static let active = Statement("select device_id from activity where match_id = $1 and state = 1 limit $2")
    }
}
