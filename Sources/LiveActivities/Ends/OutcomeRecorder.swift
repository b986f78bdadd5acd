// What Apple answers to pushes for one device: ends are over only then, and dead tokens are told nowhere else.

import FollowService
import Logging
import PushDispatcher
import ScoreTypes
import Synchronization

/// Closes activities in the store once their end was answered; one that was never answered stays marked, and the sweep
/// ends it again.
final class EndClosing: DispatchObserver {
    /// Ends whose answer is awaited; beyond it the sweep finds them again.
    static let expectedMax = 100_000

    private struct Key: Hashable {
        let match: MatchID
        let device: DeviceID
        let generation: Int32
    }

    private let activities: FollowService.Activities
    private let devices: FollowService.Devices
    private let starts: StartCandidates
    private let expected = Mutex<[Key: EndingActivity]>([:])
    /// What is to be done once the end of a channel was taken.
    private let channels = Mutex<[ChannelID: @Sendable () async -> Void]>([:])
    private let log = Logger(label: "score.ends")

    init(activities: FollowService.Activities, devices: FollowService.Devices, starts: StartCandidates) {
        self.activities = activities
        self.devices = devices
        self.starts = starts
    }

    func expect(_ activity: EndingActivity) {
        let key = Key(match: activity.match, device: activity.device, generation: activity.generation)
        expected.withLock { if $0.count < Self.expectedMax { $0[key] = activity } }
    }

    /// Expects the end of a channel; the newest order's work is done, once.
    func expect(_ channel: ChannelID, _ close: @escaping @Sendable () async -> Void) {
        channels.withLock { if $0.count < Self.expectedMax { $0[channel] = close } }
    }

    func ended(_ outcome: ChannelEndOutcome) async {
        guard let close = channels.withLock({ $0.removeValue(forKey: outcome.channel) }), outcome.isOver else { return }
        await close()
    }

    func settled(_ outcomes: [DirectedOutcome]) async {
        let answered = outcomes.compactMap { outcome -> EndingActivity? in
            guard outcome.kind == .end else { return nil }
            let key = Key(match: outcome.match, device: outcome.device, generation: outcome.generation)
            let activity = expected.withLock { $0.removeValue(forKey: key) }
            return outcome.outcome.isAnswer ? activity : nil
        }
        await finish(answered)
        await release(outcomes)
        await drop(.pushToStart, outcomes.filter { $0.kind == .start })
        await drop(.alert, outcomes.filter { $0.kind == .alert || $0.kind == .background })
    }

    /// Starts that certainly were not made are planned again by the next look at the followers.
    private func release(_ outcomes: [DirectedOutcome]) async {
        let unmade = outcomes.filter { outcome in
            guard outcome.kind == .start, !outcome.outcome.isAnswer else { return false }
            return outcome.outcome != .failed(.ambiguous)
        }
        guard !unmade.isEmpty else { return }
        do {
            try await starts.release(unmade.map { ($0.match, $0.device) })
        } catch {
            log.warning("starts are not made again", metadata: ["count": "\(unmade.count)", "error": "\(error)"])
        }
    }

    /// Drops a device's tokens that Apple calls dead; those of another environment are kept, since that is our mistake.
    private func drop(_ kind: FollowService.DeviceTokenKind, _ outcomes: [DirectedOutcome]) async {
        let dead = outcomes.filter { $0.outcome == .rejected(.evict) }.map { outcome in
            DeviceTokenEviction(
                device: outcome.device,
                generation: outcome.generation,
                deadAt: outcome.apnsTimestampMilliseconds.map { Instant(milliseconds: $0) }
            )
        }
        guard !dead.isEmpty else { return }
        do {
            try await devices.evictTokens(kind, dead)
        } catch {
            log.warning("dead tokens stay", metadata: ["count": "\(dead.count)", "error": "\(error)"])
        }
    }

    func finish(_ ended: [EndingActivity]) async {
        guard !ended.isEmpty else { return }
        do {
            try await activities.finishEnd(of: ended)
        } catch {
            log.warning("ended activities stay marked", metadata: ["count": "\(ended.count)", "error": "\(error)"])
        }
    }
}
