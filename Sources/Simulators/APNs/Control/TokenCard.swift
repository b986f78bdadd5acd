// A token without a phone has a card on a Lock Screen, which applies pushes as the activity of a phone does.

import LiveSurface
import ScoreClient
import ScoreTypes

/// The card of one token, and counts of the pushes that it did not draw.
struct TokenCard: Sendable {
    private var activity = Self.activity(.empty(of: ""))
    /// How often a push drew an older revision than one before; 0 for a right backend.
    private(set) var wentBack = 0
    /// Pushes that were late and changed nothing.
    private(set) var ignored = 0
    /// Pushes that did not decode and changed nothing.
    private(set) var undecodable = 0

    /// The revision of the drawing; 0 for none.
    var revision: Int64 { activity.content.rev }
    /// The greatest `aps.timestamp` that was applied, in seconds since 1970.
    var timestamp: Int64 { activity.timestamp }
    /// Whether an `end` was applied.
    var isEnded: Bool { activity.phase == .ended }

    /// Applies a push that arrived; a start begins another activity.
    @discardableResult
    mutating func receive(_ push: PhonePush, at now: PhoneTime) -> SimulatedActivity.Outcome {
        let outcome = apply(push, now)
        switch outcome {
        case .drawn, .unchanged: break
        case .wentBack: wentBack += 1
        case .kept(.undecodable), .kept(.unreadable): undecodable += 1
        case .kept: ignored += 1
        }
        return outcome
    }

    private mutating func apply(_ push: PhonePush, _ now: PhoneTime) -> SimulatedActivity.Outcome {
        guard case .activity(let push) = push else { return .kept(.unreadable) }
        guard push.event == .start else { return activity.apply(push, date: now.wall, real: now.real) }
        guard let attributes = push.start.attributes, let content = push.content else { return .kept(.undecodable) }
        let start = ActivityStart(attributes: attributes, state: content, staleAt: .max)
        activity = Self.activity(start, timestamp: push.timestamp, isStartedByPush: true)
        return .drawn
    }

    private static func activity(
        _ start: ActivityStart,
        timestamp: Int64 = 0,
        isStartedByPush: Bool = false
    ) -> SimulatedActivity {
        SimulatedActivity(
            id: "",
            attributes: start.attributes,
            content: start.state,
            subscription: .token,
            isStartedByPush: isStartedByPush,
            timestamp: timestamp,
            staleDate: nil,
            at: .zero
        )
    }
}
