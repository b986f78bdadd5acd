// A phone that no state can reach at the end of a run is no fault of the server; every other phone has to show the end.

import LiveSurface

/// The reason for which the newest state of a match cannot reach a phone now.
enum PhoneObstacle: String, Sendable, Hashable, CaseIterable {
    /// The network is gone, or the phone restarts.
    case noNetwork
    /// The person has switched Live Activities off.
    case switchedOff
    /// The phone's clock is so slow that ActivityKit takes the state for one of the future.
    case slowClock
    /// The app cannot decode content of the server; the demo counts that as a fault of its own.
    case undecodable
    /// The person has removed the activity.
    case dismissed
    /// The system refused the start: other activities have all places, or nothing arrives for the push-to-start token.
    case startRefused
    /// The server had no push-to-start token in time.
    case noStartToken
    /// iOS has given the activity no token: it has none, it comes later, or the app was killed before.
    case noToken
    /// The activity has a token, and the app does not run, so that the server does not know it.
    case unreportedToken
    /// The network lost the report of a changed token, and the app removed the card when the server ended it.
    case lostReport
    /// The budget of urgent updates is spent, and iOS holds or dropped the state.
    case noBudget
}

/// A card that is not on the screen any more.
struct RemovedCard: Sendable, Hashable {
    let activityID: String
    let match: String
    let revision: Int64
    let isByPerson: Bool
    /// Whether it showed an end.
    let isFinal: Bool
}

extension PhoneSystemState {
    /// Says why a revision of a match cannot reach the phone now; nil for a phone that has to show it.
    ///
    /// A phone without a fault has no such reason, and neither has one whose fault is over or changes nothing now: one
    /// whose network is back, that has restarted, whose token came late, or whose app was opened again after a kill.
    /// The reason has to hold now, and for each card of the match. A final card needs nothing more, and a start is only
    /// needed while there is no card.
    ///
    /// - Parameters:
    ///   - revision: The revision.
    ///   - match: The match.
    ///   - hasStartToken: Whether the server had the push-to-start token in time for a start.
    ///   - losesRequests: Whether the phone's network loses requests.
    ///   - isReported: Whether the server has the address of an activity.
    /// - Returns: The reason, of several the first.
    func obstacle(
        to revision: Int64,
        of match: String,
        hasStartToken: Bool,
        losesRequests: Bool,
        isReported: (String) -> Bool
    ) -> PhoneObstacle? {
        let faults = model.faults
        guard !faults.faults.isEmpty else { return nil }
        if !isReachable { return .noNetwork }
        if !allowsActivities { return .switchedOff }
        if faults.clockOffset < .zero, journal.drops[.tooFarAhead] != nil { return .slowClock }
        if journal.drops[.undecodable] != nil { return .undecodable }
        let cards = activities.filter { $0.isVisible && $0.attributes.matchId == match }
        if cards.isEmpty, let removedCard, removedCard.match == match {
            if removedCard.isByPerson { return .dismissed }
            // Before the end: the server did not know the token, and the answer to its report ends the activity.
            let isLost = losesRequests && faults.faults.contains(.changingTokens) && !removedCard.isFinal
            return isLost ? .lostReport : nil
        }
        guard !cards.isEmpty else { return obstacleToStart(hasStartToken: hasStartToken) }
        let obstacles = cards.map { obstacle(to: revision, on: $0, isReported: isReported) }
        return obstacles.contains(nil) ? nil : obstacles.compactMap(\.self).first
    }

    private func obstacle(
        to revision: Int64,
        on card: SimulatedActivity,
        isReported: (String) -> Bool
    ) -> PhoneObstacle? {
        guard card.isRunning, card.content.rev < revision else { return nil }
        if card.withheldRevision >= revision { return .noBudget }
        guard card.subscription == .token else { return nil }
        if card.token == nil { return .noToken }
        return app.runs || isReported(card.id) ? nil : .unreportedToken
    }

    private func obstacleToStart(hasStartToken: Bool) -> PhoneObstacle? {
        if firstRefusalAt != nil { return .startRefused }
        guard release.startsByPush else { return nil }
        if model.faults.isStartTokenStale { return .startRefused }
        return hasStartToken ? nil : .noStartToken
    }
}
