// An end is complete only when APNs has answered it, and APNs' answer is the only report of a dead token.

internal import FollowService
internal import Logging
internal import PushDispatcher
internal import ScoreTypes
internal import Synchronization

/// Records in the stores what APNs answered to pushes for single devices.
///
/// An activity whose end was never answered stays marked, and the sweep ends it again. The mark of a start that was not
/// sent is removed later when the store fails.
final class OutcomeRecorder: DispatchObserver {
    private struct Key: Hashable {
        let match: MatchID
        let device: DeviceID
        let generation: Int32
    }

    private let stores: FollowerStores
    private let clock: ServiceClock
    /// Starts that were not sent and are still marked.
    private let unreleased = Mutex<[UnsentStart]>([])
    private let awaited = Mutex<[Key: EndingActivity]>([:])
    /// The action after APNs has accepted the end of a channel.
    private let channels = Mutex<[ChannelID: @Sendable () async -> Void]>([:])
    /// Ends of channels are recorded one after the other.
    private let recording = AsyncMutex(waitersMax: LiveActivityLimits.endsAwaited)
    private let log = Logger(label: "score.ends")

    init(stores: FollowerStores, clock: ServiceClock) {
        self.stores = stores
        self.clock = clock
    }

    /// Awaits the answer to the end of an activity that is marked as ending.
    func awaitEnd(of activity: EndingActivity) {
        let key = Key(match: activity.match, device: activity.device, generation: activity.generation)
        awaited.withLock { if $0.count < LiveActivityLimits.endsAwaited { $0[key] = activity } }
    }

    /// Calls back once when APNs has accepted the end of a channel; a later call replaces an earlier one.
    func awaitEnd(of channel: ChannelID, _ complete: @escaping @Sendable () async -> Void) {
        channels.withLock { if $0.count < LiveActivityLimits.endsAwaited { $0[channel] = complete } }
    }

    func ended(_ outcome: ChannelEndOutcome) async {
        guard let complete = channels.withLock({ $0.removeValue(forKey: outcome.channel) }), outcome.isOver else {
            return
        }
        // A channel may have a million activities, and the dispatcher processes no other answer before this returns.
        // A later sweep ends the activities that a stopping node leaves.
        Task { [recording] in
            guard await recording.lock() else { return }
            await complete()
            recording.unlock()
        }
    }

    func settled(_ outcomes: [DirectedOutcome]) async {
        let answered = outcomes.compactMap { outcome -> EndingActivity? in
            guard outcome.kind == .end else { return nil }
            let key = Key(match: outcome.match, device: outcome.device, generation: outcome.generation)
            let activity = awaited.withLock { $0.removeValue(forKey: key) }
            return outcome.outcome.isFinalForRecipient ? activity : nil
        }
        await complete(answered)
        await release(outcomes)
        await confirm(outcomes)
        await evict(.pushToStart, outcomes.filter { $0.kind == .start })
        await evict(.widget, outcomes.filter { $0.kind == .widgets })
        await evict(.alert, outcomes.filter { $0.kind == .alert || $0.kind == .background })
    }

    /// Records activities as ended that were marked as ending.
    func complete(_ ended: [EndingActivity]) async {
        guard !ended.isEmpty else { return }
        do {
            try await stores.activities.finishEnd(of: ended)
        } catch {
            log.warning("ended activities stay marked", metadata: ["count": "\(ended.count)", "error": "\(error)"])
        }
    }

    /// Clears the record of starts that were certainly not delivered, so that the next round plans them again.
    private func release(_ outcomes: [DirectedOutcome]) async {
        let undelivered = outcomes.filter { outcome in
            guard outcome.kind == .start, !outcome.outcome.isFinalForRecipient else { return false }
            return outcome.outcome != .failed(.ambiguous)
        }
        guard !undelivered.isEmpty else { return }
        await clear(undelivered.map { UnsentStart(match: $0.match, device: $0.device) })
    }

    /// Clears the records of undelivered starts for which the store failed before.
    func repeatReleases() async { await clear([]) }

    /// Clears the records of starts and of earlier ones; if the store fails all of them wait for the next call.
    private func clear(_ unsent: [UnsentStart]) async {
        let earlier = unreleased.withLock { waiting -> [UnsentStart] in
            defer { waiting = [] }
            return waiting
        }
        let all = earlier + unsent
        guard !all.isEmpty else { return }
        // By a later call the follower may have another start.
        let now = clock.wall
        do {
            try await stores.starts.release(all)
        } catch {
            let kept = all.map { UnsentStart(match: $0.match, device: $0.device, markedUntil: $0.markedUntil ?? now) }
            let dropped = unreleased.withLock { waiting -> Int in
                let taken = kept.prefix(max(0, LiveActivityLimits.startsUnreleased - waiting.count))
                waiting += taken
                return kept.count - taken.count
            }
            log.warning(
                "undelivered starts stay recorded for now",
                metadata: ["count": "\(all.count)", "dropped": "\(dropped)", "error": "\(error)"]
            )
        }
    }

    /// Records accepted starts on channels: each counts as an activity until its device reports.
    private func confirm(_ outcomes: [DirectedOutcome]) async {
        let starts = outcomes.compactMap { outcome -> ChannelStart? in
            guard outcome.kind == .start, outcome.outcome == .accepted, let channel = outcome.channel else {
                return nil
            }
            return ChannelStart(
                match: outcome.match,
                device: outcome.device,
                environment: outcome.environment,
                channel: channel
            )
        }
        guard !starts.isEmpty else { return }
        do {
            try await stores.starts.confirm(starts)
        } catch {
            // Their followers get notifications until their phones report the activities.
            log.warning("starts on channels not recorded", metadata: ["count": "\(starts.count)", "error": "\(error)"])
        }
    }

    /// Removes device tokens that APNs calls dead; one of the other environment is kept, since that is our mistake.
    private func evict(_ kind: DeviceTokenKind, _ outcomes: [DirectedOutcome]) async {
        let dead = outcomes.filter { $0.outcome == .rejected(.evict) }.map { outcome in
            RejectedToken(
                match: outcome.match,
                device: outcome.device,
                generation: outcome.generation,
                deadAt: outcome.apnsTimestampMilliseconds.map { Instant(milliseconds: $0) }
            )
        }
        guard !dead.isEmpty else { return }
        do {
            try await stores.devices.evictTokens(kind, dead)
        } catch {
            log.warning("dead tokens not removed", metadata: ["count": "\(dead.count)", "error": "\(error)"])
        }
    }
}
