// The app's process: it runs while the person uses it, and for a moment when a push starts an activity or wakes it.

import ScoreClient
import ScoreTypes

extension PhoneSystemState {
    /// The person opens the app.
    mutating func openApp(at now: PhoneTime) -> [PhoneEffect] {
        guard bootEnd == nil, app != .foreground else { return finish(now) }
        let before = app
        app = .foreground
        if case .ended = before { begin(.person, at: now) }
        signal(.enteredForeground, at: now)
        releaseHeld()
        return finish(now)
    }

    /// The person leaves the app: it runs for a moment more.
    mutating func leaveApp(at now: PhoneTime) -> [PhoneEffect] {
        guard app == .foreground else { return finish(now) }
        app = .background(until: now.real + SimulatorLimits.backgroundTime)
        signal(.enteredBackground, at: now)
        return finish(now)
    }

    /// The person kills the app: no push launches it until the person opens it or the phone restarts.
    mutating func killApp(at now: PhoneTime) -> [PhoneEffect] {
        endProcess(byPerson: true, at: now)
        return finish(now)
    }

    private mutating func endProcess(byPerson: Bool, at now: PhoneTime) {
        let wasAlive = app.isAlive
        app = .ended(byPerson: byPerson)
        (hasReader, held) = (false, [])
        for index in activities.indices { activities[index].isOwn = false }
        if wasAlive { signal(.ended, at: now) }
    }

    /// A background push: the app runs for a moment, a few times an hour (Apple: two or three).
    mutating func wakeApp(at now: PhoneTime) {
        if app.runs { return signal(.receivedBackgroundPush, at: now) }
        guard wakeBudget.spend(SimulatorLimits.backgroundPushesPerHour, at: now.domain),
            runInBackground(.backgroundPush, at: now)
        else { return }
        signal(.receivedBackgroundPush, at: now)
    }

    /// Lets the app run for a moment, unless the person has killed it or saves power; whether it runs.
    @discardableResult
    mutating func runInBackground(_ reason: AppLaunchReason, at now: PhoneTime) -> Bool {
        let until = now.real + SimulatorLimits.backgroundTime
        switch app {
        case .foreground: return true
        case .background:
            app = .background(until: until)
            return true
        case .ended(byPerson: true): return false
        case .suspended where model.faults.isInLowPowerMode: return false
        case .ended where model.faults.isInLowPowerMode: return false
        case .suspended:
            app = .background(until: until)
            signal(.resumed(reason), at: now)
            releaseHeld()
            return true
        case .ended:
            app = .background(until: until)
            begin(reason, at: now)
            return true
        }
    }

    private mutating func begin(_ reason: AppLaunchReason, at now: PhoneTime) {
        signal(.launched(reason), at: now)
        requestTokens(at: now)
    }

    private mutating func releaseHeld() {
        let events = held
        held = []
        for event in events { effects.append(.emit(event)) }
    }

    /// The end of a moment in the background.
    mutating func suspendIfDue(at now: PhoneTime) {
        guard case .background(let until) = app, until <= now.real else { return }
        app = .suspended
        signal(.suspended, at: now)
    }

    /// The phone is switched off for good.
    mutating func switchOff(at now: PhoneTime) -> [PhoneEffect] {
        endProcess(byPerson: false, at: now)
        (hasNetwork, incidents) = (false, [])
        return finish(now)
    }

    // MARK: Network and restarts

    mutating func setNetwork(_ isOn: Bool, at now: PhoneTime) -> [PhoneEffect] {
        changeReachability(at: now) { $0.hasNetwork = isOn }
        return finish(now)
    }

    /// The phone restarts: activities stay, the app's process does not.
    mutating func reboot(at now: PhoneTime) -> [PhoneEffect] {
        guard bootEnd == nil else { return finish(now) }
        endProcess(byPerson: false, at: now)
        changeReachability(at: now) { $0.bootEnd = now.domain + SimulatorLimits.bootTime }
        return finish(now)
    }

    mutating func finishBootIfDue(at now: PhoneTime) {
        guard let bootEnd, bootEnd <= now.domain else { return }
        changeReachability(at: now) { $0.bootEnd = nil }
    }

    private mutating func changeReachability(at now: PhoneTime, _ change: (inout Self) -> Void) {
        let before = isReachable
        change(&self)
        guard isReachable != before else { return }
        journal.note(.network(isOnline: isReachable), at: now)
        guard isReachable else { return }
        let (pushes, channels) = undelivered.takeAll(now: now.wall / 1000)
        if !pushes.isEmpty { effects.append(.redeliver(pushes)) }
        // Joining again delivers the message that a channel of policy 1 stores.
        for activity in activities where activity.isRunning {
            if case .channel(let channel) = activity.subscription, channels.contains(channel) {
                effects.append(.subscribe(channel))
            }
        }
        if app.runs {
            signal(.networkReturned, at: now)
            giveAlertToken(at: now)
        }
    }
}
