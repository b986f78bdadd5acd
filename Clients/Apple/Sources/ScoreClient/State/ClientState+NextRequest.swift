// Selects the next request: at most one is in progress, and changes precede reads of their result.

internal import Foundation

extension ClientState {
    /// The actions that are possible now.
    mutating func advance(
        at now: ClientInstant,
        using random: inout some RandomNumberGenerator
    ) -> [ClientAction] {
        var actions: [ClientAction] = []
        if access == .unread {
            access = .reading
            actions.append(.readCredential)
        }
        if needs.contains(.listing), !isListing, report == nil, !isReconciling {
            needs.remove(.listing)
            isListing = true
            observedWhileListing = []
            actions.append(.listActivities)
        }
        guard flight == nil else { return actions }
        let orphansDue = checkOrphans(at: now)
        if let retryAt, retryAt > now.uptime { return actions + [.wait(until: retryAt)] }
        retryAt = nil
        // A registration whose answer was lost is repeated first, since the device that it made is to be erased.
        if access == .none, record.isErasing, record.registrationKey == nil {
            actions += forgetAll()
        }
        guard let (purpose, request) = nextRequest(at: now, using: &random) else {
            let due = [telemetryDue(at: now), rotationDue(at: now), orphansDue].compactMap { $0 }.min()
            return actions + surfaceRefresh() + (due.map { [.wait(until: $0)] } ?? [])
        }
        lastID += 1
        flight = Flight(id: lastID, purpose: purpose)
        return actions + [.send(id: lastID, request)]
    }

    private var isReconciling: Bool {
        if case .reconcile = flight?.purpose { true } else { false }
    }

    private mutating func nextRequest(
        at now: ClientInstant,
        using random: inout some RandomNumberGenerator
    ) -> (Purpose, ClientRequest)? {
        if needs.contains(.settings) { return (.settings, ClientRequest(.get, "/v1/client-config")) }
        guard case .credential(let credential) = access else {
            return access == .none ? registration(using: &random) : nil
        }
        if needs.contains(.erasure) {
            return (.erasure, ClientRequest(.delete, "/v1/devices/me").authorized(by: credential))
        }
        guard !record.isErased, !isBuildTooOld, let (purpose, request) = deviceRequest(at: now, using: &random) else {
            return nil
        }
        return (purpose, request.authorized(by: credential))
    }

    private var isBuildTooOld: Bool { record.description.map { record.settings.forbids(build: $0.appBuild) } ?? false }

    private mutating func registration(
        using random: inout some RandomNumberGenerator
    ) -> (Purpose, ClientRequest)? {
        guard let description = record.description, !record.isErased, !isBuildTooOld else { return nil }
        let key = record.registrationKey ?? Self.key(using: &random)
        record.registrationKey = key
        let headers = ["idempotency-key": key]
        return (.registration(description), Self.json(.post, "/v1/devices", description, headers: headers))
    }

    private mutating func deviceRequest(
        at now: ClientInstant,
        using random: inout some RandomNumberGenerator
    ) -> (Purpose, ClientRequest)? {
        if let request = rotation(at: now, using: &random) { return (.rotation, request) }
        if let change = record.queue.changes.first(where: { isAllowed($0) }) {
            if let batch = lastReceipt(before: change) { return Self.telemetryRequest(batch, at: now) }
            return (.change(change.sequence), request(for: change, at: now))
        }
        if let report {
            self.report = nil
            let body = ReconcileReport(activities: report.entries, clientSeq: report.sequence)
            return (.reconcile(dismissed: report.dismissed), Self.json(.post, "/v1/devices/me/reconcile", body))
        }
        if let batch = dueTelemetry(at: now) {
            // A count that was lost on its way is not sent again, since the server may have it.
            record.counts = [:]
            return Self.telemetryRequest(batch, at: now)
        }
        if !isListing, needs.remove(.follows) != nil {
            let headers = record.followsTag.map { ["if-none-match": $0] } ?? [:]
            return (.follows, ClientRequest(.get, "/v1/devices/me/follows", headers: headers))
        }
        return nil
    }

    /// Whether the remote settings let a change be sent now.
    func isAllowed(_ change: PendingChange) -> Bool {
        if case .setToken(.pushToStart, _) = change.operation { return record.settings.pushToStartEnabled }
        return true
    }

    private mutating func rotation(
        at now: ClientInstant,
        using random: inout some RandomNumberGenerator
    ) -> ClientRequest? {
        guard !missingRoutes.contains(.rotation), now.uptime >= rotationAt else { return nil }
        let isOld = record.credentialAt > 0 && now.wall - record.credentialAt > ClientLimits.credentialAge
        if record.rotationKey == nil, isOld { record.rotationKey = Self.key(using: &random) }
        guard let key = record.rotationKey else { return nil }
        return ClientRequest(.post, "/v1/devices/me/credential/rotate", headers: ["idempotency-key": key])
    }

    /// The uptime at which a postponed rotation is sent; nil without any.
    private func rotationDue(at now: ClientInstant) -> Duration? {
        guard case .credential = access, record.rotationKey != nil, !missingRoutes.contains(.rotation) else {
            return nil
        }
        return now.uptime < rotationAt ? rotationAt : nil
    }

    private static func telemetryRequest(
        _ batch: TelemetryBatch,
        at now: ClientInstant
    ) -> (Purpose, ClientRequest) {
        let body = TelemetryReport(batch, sentAt: now.wall)
        return (.telemetry(batch), json(.post, "/v1/devices/me/telemetry", body))
    }

    /// The receipt of an activity's final card, which the server would not accept after the report of its end.
    private func lastReceipt(before change: PendingChange) -> TelemetryBatch? {
        guard case .endActivity(let id, _, _) = change.operation, !missingRoutes.contains(.telemetry) else {
            return nil
        }
        return record.receipts[id].map { TelemetryBatch(receipts: [$0], counts: [:]) }
    }

    private var hasTelemetry: Bool {
        (!record.receipts.isEmpty || !record.counts.isEmpty) && !missingRoutes.contains(.telemetry)
    }

    private func dueTelemetry(at now: ClientInstant) -> TelemetryBatch? {
        guard hasTelemetry, now.uptime >= telemetryAt else { return nil }
        let waiting = record.receipts.values.sorted { ($0.atMs, $0.activityId) < ($1.atMs, $1.activityId) }
        let room = ClientLimits.eventsPerRequest - record.counts.count
        return TelemetryBatch(receipts: Array(waiting.prefix(room)), counts: record.counts)
    }

    /// The uptime at which waiting telemetry may be sent; nil without any.
    private func telemetryDue(at now: ClientInstant) -> Duration? {
        guard case .credential = access, hasTelemetry, now.uptime < telemetryAt else { return nil }
        return telemetryAt
    }

    static func json(
        _ method: ClientRequest.Method,
        _ path: String,
        _ body: some Encodable,
        headers: [String: String] = [:]
    ) -> ClientRequest {
        var headers = headers
        headers["content-type"] = "application/json"
        return ClientRequest(method, path, headers: headers, body: ClientJSON.encode(body))
    }
}
