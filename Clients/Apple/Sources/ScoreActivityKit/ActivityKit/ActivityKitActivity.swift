// One activity of ActivityKit, with its sequences as calls of a function.
#if canImport(ActivityKit) && os(iOS)
    internal import ActivityKit
    internal import Foundation
    internal import LiveSurface
    internal import ScoreClient

    /// An activity of ActivityKit.
    @available(iOS 16.2, *)
    struct ActivityKitActivity: SystemActivity {
        let activity: Activity<LiveActivityAttributes>

        var id: String { activity.id }

        var observed: ObservedActivity {
            ObservedActivity(
                id: activity.id,
                matchID: activity.attributes.matchId,
                phase: ObservedActivity.Phase(activity.activityState),
                token: activity.pushToken?.hexadecimal,
                channelID: activity.attributes.channelId,
                revision: activity.content.state.rev
            )
        }

        func eachToken(_ body: @escaping @Sendable (String) async -> Void) async {
            for await token in activity.pushTokenUpdates { await body(token.hexadecimal) }
        }

        func eachRevision(_ body: @escaping @Sendable (Int64) async -> Void) async {
            for await content in activity.contentUpdates { await body(content.state.rev) }
        }

        func eachPhase(while body: @escaping @Sendable (ObservedActivity.Phase) async -> Bool) async -> Bool {
            for await state in activity.activityStateUpdates {
                guard await body(ObservedActivity.Phase(state)) else { return true }
            }
            return false
        }

        func update(to state: LiveActivityAttributes.ContentState, staleAt: Int64, timestamp: Int64?) async {
            // The rank that the server gave the activity stays.
            let rank = activity.content.relevanceScore
            let content = ActivityContent(state: state, staleDate: staleAt.date, relevanceScore: rank)
            if #available(iOS 17.2, *), let timestamp {
                await activity.update(content, timestamp: Date(timeIntervalSince1970: Double(timestamp)))
                // The system ignores a state that was published before the activity's start.
                if activity.content.state.rev < state.rev { await activity.update(content) }
            } else {
                await activity.update(content)
            }
        }

        func end() async { await activity.end(nil, dismissalPolicy: .immediate) }
    }

    @available(iOS 16.2, *)
    extension ObservedActivity.Phase {
        /// The phase of ActivityKit's state; a state of a newer system counts as active.
        init(_ state: ActivityState) {
            switch state {
            case .active: self = .active
            case .stale: self = .stale
            case .ended: self = .ended
            case .dismissed: self = .dismissed
            default:
                if #available(iOS 26.0, *), state == .pending {
                    self = .pending
                } else {
                    self = .active
                }
            }
        }
    }

    extension Int64 {
        /// Milliseconds since 1970 as a date.
        var date: Date { Date(timeIntervalSince1970: Double(self) / 1000) }
    }
#endif
