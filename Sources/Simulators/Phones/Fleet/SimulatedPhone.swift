// One phone of a fleet: the system of an iPhone, its person, and an app that runs the client library.

import LiveSurface
import ScoreClient
import ScoreTypes
import Synchronization

/// The parts that all phones of a fleet share.
struct FleetSetting: Sendable {
    let match: MatchID
    let server: PhoneServer
    let environment: PhoneEnvironment
}

/// One phone; `run` is its app's life.
final class SimulatedPhone: Sendable {
    private enum Event: Sendable {
        case signal(AppProcess, AppSignal)
        /// The person follows the match.
        case follow
        /// The person starts the activity of the match in the app.
        case startActivity
        case widget(WidgetSignal)
    }

    let number: Int
    let system: SimulatedPhoneSystem
    let faults: FleetFaults.OfPhone
    private let setting: FleetSetting
    private let storage = PhoneStorage()
    private let receipts: PhoneReceipts
    private let seed: UInt64
    /// Whether the app knows the newest layout of the content state.
    private let isNewestApp: Bool
    private let keepsAppOpen: Bool
    private let events: AsyncStream<Event>
    private let writer: AsyncStream<Event>.Continuation
    private let client = Mutex<LiveScoreClient?>(nil)
    /// When the person first opened the app after the match, in milliseconds since 1970.
    private let openedAfterMatchAt = Mutex<Int64?>(nil)

    init(
        number: Int,
        release: IOSRelease,
        isNewestApp: Bool,
        keepsAppOpen: Bool = false,
        faults: FleetFaults.OfPhone,
        seed: UInt64,
        setting: FleetSetting
    ) {
        (self.number, self.isNewestApp, self.keepsAppOpen) = (number, isNewestApp, keepsAppOpen)
        (self.faults, self.setting) = (faults, setting)
        receipts = PhoneReceipts(clock: setting.environment.clock)
        let seed = Self.seed(of: number, from: seed)
        self.seed = seed
        let (events, writer) = AsyncStream.makeStream(
            of: Event.self,
            bufferingPolicy: .bufferingNewest(SimulatorLimits.waitingAppSignals)
        )
        (self.events, self.writer) = (events, writer)
        system = SimulatedPhoneSystem(
            number: number,
            release: release,
            seed: seed,
            faults: PhoneFaultPlan(faults.system, seed: seed),
            knowsNewestLayout: isNewestApp,
            environment: setting.environment,
            widgets: { signal in writer.yield(.widget(signal)) },
            app: { process, signal in writer.yield(.signal(process, signal)) }
        )
    }

    /// The seed of a phone; the sequences of two phones do not overlap, since phones with equal tokens are one device.
    static func seed(of phone: Int, from seed: UInt64) -> UInt64 {
        var generator = SplitMix64(seed: seed &+ UInt64(phone))
        return generator.next()
    }

    // MARK: The person

    /// Opens the app, follows the match, and leaves the app when the server has confirmed everything, unless the
    /// person keeps it open.
    ///
    /// - Throws: `PhoneError.notEnrolled` when that takes longer than `SimulatorLimits.enrolment`.
    func enroll() async throws {
        system.addWidget()
        system.openApp()
        writer.yield(.follow)
        let deadline = ContinuousClock.now + SimulatorLimits.enrolment
        while !(await isEnrolled()) {
            guard ContinuousClock.now < deadline else { throw PhoneError.notEnrolled(phone: number) }
            try await Task.sleep(for: SimulatorLimits.enrolmentPoll)
        }
        leaveApp()
    }

    private func leaveApp() {
        if !keepsAppOpen { system.leaveApp() }
    }

    private func isEnrolled() async -> Bool {
        guard let client = client.withLock({ $0 }), (try? storage.read()) != nil else { return false }
        let (follows, pending) = await (client.follows, client.pendingChanges)
        return follows[setting.match.text] != nil && pending.isEmpty
    }

    /// Opens the app at the start of play and starts the activity there, on a system that a push cannot start one on.
    func beginMatch() {
        guard !system.release.startsByPush else { return }
        system.openApp()
        writer.yield(.startActivity)
    }

    /// Opens the app after the end of the match.
    func openAppAfterMatch() {
        let now = setting.environment.clock.wall.milliseconds
        openedAfterMatchAt.withLock { $0 = $0 ?? now }
        system.openApp()
    }

    // MARK: The app

    /// Runs the processes of the app until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            var running: Task<Void, Never>?
            for await event in events {
                let client = client.withLock { $0 }
                switch event {
                case .signal(let process, .launched): running = launch(process)
                case .signal(_, .ended):
                    self.client.withLock { $0 = nil }
                    running?.cancel()
                    // The next process reads what this one has stored.
                    await running?.value
                case .signal(_, .receivedBackgroundPush): group.addTask { _ = await client?.receiveBackgroundPush() }
                case .signal(_, let signal): await pass(signal, to: client)
                case .follow: await client?.follow(setting.match.text)
                case .startActivity: group.addTask { await self.startActivity(by: client) }
                case .widget(.token(let token)): surfaces.widgetToken = token
                case .widget(.reload): group.addTask { await self.reloadWidgets() }
                }
            }
            running?.cancel()
            group.cancelAll()
        }
    }

    /// The snapshots that the app shares with its widget extension.
    private var surfaces: SharedSurfaces { SharedSurfaces(storage) }

    /// The extension's timeline provider: it reads the matches that the app has stored, and draws them.
    private func reloadWidgets() async {
        let network = PhoneNetwork(seed: seed, faults: PhoneNetworkFaults()) { [system] in system.isReachable }
        await surfaces.reload(.widget, over: PhoneTransport(server: setting.server, network: network))
    }

    private func pass(_ signal: AppSignal, to client: LiveScoreClient?) async {
        switch signal {
        case .enteredForeground: await client?.enterForeground()
        case .alertToken(let token): await client?.setAlertToken(token)
        case .networkReturned: await client?.networkReturned()
        case .launched, .enteredBackground, .suspended, .resumed, .receivedBackgroundPush, .ended: return
        }
    }

    private func launch(_ process: AppProcess) -> Task<Void, Never> {
        let seed = seed &+ UInt64(process.number)
        let network = PhoneNetwork(
            seed: seed,
            faults: faults.hasWeakNetwork ? .weak : PhoneNetworkFaults(),
            isReachable: { process.reachesNetwork }
        )
        let next = LiveScoreClient(
            transport: PhoneTransport(server: setting.server, network: network) { [receipts] request, response in
                receipts.note(request, response)
            },
            credentials: storage,
            records: storage.records,
            host: process,
            surfaces: system.release.reloadsWidgetsByPush ? surfaces : nil,
            clock: process.clock,
            random: { SplitMix64(seed: seed) }
        )
        client.withLock { $0 = next }
        return Task { [description] in
            await next.describe(description)
            await next.run()
        }
    }

    private var description: DeviceDescription {
        DeviceDescription(
            bundleId: APNsTestAccount.bundleID,
            appBuild: "1",
            osVersion: system.release.rawValue,
            model: "iPhone16,1",
            timeZone: "UTC",
            apnsEnvironment: .sandbox,
            contentSchemaVersions: isNewestApp ? [1, 2] : [1],
            stringsVersion: isNewestApp ? NotificationKey.version : 0,
            frequentPushesEnabled: true,
            channelsSupported: system.release.hasChannels
        )
    }

    private func startActivity(by client: LiveScoreClient?) async {
        for _ in 0..<SimulatorLimits.startAttempts {
            do throws(ActivityStartError) {
                _ = try await client?.startActivity(of: setting.match.text)
                break
            } catch {
                guard case .unreadable = error, !Task.isCancelled else { break }
            }
            try? await Task.sleep(for: SimulatorLimits.startAttemptWait)
        }
        leaveApp()
    }
}

// MARK: Observations

extension SimulatedPhone {
    /// Whether the phone has to show a revision: nothing keeps the server from reaching it now.
    private func isExpected(at revision: Int64) -> Bool {
        // A token that the server gets after the match, when the person opens the app, starts nothing any more.
        let opened = openedAfterMatchAt.withLock { $0 } ?? setting.environment.clock.wall.milliseconds
        let obstacle = system.obstacle(
            to: revision,
            of: setting.match.text,
            hasStartToken: receipts.hadStartToken(at: opened - SimulatorLimits.startTime),
            losesRequests: faults.hasWeakNetwork,
            isReported: receipts.hasReported
        )
        return obstacle == nil
    }

    /// Whether iOS withheld an update, or its network loses requests: a late receipt is not the server's doing.
    private var isHindered: Bool {
        let drops = system.report.drops
        return faults.hasWeakNetwork || faults.system.contains(.exhaustedBudget)
            || [.overBudget, .superseded, .tooFarAhead].contains { drops[$0, default: 0] > 0 }
    }

    /// The cards of the match.
    private var cards: [PhoneCard] { system.cards.filter { $0.matchID == setting.match.text } }

    /// The card of the match that is not on the screen any more; nil while there is none.
    private var removedCard: RemovedCard? { system.removedCard.flatMap { $0.match == setting.match.text ? $0 : nil } }

    /// The final card that the system has removed at its date, as a phone whose clock is hours ahead does at once.
    private var removedFinalCard: RemovedCard? { removedCard.flatMap { $0.isFinal && !$0.isByPerson ? $0 : nil } }

    /// The times from publications, in order, to their confirmation by this phone.
    func confirmationTimes(of publications: [PublishedRevision]) -> ConfirmationTimes {
        var times = ConfirmationTimes()
        let (cards, confirmations) = (cards, receipts.confirmations)
        if let newest = publications.last, isExpected(at: newest.revision) {
            times.addNewest(confirmations, of: newest, from: system.timeToSend(since: newest.at) ?? newest.at)
        }
        guard let from = receipts.reportTime(of: cards.map(\.activityID)), !isHindered else { return times }
        let now = setting.environment.clock.wall.milliseconds
        times.addPlay(confirmations, of: publications, from: from, now: now) { system.couldSend(from: $0, until: $1) }
        return times
    }

    /// The state of the phone, compared with a revision.
    func report(newest revision: Int64) -> PhoneFleetReport {
        let cards = cards
        let (removed, final) = (removedCard, removedFinalCard)
        let counts = system.report
        let isAtNewest = cards.contains { $0.revision >= revision } || final.map { $0.revision >= revision } ?? false
        let isExpected = isExpected(at: revision)
        let confirmed = receipts.newest(of: cards.map(\.activityID) + [final?.activityID].compactMap(\.self))
        var report = PhoneFleetReport(phones: 1)
        report.reachable = isExpected ? 1 : 0
        report.atNewest = isAtNewest ? 1 : 0
        report.reachableAtNewest = isExpected && isAtNewest ? 1 : 0
        report.started = cards.isEmpty && removed == nil ? 0 : 1
        report.ended = cards.contains { $0.phase == .ended } || final != nil ? 1 : 0
        report.confirmed = confirmed >= revision ? 1 : 0
        // A card that is gone confirms nothing any more.
        report.unconfirmed = isExpected && !cards.isEmpty && confirmed < revision ? 1 : 0
        let isGood = faults == FleetFaults.OfPhone()
        report.channelPhones = isGood && system.release.hasChannels && !cards.isEmpty ? 1 : 0
        report.widgetPhones = isGood && system.release.reloadsWidgetsByPush ? 1 : 0
        report.channelActivities = cards.count(where: \.isOnChannel)
        let isTwice = counts.cardsTwice > 0 || counts.longestCardsTwice > SimulatorLimits.cardOverlap
        report.cardsTwice = isTwice ? 1 : 0
        report.repeatedAlerts = counts.repeatedAlerts
        report.widgetReloads = counts.widgetReloads
        let widget = surfaces.current(WidgetEntry.self)
        report.widgetsAtNewest = Self.revision(widget?.entry, of: setting.match) >= revision ? 1 : 0
        // The server gives the app a timestamp for each state that it draws, so that only older systems go back.
        let isDated = system.release.takesTimestamps
        report.wentBack = counts.wentBack + (isDated ? counts.wentBackByOwnDrawing : 0)
        report.wentBackByOwnDrawing = isDated ? 0 : counts.wentBackByOwnDrawing
        report.undecodable = counts.drops[.undecodable] ?? 0
        return report
    }

    /// The revision of a match that a widget shows; 0 for none.
    private static func revision(_ entry: WidgetEntry?, of match: MatchID) -> Int64 {
        let prefix = "match-\(match.text)@"
        guard let id = entry?.snapshotId, id.hasPrefix(prefix) else { return 0 }
        return Int64(id.dropFirst(prefix.count)) ?? 0
    }

    /// Number, iOS, faults, and the newest events of the system, in one line.
    var summary: String {
        let names = faults.system.map(\.rawValue) + (faults.hasWeakNetwork ? ["weakNetwork"] : [])
        // A token permits its holder to write to the phone, so that it is not printed.
        let events = system.journal.map(\.event).filter { event in
            if case .app(.alertToken) = event { false } else { true }
        }
        return """
            phone \(number), iOS \(system.release.rawValue), faults [\(names.joined(separator: ", "))]: \
            \(events.suffix(SimulatorLimits.listedEvents).map { "\($0)" }.joined(separator: "; "))
            """
    }
}
