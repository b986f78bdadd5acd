// Tokens: each is registered with APNs at the moment at which iOS gives it to the app, and not before.

import ScoreClient
import ScoreTypes

extension PhoneSystemState {
    /// An app that begins requests its tokens.
    mutating func requestTokens(at now: PhoneTime) {
        giveAlertToken(at: now)
        guard release.startsByPush else { return }
        if startToken != nil {
            if random.unit() < model.faults.startTokenChanges { replaceStartToken(at: now) }
        } else if startTokenDue == nil, case .after(let delay) = model.faults.startToken {
            startTokenDue = now.domain + delay
        }
        // An activity of the time after a kill has its token once the app runs again.
        for index in activities.indices where activities[index].isRunning {
            let activity = activities[index]
            guard activity.subscription == .token, activity.token == nil, activity.tokenDue == nil else { continue }
            guard case .after(let delay) = model.faults.activityToken else { continue }
            activities[index].tokenDue = now.domain + delay
        }
    }

    /// The token for notifications: iOS gives it at each launch, with network.
    mutating func giveAlertToken(at now: PhoneTime) {
        guard isReachable else { return }
        if alertToken == nil, let token = drawToken(32) {
            alertToken = token
            effects.append(.register(token, .alert))
            journal.note(.token(.alert), at: now)
        }
        if let alertToken { signal(.alertToken(alertToken.hexForPath), at: now) }
    }

    private mutating func replaceStartToken(at now: PhoneTime) {
        guard let token = drawToken(SimulatorLimits.activityTokenBytes) else { return }
        if let startToken { retire(startToken) }
        startToken = token
        effects.append(.register(token, .pushToStart))
        journal.note(.token(.pushToStart), at: now)
        emit(.pushToStartToken(token.hexForPath))
    }

    mutating func replaceActivityToken(_ index: Int, at now: PhoneTime) {
        guard let token = drawToken(SimulatorLimits.activityTokenBytes) else { return }
        if let old = activities[index].token { retire(old) }
        (activities[index].token, activities[index].tokenDue) = (token, nil)
        effects.append(.register(token, .activity))
        journal.note(.token(.activity), at: now)
        emit(.token(activityID: activities[index].id, token.hexForPath))
    }

    /// Declares a token dead; some dead tokens go on being accepted, and nothing arrives.
    mutating func retire(_ token: PushToken) {
        undelivered.forget(token)
        if random.unit() >= SimulatorLimits.silentlyDeadShare { effects.append(.retire(token)) }
    }

    /// Tokens that became known by now; APNs gives them only to a reachable phone.
    mutating func takeDueTokens(at now: PhoneTime) {
        guard isReachable else { return }
        if let due = startTokenDue, due <= now.domain {
            startTokenDue = nil
            replaceStartToken(at: now)
        }
        for index in activities.indices {
            if let due = activities[index].tokenDue, due <= now.domain { replaceActivityToken(index, at: now) }
        }
    }

    /// iOS replaces the tokens of the running activities.
    mutating func replaceTokens(at now: PhoneTime) {
        guard isReachable else { return }
        for index in activities.indices where activities[index].isRunning && activities[index].token != nil {
            replaceActivityToken(index, at: now)
        }
    }
}
