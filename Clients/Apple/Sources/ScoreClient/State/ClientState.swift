// All decisions of the client are in one value, which maps an event to actions and has no other effect.

/// The state of a client.
public struct ClientState: Sendable, Hashable {
    /// Access to the server.
    enum Access: Sendable, Hashable {
        /// The credential store was not read yet.
        case unread
        /// The read was requested.
        case reading
        /// The store is locked.
        case locked
        case none
        case credential(String)
    }

    /// The purpose of the one request in progress.
    enum Purpose: Sendable, Hashable {
        case settings
        case registration(DeviceDescription)
        case rotation
        case change(Int64)
        case reconcile(dismissed: [ObservedActivity])
        case telemetry(TelemetryBatch)
        case follows
        case erasure
    }

    /// A request in progress; at most one, so that changes arrive in order.
    struct Flight: Sendable, Hashable {
        var id: Int
        var purpose: Purpose
    }

    /// Work that is due.
    enum Need: Sendable, Hashable { case settings, listing, follows, erasure, surfaces }

    /// The durable part.
    public internal(set) var record: ClientRecord
    var access = Access.unread
    var flight: Flight?
    var lastID = 0
    var needs: Set<Need> = []
    /// Whether there is a store of snapshots for widgets.
    let sharesSurfaces: Bool
    /// Whether the snapshots are being read.
    var isRefreshing = false
    /// Whether the list of activities was requested and has not come.
    var isListing = false
    /// Activities that were observed since the list was requested; the list may be older than they are.
    var observedWhileListing: Set<String> = []
    /// Matches whose activities are being started, with whether each was followed when its start began.
    var starts: [String: Bool] = [:]
    /// The report that waits to be sent.
    var report: ReconcileDraft?
    var backOff = BackOff()
    /// The uptime before which nothing is sent.
    var retryAt: Duration?
    /// The uptime before which no telemetry is sent.
    var telemetryAt: Duration = .zero
    /// The uptime before which no rotation is sent.
    var rotationAt: Duration = .zero
    /// Routes that this server does not have, until the next start of the app.
    var missingRoutes: Set<Route> = []
    /// The tokens that the system has named since the start of the app.
    var namedTokens: Set<DeviceTokenName> = []
    /// A credential that could not be stored and is only in memory.
    var unstored: String?
    var hasNoticedOldBuild = false
    /// The refusal of a registration that the app was informed of last.
    var noticedRefusal: RegistrationRefusal?
    /// Whether a registration has ended whose changes are not in the queue.
    var needsRequeue = false
    /// The events that wait for the record; nil when it was read.
    var waitingEvents: [ClientEvent]?
    /// Whether the record has changed since it was stored.
    var isUnsaved = false
    /// The time of the last event.
    var lastInstant: ClientInstant?
    /// The uptime before which the follows are not read for orphans again.
    var orphanCheckAt: Duration = .zero

    /// A refusal of a registration; two with the same members have the same cause.
    struct RegistrationRefusal: Sendable, Hashable {
        var status: Int
        var slug: String?
    }

    /// Routes that an older server does not have.
    enum Route: Sendable, Hashable { case rotation, telemetry }

    /// Begins with the record of the previous run of the app.
    ///
    /// - Parameters:
    ///   - record: The record; nil while it cannot be read, so that nothing is sent or stored until `recordRead`.
    ///   - sharesSurfaces: Whether there is a store of snapshots for widgets.
    public init(record: ClientRecord?, sharesSurfaces: Bool = false) {
        self.record = record ?? ClientRecord()
        self.sharesSurfaces = sharesSurfaces
        if record == nil { waitingEvents = [] }
        if self.record.isErasing { needs = [.erasure] }
    }

    /// Whether the record could not be read yet.
    var isUnread: Bool { waitingEvents != nil }

    /// Whether the server has confirmed every change and no request is due.
    ///
    /// A change that the remote settings hold back does not count.
    public var isSettled: Bool {
        // After an erasure there is no device to report or to read.
        !isUnread && !record.queue.changes.contains { isAllowed($0) } && flight == nil && record.registrationKey == nil
            && record.rotationKey == nil
            && (record.isErased || report == nil && needs.isEmpty && !isListing && !isRefreshing)
    }

    /// Whether a request is in progress.
    var hasFlight: Bool { flight != nil }

    /// Reacts to an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The time.
    ///   - random: The source of the jitter and of idempotency keys.
    /// - Returns: The actions, in the order in which they have to be done.
    public mutating func handle(
        _ event: ClientEvent,
        at now: ClientInstant,
        using random: inout some RandomNumberGenerator
    ) -> [ClientAction] {
        if isUnread { return beginOrWait(event, at: now, using: &random) }
        let before = record
        noteClock(now)
        var actions = react(to: event, at: now, using: &random)
        if needsRequeue {
            needsRequeue = false
            requeueAll(at: now)
        }
        let next = advance(at: now, using: &random)
        if record != before { isUnsaved = true }
        // A credential is stored before the record, and the record before a request that depends on it. The system
        // lists the revisions of activities at the next start of the app, so that a revision alone is not stored. A
        // record that could not be stored is stored with the next event.
        let isDelayed = event.isRevision || event == .recordNotStored
        if isUnsaved, !isDelayed || next.contains(where: \.isRequest) {
            isUnsaved = false
            actions.append(.save)
        }
        return actions + next
    }

    private mutating func react(
        to event: ClientEvent,
        at now: ClientInstant,
        using random: inout some RandomNumberGenerator
    ) -> [ClientAction] {
        switch event {
        case .launched, .enteredForeground, .receivedBackgroundPush:
            needs.formUnion([.listing, .follows])
            needSurfaces()
            if now.wall - record.settingsReadAt > ClientLimits.settingsAge { needs.insert(.settings) }
            reconnect()
            if event == .launched { (isListing, isRefreshing) = (false, false) }
            return unstored.map { [.storeCredential($0)] } ?? []
        case .networkReturned:
            reconnect()
            return []
        case .timer, .recordRead: return []
        case .recordNotStored:
            isUnsaved = true
            return []
        case .credentialRead(let reading): return take(reading)
        case .credentialStored(let isStored): return credentialStored(isStored)
        case .described(let description): return describe(description, at: now)
        case .followed(let match, let choices): return follow(match, choices, at: now)
        case .unfollowed(let match): return unfollow(match, at: now)
        case .token(let name, let token): return take(token, as: name, at: now)
        case .listed(let activities): return takeList(activities, at: now)
        case .activity(let event): return take(event, at: now)
        case .startAbandoned(let activity): return abandon(activity, at: now)
        case .surfacesRefreshed:
            isRefreshing = false
            return []
        case .rotationRequested:
            missingRoutes.remove(.rotation)
            rotationAt = .zero
            record.rotationKey = record.rotationKey ?? Self.key(using: &random)
            return []
        case .channelMissing:
            needs.insert(.follows)
            return []
        case .erased:
            record.isErasing = true
            needs = [.erasure]
            return []
        case .answered(let id, let response):
            guard let done = flight, done.id == id else { return [] }
            flight = nil
            return take(response, for: done.purpose, at: now, using: &random)
        case .failed(let id, _):
            guard let lost = flight, lost.id == id else { return [] }
            flight = nil
            restore(lost.purpose)
            wait(nil, at: now, using: &random)
            return []
        }
    }

    /// Ends the wait after failures, but not one that the server requested.
    private mutating func reconnect() {
        if backOff.failures > 0 {
            retryAt = nil
            backOff.reset()
        }
        if access == .locked { access = .unread }
    }

    /// Waits before the next request: as long as the server said, else by the back-off.
    mutating func wait(
        _ seconds: Int64?,
        at now: ClientInstant,
        using random: inout some RandomNumberGenerator
    ) {
        let pause = backOff.next(using: &random)
        if let seconds {
            backOff.reset()
            retryAt = now.uptime + max(.seconds(seconds), pause)
        } else {
            retryAt = now.uptime + pause
        }
    }

    /// A random key of 128 bits.
    static func key(using random: inout some RandomNumberGenerator) -> String {
        let digits = String(random.next(), radix: 16) + String(random.next(), radix: 16)
        return String(repeating: "0", count: max(0, 32 - digits.count)) + digits
    }
}
