// The meaning of each answer; a temporary failure keeps the work, anything else ends it.

internal import LiveSurface

extension ClientState {
    /// Keeps the work of a request that was lost.
    mutating func restore(_ purpose: Purpose) {
        switch purpose {
        // The list of activities may be old by then, so that it is read again.
        case .reconcile: needs.insert(.listing)
        case .follows: needs.insert(.follows)
        case .settings, .registration, .rotation, .change, .telemetry, .erasure: break
        }
    }

    mutating func take(
        _ response: ClientResponse,
        for purpose: Purpose,
        at now: ClientInstant,
        using random: inout some RandomNumberGenerator
    ) -> [ClientAction] {
        let problem = response.isSuccess ? nil : response.problem
        // A blocked device keeps its credential and its work until the block ends.
        let isDelayed = ["idempotency-in-progress", "device-blocked"].contains(problem?.slug)
        let isMissing = response.status == 501 && purpose.isOptional
        if response.isTemporary && !isMissing || isDelayed {
            if purpose == .settings { needs.remove(.settings) }
            if case .change(let sequence) = purpose, response.status == 500 { record.queue.noteFailure(of: sequence) }
            restore(purpose)
            let milliseconds = problem?.retryAfterMs.map { ($0 + 999) / 1000 }
            wait(response.retryAfterSeconds ?? milliseconds, at: now, using: &random)
            if response.isServerFailure { postpone(purpose, at: now) }
            return []
        }
        backOff.reset()
        if response.status == 401, purpose.isAuthorized {
            if purpose == .erasure { return erased() }
            restore(purpose)
            return loseCredential()
        }
        return takeFinal(response, problem, for: purpose, at: now, using: &random)
    }

    /// Lets the other requests precede the repetition of one that the server may refuse for ever.
    private mutating func postpone(_ purpose: Purpose, at now: ClientInstant) {
        let waited = max(retryAt ?? .zero, now.uptime)
        switch purpose {
        case .rotation: rotationAt = waited + ClientLimits.rotationSpacing
        case .telemetry(let batch):
            telemetryAt = waited + record.settings.telemetrySpacing
            // The report of an end waits for its receipt, which is only advisory.
            for receipt in batch.receipts where reportsEnd(of: receipt.activityId) { remove(receipt) }
        case .settings, .registration, .change, .reconcile, .follows, .erasure: break
        }
    }

    /// Whether the report of an activity's end waits.
    private func reportsEnd(of activity: String) -> Bool {
        record.queue.changes.contains { change in
            if case .endActivity(activity, _, _) = change.operation { true } else { false }
        }
    }

    /// Removes a receipt unless there is a newer one.
    private mutating func remove(_ receipt: ActivityReceipt) {
        if record.receipts[receipt.activityId] == receipt { record.receipts[receipt.activityId] = nil }
    }

    private mutating func takeFinal(
        _ response: ClientResponse,
        _ problem: ProblemDocument?,
        for purpose: Purpose,
        at now: ClientInstant,
        using random: inout some RandomNumberGenerator
    ) -> [ClientAction] {
        switch purpose {
        case .settings: return takeSettings(response, at: now)
        case .registration(let description):
            if let actions = registered(response, as: description, at: now) { return actions }
            // A key that was used for another body, or a refused description: the next attempt has a new key.
            record.registrationKey = nil
            wait(ClientLimits.longestWait.components.seconds, at: now, using: &random)
            return noticeRefusal(response, problem)
        case .rotation: return takeRotation(response, at: now)
        case .change(let sequence): return take(response, problem, ofChange: sequence, at: now)
        case .reconcile(let dismissed): return takeReconcile(response, dismissed: dismissed, at: now)
        case .telemetry(let batch):
            takeTelemetry(response, batch, at: now)
            return []
        case .follows: return takeFollows(response, at: now)
        case .erasure: return erased()
        }
    }

    /// Informs the app of a refused registration, unless it was informed of the same refusal.
    private mutating func noticeRefusal(_ response: ClientResponse, _ problem: ProblemDocument?) -> [ClientAction] {
        // After a mismatch the repetition with a new key succeeds: the description has changed since the first attempt.
        guard !response.isSuccess, problem?.slug != "idempotency-mismatch" else { return [] }
        let refusal = RegistrationRefusal(status: response.status, slug: problem?.slug)
        guard refusal != noticedRefusal else { return [] }
        noticedRefusal = refusal
        return [.notify(.registrationRefused(status: refusal.status, slug: refusal.slug))]
    }

    private mutating func erased() -> [ClientAction] {
        let credential = loseCredential()
        return credential + forgetAll()
    }

    private mutating func takeSettings(_ response: ClientResponse, at now: ClientInstant) -> [ClientAction] {
        needs.remove(.settings)
        record.settingsReadAt = now.wall
        guard response.isSuccess, let settings = ClientJSON.decode(ClientSettings.self, from: response.body) else {
            return []
        }
        let isNew = settings != record.settings
        record.settings = settings
        var actions: [ClientAction] = isNew ? [.notify(.settingsChanged(settings))] : []
        if let description = record.description, settings.forbids(build: description.appBuild) {
            if !hasNoticedOldBuild { actions.append(.notify(.updateRequired(minimumBuild: settings.minBuild))) }
            hasNoticedOldBuild = true
        } else {
            hasNoticedOldBuild = false
        }
        return actions
    }

    private mutating func takeTelemetry(_ response: ClientResponse, _ batch: TelemetryBatch, at now: ClientInstant) {
        if [404, 405, 501].contains(response.status) { missingRoutes.insert(.telemetry) }
        telemetryAt = now.uptime + record.settings.telemetrySpacing
        for receipt in batch.receipts { remove(receipt) }
    }

    private mutating func takeReconcile(
        _ response: ClientResponse,
        dismissed: [ObservedActivity],
        at now: ClientInstant
    ) -> [ClientAction] {
        guard response.isSuccess else { return [] }
        guard let answer = ClientJSON.decode(ReconcileAnswer.self, from: response.body) else {
            count(.undecodable, at: now)
            return []
        }
        record.dismissals.removeAll { dismissed.contains($0) }
        var actions: [ClientAction] = []
        for id in answer.end ?? [] {
            // The server has ended it already; what it showed since the report is not confirmed yet.
            let receipt = record.receipts[id]
            forget(id)
            record.receipts[id] = receipt
            actions.append(.endActivity(id: id))
        }
        for id in answer.unknownTokens ?? [] {
            guard let address = record.activities[id]?.reported else { continue }
            report(id, at: address, at: now, again: true)
        }
        for kind in answer.movedTokens ?? [] {
            // This phone has the token, whichever device has registered it meanwhile.
            guard let name = DeviceTokenName(rawValue: kind), let token = record.tokens[name] else { continue }
            enqueue(.setToken(name, token), at: now)
        }
        for update in answer.updates ?? [] {
            guard let state = update.contentState else { continue }
            actions += draw(
                state,
                on: update.activityId,
                staleDate: update.staleDate,
                timestamp: update.timestamp,
                at: now
            )
        }
        for follow in answer.follows ?? [] { adopt(follow, at: now) }
        return actions
    }

    /// Draws a state that is newer than the one on the screen.
    mutating func draw(
        _ state: LiveActivityAttributes.ContentState,
        on id: String,
        staleDate: Int64?,
        timestamp: Int64?,
        at now: ClientInstant
    ) -> [ClientAction] {
        guard let known = record.activities[id], state.rev > known.revision else { return [] }
        record.activities[id]?.movedAt = now.wall
        // Seconds of a server's mistake would overflow as milliseconds.
        let staleAt = staleDate.map { $0.multipliedReportingOverflow(by: 1000) }
        let isUsable = staleAt.map { !$0.overflow } ?? false
        let deadline = isUsable ? staleAt?.partialValue : nil
        let staleTime = deadline ?? record.settings.staleAt(now)
        return [.updateActivity(id: id, state, staleAt: staleTime, timestamp: timestamp)]
    }
}

extension ClientState.Purpose {
    /// Whether an older server may lack the route.
    fileprivate var isOptional: Bool {
        switch self {
        case .rotation, .telemetry: true
        case .settings, .registration, .change, .reconcile, .follows, .erasure: false
        }
    }

    /// Whether the request carries the credential.
    fileprivate var isAuthorized: Bool {
        switch self {
        case .settings, .registration: false
        case .rotation, .change, .reconcile, .telemetry, .follows, .erasure: true
        }
    }
}
