// An activity is over when Apple took its end, not when the end was handed over; this waits for the answers.

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
    private let expected = Mutex<[Key: EndingActivity]>([:])
    private let log = Logger(label: "score.ends")

    init(activities: FollowService.Activities) { self.activities = activities }

    func expect(_ activity: EndingActivity) {
        let key = Key(match: activity.match, device: activity.device, generation: activity.generation)
        expected.withLock { if $0.count < Self.expectedMax { $0[key] = activity } }
    }

    func settled(_ outcomes: [DirectedOutcome]) async {
        let answered = outcomes.compactMap { outcome -> EndingActivity? in
            guard outcome.kind == .end else { return nil }
            let key = Key(match: outcome.match, device: outcome.device, generation: outcome.generation)
            let activity = expected.withLock { $0.removeValue(forKey: key) }
            if case .failed = outcome.outcome { return nil }
            return activity
        }
        await finish(answered)
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
