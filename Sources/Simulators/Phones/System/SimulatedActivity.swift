// One Live Activity as the system keeps it: its drawing, its dates and where its updates come from.

import LiveSurface
import ScoreClient
import ScoreTypes

/// One activity of the app.
struct SimulatedActivity: Sendable {
    /// The origin of its updates, fixed at the start.
    enum Subscription: Sendable, Hashable {
        case token, none
        case channel(ChannelID)
    }

    let id: String
    let attributes: LiveActivityAttributes
    let subscription: Subscription
    let isStartedByPush: Bool
    /// The start, real time; of a scheduled activity its beginning.
    var startedAt: Duration
    /// The date at which a scheduled start becomes active, in milliseconds by the phone's clock.
    var begins: Int64?
    var phase = ObservedActivity.Phase.active
    /// The drawing.
    private(set) var content: LiveActivityAttributes.ContentState
    /// The greatest timestamp that was applied, of a push or of a state of the app, in seconds since 1970; 0 for none.
    private(set) var timestamp: Int64 = 0
    /// The date from which the drawing is stale, in milliseconds by the phone's clock.
    private(set) var staleDate: Int64?
    var token: PushToken?
    /// The domain time at which the token becomes known.
    var tokenDue: Duration?
    /// The domain time of a delayed urgent update, the update, and how its alert reaches the phone.
    var delayed: (due: Duration, push: ActivityPush, arrival: AlertArrival)?
    /// The greatest revision that the budget of updates has delayed or dropped; 0 for none.
    var withheldRevision: Int64 = 0
    /// The removal from the screen, in milliseconds by the phone's clock.
    private(set) var dismissalDate: Int64?
    /// The end, real time; nil while it runs.
    private(set) var endedAt: Duration?
    /// Whether the app's present process has started it: ActivityKit does not name the origin.
    var isOwn: Bool
    /// Whether the drawing is one of the app without a timestamp, which a push that is on its way may replace.
    private var isUndatedDrawing: Bool
    /// The greatest revision that a push drew; 0 for none.
    private var pushedRevision: Int64

    init(
        id: String,
        attributes: LiveActivityAttributes,
        content: LiveActivityAttributes.ContentState,
        subscription: Subscription,
        isStartedByPush: Bool,
        timestamp: Int64 = 0,
        staleDate: Int64?,
        at now: Duration
    ) {
        (self.id, self.attributes, self.content, self.subscription) = (id, attributes, content, subscription)
        (self.isStartedByPush, self.timestamp, self.staleDate) = (isStartedByPush, timestamp, staleDate)
        (startedAt, isOwn) = (now, !isStartedByPush)
        isUndatedDrawing = !isStartedByPush
        pushedRevision = isStartedByPush ? content.rev : 0
    }

    /// Whether it takes updates.
    var isRunning: Bool { phase == .active || phase == .stale }
    /// Whether it is on the screen, also as a final card.
    var isVisible: Bool { isRunning || phase == .ended }
    /// Whether it counts for the limit of the app.
    var countsForLimit: Bool { isRunning || phase == .pending }

    /// The activity as an app sees it: of its channel it knows what the attributes name.
    var observed: ObservedActivity {
        ObservedActivity(
            id: id,
            matchID: attributes.matchId,
            phase: phase,
            token: token?.hexForPath,
            channelID: attributes.channelId,
            revision: content.rev,
            isStartedByPush: !isOwn
        )
    }

    // MARK: Content

    /// The effect of a push on the drawing.
    enum Outcome: Sendable, Hashable {
        case drawn, unchanged
        /// An older revision than the one on the screen was drawn; `overApp` when the app had drawn that one without a
        /// timestamp, so that the push may have been sent before.
        case wentBack(overApp: Bool)
        case kept(PhoneDrop)
    }

    /// Applies an update or an end; the date is the phone's, in milliseconds.
    mutating func apply(_ push: ActivityPush, date: Int64, real: Duration) -> Outcome {
        guard isRunning else { return .kept(.activityOver) }
        guard push.timestamp &- date / 1000 <= SimulatorLimits.timestampAheadSeconds else { return .kept(.tooFarAhead) }
        guard let content = push.content else { return .kept(.undecodable) }
        guard push.timestamp >= timestamp || push.event == .end else { return .kept(.olderTimestamp) }
        timestamp = max(timestamp, push.timestamp)
        staleDate = push.staleDate.map { $0 &* 1000 }
        phase = .active
        let isBack = content.rev < self.content.rev
        // A push that is older than another push is no push of before the drawing.
        let isOverApp = isUndatedDrawing && content.rev >= pushedRevision
        pushedRevision = max(pushedRevision, content.rev)
        let isEqual = content == self.content
        (self.content, isUndatedDrawing) = (content, false)
        if push.event == .end { end(dismissal: push.dismissalDate.map { $0 &* 1000 }, date: date, real: real) }
        return isBack ? .wentBack(overApp: isOverApp) : isEqual ? .unchanged : .drawn
    }

    /// Draws a state of the app; the result says whether it was drawn.
    ///
    /// With a timestamp, in seconds since 1970, it is ignored after a newer one, and older pushes are ignored after it.
    mutating func draw(
        _ content: LiveActivityAttributes.ContentState,
        staleDate: Int64,
        timestamp: Int64?
    ) -> Bool {
        guard isRunning, timestamp ?? .max >= self.timestamp else { return false }
        self.timestamp = timestamp ?? self.timestamp
        (self.content, self.staleDate, phase) = (content, staleDate, .active)
        isUndatedDrawing = timestamp == nil
        return true
    }

    // MARK: Time

    /// Ends it; the final card stays until a date, at most four hours.
    mutating func end(dismissal: Int64?, date: Int64, real: Duration) {
        let longest = date &+ SimulatorLimits.finalCardTime.milliseconds
        (phase, endedAt, delayed, tokenDue) = (.ended, real, nil, nil)
        dismissalDate = min(dismissal ?? longest, longest)
    }

    /// Removes it from the screen.
    mutating func remove(real: Duration) {
        (phase, delayed, tokenDue) = (.dismissed, nil, nil)
        endedAt = endedAt ?? real
    }

    /// The real time at which the system ends it, while it runs.
    var lifeEnd: Duration? { isRunning ? startedAt + SimulatorLimits.activityLife : nil }

    /// The next date at which the clock alone changes it, in milliseconds by the phone's clock.
    func nextDate(_ release: IOSRelease) -> Int64? {
        switch phase {
        case .pending: begins
        case .active: release.hasStaleDates ? staleDate : nil
        case .ended: dismissalDate
        case .stale, .dismissed: nil
        }
    }
}
