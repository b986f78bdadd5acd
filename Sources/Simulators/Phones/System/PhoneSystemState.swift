// All decisions of one phone's system are made in this value; the shell only feeds it events and performs its effects.

import LiveSurface
import ScoreClient
import ScoreTypes

/// An effect of the system outside of the phone's own state.
enum PhoneEffect: Sendable {
    /// A new token: APNs accepts pushes for it.
    case register(PushToken, PhoneTokenKind)
    /// A dead token: APNs answers 410.
    case retire(PushToken)
    case subscribe(ChannelID)
    case unsubscribe(ChannelID)
    /// An event for the app's reader of activities.
    case emit(ActivityEvent)
    case signal(AppSignal)
    case widget(WidgetSignal)
    /// The pushes that APNs stored, now that the phone is reachable.
    case redeliver([(PushToken, DeliveredPush)])
}

/// The properties of a phone that never change.
struct PhoneModel: Sendable {
    let release: IOSRelease
    let faults: PhoneFaultPlan
    /// The name of the app's attributes type.
    let attributesType: String
    /// Whether the app knows the newest layout of the content state; one version older otherwise.
    let knowsNewestLayout: Bool
    /// Seconds of domain time per second of real time.
    let speed: Int
    /// Whether an observer receives the events of the journal.
    var isObserved = false
}

/// The system of one phone.
struct PhoneSystemState: Sendable {
    /// The states of the app's process.
    enum AppPhase: Sendable, Hashable {
        case ended(byPerson: Bool)
        case foreground
        /// Until an instant of real time.
        case background(until: Duration)
        case suspended

        var isAlive: Bool { if case .ended = self { false } else { true } }
        var runs: Bool { isAlive && self != .suspended }
    }

    let model: PhoneModel
    var random: SplitMix64
    var app = AppPhase.ended(byPerson: false)
    var activities: [SimulatedActivity] = []
    var otherActivities: Int
    var allowsActivities = true
    var allowsFrequentPushes = true
    var allowsNotifications = true
    /// Whether the phone's network works; a phone that restarts is unreachable too.
    var hasNetwork = true
    /// The end of a restart, domain time; nil when none is under way.
    var bootEnd: Duration?
    var undelivered = UndeliveredPushes()
    var alertToken: PushToken?
    var startToken: PushToken?
    /// The token of the widgets; nil while none is on the screens.
    var widgetToken: PushToken?
    /// The domain time at which the first push-to-start token becomes known.
    var startTokenDue: Duration?
    var updateBudget = UpdateBudget()
    var startBudget = UpdateBudget()
    var wakeBudget = UpdateBudget()
    var widgetBudget = UpdateBudget(span: SimulatorLimits.widgetBudgetSpan)
    /// Whether the app's process reads events of activities.
    var hasReader = false
    /// Events for a suspended reader.
    var held: [ActivityEvent] = []
    var incidents: [TimedIncident]
    var firstActivityAt: Duration?
    /// The first start that was refused because of too many activities, domain time.
    var firstRefusalAt: Duration?
    /// The card that was removed last.
    var removedCard: RemovedCard?
    var centre = NotificationCentre()
    var journal = PhoneJournal()
    var overlaps = CardOverlaps()
    var reachableSpans = ReachableSpans()
    /// Effects of the event at hand.
    var effects: [PhoneEffect] = []

    init(_ model: PhoneModel, seed: UInt64) {
        self.model = model
        random = SplitMix64(seed: seed)
        otherActivities = model.faults.otherActivities
        incidents = model.faults.incidents
        journal = PhoneJournal(isObserved: model.isObserved)
    }

    var release: IOSRelease { model.release }
    var isReachable: Bool { hasNetwork && bootEnd == nil }
    /// The date on the phone's clock, in milliseconds since 1970.
    func date(_ now: PhoneTime) -> Int64 { now.wall &+ model.faults.clockOffset.milliseconds }

    /// Ends the handling of one event: returns its effects.
    mutating func finish(_ now: PhoneTime) -> [PhoneEffect] {
        overlaps.observe(activities, at: now.real)
        reachableSpans.observe(app.runs && isReachable, at: now.wall)
        activities.removeAll { $0.phase == .dismissed }
        defer { effects = [] }
        return effects
    }

    // MARK: Events for the app

    /// Passes an event to the app's reader, or holds it while the process is suspended.
    mutating func emit(_ event: ActivityEvent) {
        guard hasReader else { return }
        guard app == .suspended else { return effects.append(.emit(event)) }
        // ActivityKit's sequences give a late reader the newest content, which is not stale, and the newest phase.
        switch event {
        case .shows(let id, _):
            held.removeAll { earlier in
                if case .shows(id, _) = earlier { true } else { earlier == .stale(activityID: id) }
            }
        case .stale: held.removeAll { $0 == event }
        default: break
        }
        held.append(event)
    }

    mutating func signal(_ signal: AppSignal, at now: PhoneTime) {
        effects.append(.signal(signal))
        journal.note(.app(signal), at: now)
    }

    /// The app's process begins to read events: the first ones, which the system knows already.
    mutating func beginReading() -> [ActivityEvent] {
        guard app.isAlive else { return [] }
        hasReader = true
        held = []
        var events: [ActivityEvent] = [.allowed(liveActivities: allowsActivities, frequentPushes: allowsFrequentPushes)]
        if let startToken { events.append(.pushToStartToken(startToken.hexForPath)) }
        for activity in activities where activity.countsForLimit { events.append(.started(activity.observed)) }
        return events
    }

    // MARK: Drawing random values

    mutating func drawToken(_ bytes: Int) -> PushToken? {
        PushToken(bytes: (0..<bytes).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    mutating func drawActivityID() -> String { DeviceID(using: &random).description.uppercased() }
}
