// The actor that an app uses: it feeds events to the state and performs the actions, and decides nothing itself.

public import Foundation
public import LiveSurface

/// One device's connection to score-server.
///
/// Make one for the app, describe the device, and call ``run()`` in a task that lives as long as the app.
public actor LiveScoreClient {
    /// Messages for the app, for one reader; the newest 64 are kept while nothing reads them.
    public nonisolated let notices: AsyncStream<ClientNotice>

    private let transport: any ClientTransport
    private let credentials: any CredentialStore
    private let host: any ActivityHost
    private let surfaces: SharedSurfaces?
    private let clock: any ClientClock
    private let records: RecordStore
    private let makeRandom: @Sendable () -> any RandomNumberGenerator & Sendable
    private let noticeWriter: AsyncStream<ClientNotice>.Continuation
    private lazy var reads = MatchReads(transport: transport, clock: clock) { [weak self] in
        await self?.state.credential
    }

    private var random: AnyRandomSource
    private var state: ClientState
    private var isRunning = false
    private var request: Task<Void, Never>?
    private var requestID = 0
    private var timer: Task<Void, Never>?
    private var timerAt: Duration?
    private var hostWork: Task<Void, Never>?
    private var surfaceWork: Task<Void, Never>?
    /// Pieces of work on activities and snapshots that are not done.
    private var workCount = 0
    /// Background pushes that wait until the work is done.
    private var workObservers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastObserver = 0

    /// Makes a client; ``run()`` begins its work.
    ///
    /// - Parameters:
    ///   - transport: The network.
    ///   - credentials: The store of the device's credential.
    ///   - records: The store of everything else that survives the end of the app.
    ///   - host: Live Activities.
    ///   - surfaces: The snapshots for widgets; nil for an app without them.
    ///   - clock: The time.
    ///   - random: Makes random sources, for jitter and idempotency keys.
    public init(
        transport: any ClientTransport,
        credentials: any CredentialStore,
        records: RecordStore,
        host: any ActivityHost = NoActivityHost(),
        surfaces: SharedSurfaces? = nil,
        clock: any ClientClock = SystemClock(),
        random: @escaping @Sendable () -> any RandomNumberGenerator & Sendable = { SystemRandomNumberGenerator() }
    ) {
        self.transport = transport
        self.credentials = credentials
        self.records = records
        self.host = host
        self.surfaces = surfaces
        self.clock = clock
        self.makeRandom = random
        self.random = AnyRandomSource(base: random())
        let kept = ClientLimits.waitingNotices
        (notices, noticeWriter) = AsyncStream.makeStream(of: ClientNotice.self, bufferingPolicy: .bufferingNewest(kept))
        state = ClientState(record: Self.record(in: records), sharesSurfaces: surfaces != nil)
    }

    /// The stored record; nil while it cannot be read, for instance before the first unlock of the phone.
    private static func record(in store: RecordStore) -> ClientRecord? {
        do { return ClientRecord(reading: try store.read()) } catch { return nil }
    }

    deinit { noticeWriter.finish() }

    /// Works until the task is cancelled: sends changes, observes activities, reconciles.
    public func run() async {
        guard !isRunning else { return }
        isRunning = true
        // The end of the previous run has cancelled its request.
        if let request, request.isCancelled { feed(.failed(id: requestID, .cancelled)) }
        feed(.launched)
        takeWidgetToken()
        for await event in host.events() { feed(.activity(event)) }
        isRunning = false
        for task in [request, timer, hostWork, surfaceWork] { task?.cancel() }
        timerAt = nil
    }

    /// Feeds an event; a change is stored when the call returns.
    private func feed(_ event: ClientEvent) {
        if state.isUnread, let record = Self.record(in: records) { handle(.recordRead(record)) }
        handle(event)
    }

    private func handle(_ event: ClientEvent) {
        let actions = state.handle(event, at: clock.now, using: &random)
        for action in actions { perform(action) }
        workHasChanged()
    }

    /// The extension has stored the token of the widgets, which the system gives to no app.
    private func takeWidgetToken() { if let surfaces { feed(.token(.widget, surfaces.widgetToken)) } }

    private func workHasChanged() { for observer in workObservers.values { observer.yield() } }

    private func perform(_ action: ClientAction) {
        switch action {
        case .save:
            guard let data = state.record.encoded else { return }
            do { try records.write(data) } catch { feed(.recordNotStored) }
        case .readCredential: feed(.credentialRead(readCredential()))
        case .storeCredential(let credential):
            let result = Result { try credentials.write(credential) }
            feed(.credentialStored((try? result.get()) != nil))
        case .removeCredential: try? credentials.remove()
        case .send(let id, let request): send(request, id)
        case .wait(let uptime): wait(until: uptime)
        case .listActivities: queueHostWork { [host] client in await client.feed(.listed(host.activities())) }
        case .updateActivity(let id, let content, let staleAt, let timestamp):
            queueHostWork { [host] _ in await host.update(id, to: content, staleAt: staleAt, timestamp: timestamp) }
        case .endActivity(let id): queueHostWork { [host] _ in await host.end(id) }
        case .refreshSurfaces(let targets): refreshSurfaces(targets)
        case .notify(let notice): noticeWriter.yield(notice)
        }
    }

    private func readCredential() -> CredentialReading {
        do throws(CredentialStoreError) {
            return try credentials.read().map { .found($0) } ?? .absent
        } catch {
            return .unavailable
        }
    }

    private func send(_ message: ClientRequest, _ id: Int) {
        requestID = id
        request = Task { [transport, clock] in
            let deadline = clock.now.uptime + ClientLimits.requestTime
            let result: Result<ClientResponse, TransportError>
            do {
                result =
                    try await clock.race(until: deadline) { () async throws(TransportError) in
                        try await transport.send(message)
                    } ?? .failure(.timedOut)
            } catch {
                return
            }
            guard !Task.isCancelled else { return }
            switch result {
            case .success(let response): feed(.answered(id: id, response))
            case .failure(let error): feed(.failed(id: id, error))
            }
        }
    }

    private func wait(until uptime: Duration) {
        // Each revision on a screen repeats the wait for the next receipts.
        guard timerAt != uptime else { return }
        timer?.cancel()
        timerAt = uptime
        // A wait may be an hour, for which it must not keep the client in memory.
        timer = Task { [clock, weak self] in
            try? await clock.wait(until: uptime)
            if !Task.isCancelled { await self?.timerFired() }
        }
    }

    private func timerFired() {
        timerAt = nil
        feed(.timer)
    }

    /// Runs work on activities in the order in which it was decided.
    private func queueHostWork(_ work: @escaping @Sendable (isolated LiveScoreClient) async -> Void) {
        workCount += 1
        hostWork = Task { [before = hostWork] in
            await before?.value
            if !Task.isCancelled { await work(self) }
            workCount -= 1
            workHasChanged()
        }
    }

    private func refreshSurfaces(_ targets: [SurfaceTarget]) {
        guard let surfaces else { return }
        workCount += 1
        surfaceWork = Task { [reads, clock] in
            let changed = await surfaces.refresh(targets, by: reads, clock: clock)
            workCount -= 1
            if !changed.isEmpty { noticeWriter.yield(.surfacesChanged(changed)) }
            if !Task.isCancelled { feed(.surfacesRefreshed) }
            workHasChanged()
        }
    }
}

extension LiveScoreClient {
    /// Describes the device; call it at each start, and when a permission or quiet hours change.
    ///
    /// It also registers an erased device: after ``erase()`` call it only when the person opts in again.
    public func describe(_ description: DeviceDescription) { feed(.described(description)) }

    /// Reports that the app has come to the foreground: changes are sent and activities compared.
    public func enterForeground() {
        takeWidgetToken()
        feed(.enteredForeground)
    }

    /// Reports a push in the background, or the app's own background refresh.
    ///
    /// It returns after 25 s at the latest, since the system ends an app that takes longer than 30 s.
    ///
    /// - Returns: Whether everything was sent, for the system's handler.
    public func receiveBackgroundPush() async -> Bool {
        lastObserver += 1
        let observer = lastObserver
        let (changes, writer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        workObservers[observer] = writer
        let deadline = clock.now.uptime + ClientLimits.backgroundTime
        takeWidgetToken()
        feed(.receivedBackgroundPush)
        _ = try? await clock.race(until: deadline) {
            for await _ in changes where await self.isIdle { break }
        }
        workObservers[observer] = nil
        return state.isSettled
    }

    /// Whether no work is in progress; requests may wait for a retry or for the Keychain.
    private var isIdle: Bool { !state.hasFlight && workCount == 0 }

    /// Reports that the network is back: the next attempt is made at once.
    public func networkReturned() { feed(.networkReturned) }

    /// Reports the token for notifications, hexadecimal digits; nil when notifications were switched off.
    public func setAlertToken(_ token: String?) { feed(.token(.alert, token)) }

    /// Reports the token for notifications, as the system gives it to the app.
    public func setAlertToken(_ token: Data) { setAlertToken(HexadecimalDigits.text(of: token)) }

    /// Follows a match, or changes the choices for it.
    public func follow(_ match: String, _ choices: FollowChoices = FollowChoices()) {
        feed(.followed(match: match, choices))
    }

    /// Ends a follow and the activities of the match.
    public func unfollow(_ match: String) { feed(.unfollowed(match: match)) }

    /// Replaces the credential, for instance after a suspicion that it was copied.
    public func rotateCredential() { feed(.rotationRequested) }

    /// Erases the device at the server and forgets everything here; the app keeps the choice, see ``describe(_:)``.
    public func erase() { feed(.erased) }

    /// The followed matches, with changes that the server has not confirmed.
    public var follows: [String: FollowedMatch] { state.record.follows }

    /// The device as the app described it last, also in an earlier run; nil before the first description.
    public var device: DeviceDescription? { state.record.description }

    /// The remote settings.
    public var settings: ClientSettings { state.record.settings }

    /// Changes that the server has not confirmed, also a token that the remote settings hold back.
    public var pendingChanges: [PendingChange] { state.record.queue.changes }

    /// A live stream of one to ten matches, for the foreground.
    ///
    /// Of several matches one that a read finds missing or removed ends with `ended`; a single one is an error.
    ///
    /// - Throws: `ClientError.invalidRequest` for another number of matches or a repeated one.
    public func live(_ matches: [String]) throws(ClientError) -> LiveMatches {
        guard (1...ClientLimits.matchesPerStream).contains(matches.count), Set(matches).count == matches.count else {
            throw .invalidRequest
        }
        return LiveMatches(matches: matches, settings: settings, reads: reads, clock: clock, random: makeRandom)
    }

    /// Reads a match.
    ///
    /// - Throws: `ClientError`, whose `advice` says what to do.
    public func match(_ id: String) async throws(ClientError) -> MatchDetail {
        try await reads.read(MatchDetail.self, MatchReads.path(of: id))
    }

    /// Reads a page of matches; `status` is `live`, `upcoming` or `finished`.
    ///
    /// - Throws: `ClientError`, whose `advice` says what to do.
    public func matches(status: String? = nil, cursor: String? = nil) async throws(ClientError) -> MatchPage {
        let query = [("status", status), ("cursor", cursor)].compactMap { name, value in
            value.map { URLQueryItem(name: name, value: $0) }
        }
        return try await reads.read(MatchPage.self, "/v1/matches", query: query)
    }

    /// Reads a match as one surface of the portable contract, for instance as a large widget.
    ///
    /// - Throws: `ClientError`, whose `advice` says what to do.
    public func surface(_ form: SurfaceForm, of match: String) async throws(ClientError) -> SurfaceSnapshot {
        try await reads.surface(form, of: match)
    }

    /// Starts the activity of a match, on its channel where the device has one.
    ///
    /// An activity on a token stays on it until it ends, so that the call waits for the channel of a new follow, for
    /// 8 s at most. When the follow ends meanwhile, no activity remains.
    ///
    /// - Parameters:
    ///   - match: The match, usually a followed one.
    ///   - startAt: The time to start at, in milliseconds since 1970, where the system can; nil for now.
    /// - Returns: The activity.
    /// - Throws: `ActivityStartError`, for the person or a later attempt.
    public func startActivity(
        of match: String,
        at startAt: Int64? = nil
    ) async throws(ActivityStartError) -> ObservedActivity {
        try state.beginStart(of: match)
        defer { state.endStart(of: match) }
        let detail: MatchDetail
        do throws(ClientError) {
            detail = try await self.match(match)
        } catch {
            throw .unreadable(error)
        }
        await waitForChannel(of: match)
        let start = try state.start(of: detail, startAt: startAt, now: clock.now)
        var activity = try await host.start(start)
        guard !state.hasLostFollow(of: match) else {
            feed(.startAbandoned(activityID: activity.id))
            throw .unfollowed
        }
        activity.channelID = activity.channelID ?? start.channelID
        feed(.activity(.started(activity)))
        return activity
    }

    private func waitForChannel(of match: String) async {
        let deadline = clock.now.uptime + ClientLimits.channelTime
        while isRunning, state.lacksChannel(of: match), clock.now.uptime < deadline {
            feed(.channelMissing)
            do { try await clock.wait(until: clock.now.uptime + ClientLimits.channelPoll) } catch { return }
        }
    }
}
