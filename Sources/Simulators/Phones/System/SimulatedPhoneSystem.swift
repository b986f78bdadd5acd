// The system of one simulated iPhone; tests and fleets act for its user, and the APNs simulator delivers its pushes.

import LiveSurface
public import ScoreClient
public import ScoreTypes
import Synchronization

/// The parts that all phones of a run share.
public final class PhoneEnvironment: Sendable {
    /// The timer of all phones; its `run` has to run.
    public let schedule: PhoneSchedule
    /// The clock of the run.
    public let clock: ServiceClock
    let directory: PushDirectory
    let attributesType: String
    let observer: PhoneObserver?
    let reader = PhonePushReader()

    /// Phones whose pushes come from a simulator.
    ///
    /// - Parameters:
    ///   - network: The simulator of APNs.
    ///   - clock: Wall and real time for Apple's dates, domain time for budgets and delays.
    ///   - attributesType: The Swift type of the app's attributes.
    ///   - observer: Receives the events of all phones; each phone then keeps only the last few itself.
    public convenience init(
        network: APNsSimulator,
        clock: ServiceClock,
        attributesType: String = APNsTestAccount.attributesType,
        observer: PhoneObserver? = nil
    ) {
        self.init(
            directory: network.state.directory,
            clock: clock,
            attributesType: attributesType,
            observer: observer
        )
    }

    init(
        directory: PushDirectory,
        clock: ServiceClock,
        attributesType: String = APNsTestAccount.attributesType,
        observer: PhoneObserver? = nil
    ) {
        (self.directory, self.clock, self.attributesType) = (directory, clock, attributesType)
        self.observer = observer
        schedule = PhoneSchedule(clock: clock)
    }
}

/// The system of one phone; may be used from any thread.
public final class SimulatedPhoneSystem: Sendable {
    /// Receives the system's calls to the app's process, in order, under the phone's lock: it only passes them on.
    public typealias AppHandler = @Sendable (AppProcess, AppSignal) -> Void
    /// Receives the system's calls to the app's widget extension, as ``AppHandler`` does.
    public typealias WidgetHandler = @Sendable (WidgetSignal) -> Void

    private struct Shell {
        var state: PhoneSystemState
        var process: AppProcess?
        var processes = 0
        var reader: AsyncStream<ActivityEvent>.Continuation?
        var turn: UInt64 = 0
    }

    /// The phone's number in its run.
    public let number: Int
    /// Its iOS.
    public let release: IOSRelease
    private let environment: PhoneEnvironment
    private let app: AppHandler
    private let widgets: WidgetHandler
    private let shell: Mutex<Shell>

    /// Switches a phone on; its app does not run yet.
    ///
    /// - Parameters:
    ///   - number: The phone's number, different from those of other phones of the run.
    ///   - release: Its iOS.
    ///   - seed: Draws tokens, ids and the details of chance.
    ///   - faults: Its faults.
    ///   - knowsNewestLayout: Whether the app knows the newest layout of the content state, or the one before.
    ///   - environment: The parts that all phones share.
    ///   - widgets: Receives the calls to the app's widget extension.
    ///   - app: Receives the calls to the app's process.
    public init(
        number: Int,
        release: IOSRelease,
        seed: UInt64,
        faults: PhoneFaultPlan = .none,
        knowsNewestLayout: Bool = true,
        environment: PhoneEnvironment,
        widgets: @escaping WidgetHandler = { _ in },
        app: @escaping AppHandler
    ) {
        (self.number, self.release, self.environment) = (number, release, environment)
        (self.app, self.widgets) = (app, widgets)
        let model = PhoneModel(
            release: release,
            faults: faults,
            attributesType: environment.attributesType,
            knowsNewestLayout: knowsNewestLayout,
            speed: environment.clock.speed,
            isObserved: environment.observer != nil
        )
        let state = PhoneSystemState(model, seed: seed)
        shell = Mutex(Shell(state: state))
        let turn = environment.schedule.add { [weak self] in self?.handle { $0.pass($1) } }
        shell.withLock { $0.turn = turn }
        handle { $0.pass($1) }
    }

    deinit { environment.schedule.remove(shell.withLock { $0.turn }) }

    var schedule: PhoneSchedule { environment.schedule }
    /// The phone's name as a subscriber of channels.
    private var subscriber: UInt64 { UInt64(bitPattern: Int64(number)) }

    // MARK: The network

    /// Hands over a push of APNs, for a token or for a channel that the phone listens to.
    public func deliver(_ push: DeliveredPush, to token: PushToken? = nil) {
        let read = environment.reader.read(push.body)
        handle { $0.receive(push, read, for: token, at: $1) }
    }

    /// Switches the network on or off.
    public func setNetwork(isOn: Bool) { handle { $0.setNetwork(isOn, at: $1) } }

    /// Whether the network reaches the phone.
    public var isReachable: Bool { shell.withLock { $0.state.isReachable } }

    /// Whether the app ran with a network during a whole time that is over, in milliseconds since 1970.
    func couldSend(from: Int64, until: Int64) -> Bool {
        shell.withLock { $0.state.reachableSpans.cover(from, until: until) }
    }

    /// The first time, not before a given one, at which the app ran with a network, in milliseconds since 1970; nil for
    /// none so far.
    func timeToSend(since: Int64) -> Int64? { shell.withLock { $0.state.reachableSpans.next(from: since) } }

    // MARK: The person

    /// The person opens the app.
    public func openApp() { handle { $0.openApp(at: $1) } }

    /// The person leaves the app, which runs for a moment more.
    public func leaveApp() { handle { $0.leaveApp(at: $1) } }

    /// The person kills the app.
    public func killApp() { handle { $0.killApp(at: $1) } }

    /// The person restarts the phone.
    public func reboot() { handle { $0.reboot(at: $1) } }

    /// The person switches the phone off for good: the app's process ends, and nothing arrives any more.
    public func switchOff() {
        handle { $0.switchOff(at: $1) }
        schedule.remove(shell.withLock { $0.turn })
    }

    /// The person puts a widget of the app on a screen; before iOS 26 no push reloads it.
    public func addWidget() { handle { $0.addWidget(at: $1) } }

    /// The person removes the widgets of the app.
    public func removeWidgets() { handle { $0.removeWidgets(at: $1) } }

    /// The person removes an activity from the screen.
    public func dismiss(_ activityID: String) { handle { $0.dismiss(activityID, at: $1) } }

    /// The person switches Live Activities on or off.
    public func allowActivities(_ isAllowed: Bool) { handle { $0.allowActivities(isAllowed, at: $1) } }

    /// The person switches frequent pushes on or off.
    public func allowFrequentPushes(_ isAllowed: Bool) { handle { $0.allowFrequentPushes(isAllowed, at: $1) } }

    // MARK: The screen and the counts

    /// The app's present process; nil when none is alive.
    public var process: AppProcess? { shell.withLock { $0.process } }
    /// The ActivityKit of the app's present process; nil when none is alive.
    public var host: (any ActivityHost)? { process }
    /// The cards on the screen.
    public var cards: [PhoneCard] { shell.withLock { $0.state.activities.filter(\.isVisible).map(PhoneCard.init) } }
    /// The counts so far.
    public var report: PhoneSystemReport { shell.withLock { PhoneSystemReport($0.state) } }
    /// The card that was removed last; nil while none was.
    var removedCard: RemovedCard? { shell.withLock { $0.state.removedCard } }
    /// The newest events, oldest first.
    public var journal: [PhoneJournalEntry] { shell.withLock { $0.state.journal.entries } }

    /// The reason for which a revision of a match cannot reach the phone now; nil for a phone that has to show it.
    func obstacle(
        to revision: Int64,
        of match: String,
        hasStartToken: Bool,
        losesRequests: Bool,
        isReported: (String) -> Bool
    ) -> PhoneObstacle? {
        shell.withLock { shell in
            shell.state.obstacle(
                to: revision,
                of: match,
                hasStartToken: hasStartToken,
                losesRequests: losesRequests,
                isReported: isReported
            )
        }
    }

    var clientInstant: ClientInstant {
        let now = PhoneTime(environment.clock)
        return ClientInstant(wall: shell.withLock { $0.state.date(now) }, uptime: now.real)
    }

    // MARK: ActivityKit

    func events(for process: AppProcess) -> AsyncStream<ActivityEvent> {
        let kept = SimulatorLimits.unreadActivityEvents
        let (stream, reader) = AsyncStream.makeStream(of: ActivityEvent.self, bufferingPolicy: .bufferingNewest(kept))
        let before = shell.withLock { shell -> AsyncStream<ActivityEvent>.Continuation? in
            guard shell.process === process else { return reader }
            let before = shell.reader
            shell.reader = reader
            for event in shell.state.beginReading() { reader.yield(event) }
            return before
        }
        before?.finish()
        return stream
    }

    func listedActivities(for process: AppProcess) -> [ObservedActivity] {
        shell.withLock { shell in
            guard shell.process === process else { return [] }
            return shell.state.activities.map(\.observed)
        }
    }

    func start(_ start: ActivityStart, for process: AppProcess) throws(ActivityStartError) -> ObservedActivity {
        var result = Result<ObservedActivity, ActivityStartError>.failure(.unsupported)
        handle(of: process) { state, now in
            let (started, effects) = state.start(start, at: now)
            result = started
            return effects
        }
        return try result.get()
    }

    func update(
        _ id: String,
        to content: LiveActivityAttributes.ContentState,
        staleAt: Int64,
        timestamp: Int64?,
        for process: AppProcess
    ) {
        handle(of: process) { $0.update(id, to: content, staleAt: staleAt, timestamp: timestamp, at: $1) }
    }

    func end(_ id: String, for process: AppProcess) { handle(of: process) { $0.end(id, at: $1) } }

    // MARK: The shell

    /// Feeds an event to the state and performs its effects; nothing when it comes from a process that is over.
    private func handle(
        of process: AppProcess? = nil,
        _ event: (inout PhoneSystemState, PhoneTime) -> [PhoneEffect]
    ) {
        let now = PhoneTime(environment.clock)
        let (late, turn, wait) = shell.withLock { shell -> ([PhoneEffect], UInt64, Duration?) in
            if let process, shell.process !== process { return ([], shell.turn, nil) }
            let effects = event(&shell.state, now)
            if let observer = environment.observer { shell.state.journal.observe { observer(number, $0) } }
            let late = effects.filter { !perform($0, &shell) }
            return (late, shell.turn, shell.state.nextDue(from: now))
        }
        for effect in late { performLate(effect) }
        if let wait { schedule.wake(turn, at: now.real + wait) }
    }

    /// Performs an effect under the lock; false for one that calls back.
    private func perform(_ effect: PhoneEffect, _ shell: inout Shell) -> Bool {
        let directory = environment.directory
        switch effect {
        case .register(let token, let kind):
            // Before the app knows the token, so that no push for it comes too early.
            directory.register(token, kind) { [weak self] push in self?.deliver(push, to: token) }
        case .retire(let token): directory.kill(token, since: environment.clock.wall, isKnown: true)
        case .unsubscribe(let channel): directory.unsubscribe(channel, subscriber)
        case .emit(let event): shell.reader?.yield(event)
        case .signal(let signal): perform(signal, &shell)
        case .widget(let signal): widgets(signal)
        case .subscribe, .redeliver: return false
        }
        return true
    }

    private func perform(_ signal: AppSignal, _ shell: inout Shell) {
        if case .launched = signal {
            shell.processes += 1
            shell.process = AppProcess(number: shell.processes, system: self)
        }
        guard let process = shell.process else { return }
        switch signal {
        case .suspended: process.setRunning(false)
        case .resumed, .enteredForeground: process.setRunning(true)
        case .ended:
            process.setRunning(false)
            shell.reader?.finish()
            (shell.process, shell.reader) = (nil, nil)
        default: break
        }
        app(process, signal)
    }

    private func performLate(_ effect: PhoneEffect) {
        switch effect {
        case .subscribe(let channel):
            let now = environment.clock.wall.seconds
            // A channel that does not exist gives nothing, and no one learns of it.
            _ = environment.directory.subscribe(channel, subscriber, now: now) { [weak self] push in
                self?.deliver(push)
            }
        case .redeliver(let pushes): for (token, push) in pushes { deliver(push, to: token) }
        default: break
        }
    }
}
