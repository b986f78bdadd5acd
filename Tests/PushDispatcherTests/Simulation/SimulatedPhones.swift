// The phones of a simulation: each is the system of an iPhone, whose clock the simulation moves.

import LiveSurface
import ScoreClient
import ScoreTypes
import Synchronization

@testable import PushDispatcher
@testable import Simulators

/// The states that phones have shown last, by their numbers; they stay when a card is gone.
private final class ShownStates: Sendable {
    struct State: Sendable {
        var revision: Int64 = 0
        var startedAt = Duration.zero
        /// Whether a push has ended the activity; the system ends it after eight hours.
        var isEnded = false
    }

    private let states = Mutex<[State]>([])
    private let clock: ServiceClock

    init(clock: ServiceClock) { self.clock = clock }

    var all: [State] { states.withLock { $0 } }

    subscript(phone: Int) -> State { states.withLock { $0[phone] } }

    /// Adds a phone that shows nothing; the result is its number.
    func add() -> Int {
        states.withLock { states in
            states.append(State())
            return states.count - 1
        }
    }

    func begin(_ phone: Int, at revision: Int64) {
        states.withLock { $0[phone] = State(revision: revision, startedAt: clock.monotonic) }
    }

    func note(_ phone: Int, _ event: PhoneJournalEvent) {
        let now = clock.monotonic
        states.withLock { states in
            switch event {
            case .drew(_, let revision, _), .unchanged(_, let revision): states[phone].revision = revision
            case .ended:
                states[phone].isEnded = now - states[phone].startedAt < SimulatorLimits.activityLife
            default: return
            }
        }
    }
}

/// One phone that follows one match; its app starts the activity and has no client.
final class SimulatedPhone {
    let number: Int
    let device: DeviceID
    let match: MatchID
    /// nil for a phone with a token.
    let channel: ChannelID?
    let app: ActivityPhone
    fileprivate(set) var generation: Int32 = 0
    /// The token that the server knows; nil before, and for a phone on a channel.
    fileprivate(set) var token: PushToken?
    /// Whether the person still wants the activity.
    fileprivate(set) var isAlive = true
    /// Deliveries of each alert by APNs, whether or not it sounded.
    fileprivate(set) var alerted: [String: Int] = [:]
    private let states: ShownStates

    fileprivate init(
        number: Int,
        states: ShownStates,
        device: DeviceID,
        match: MatchID,
        channel: ChannelID?,
        seed: UInt64,
        environment: PhoneEnvironment
    ) {
        (self.number, self.states) = (number, states)
        (self.device, self.match, self.channel) = (device, match, channel)
        let releases: [IOSRelease] = channel == nil ? [.ios16, .ios17] : [.ios18, .ios26]
        app = ActivityPhone(
            number: number,
            match: match,
            release: releases[number % 2],
            seed: seed,
            environment: environment
        )
    }

    /// The revision on the screen; of a card that is gone the last one.
    var shown: Int64 { states[number].revision }
    /// Whether a push has ended the activity.
    var isEnded: Bool { states[number].isEnded }
    /// Drawings of an older revision after a newer one.
    var wentBack: Int { app.system.report.wentBack }
    /// Alerts that sounded.
    var alertsSounded: Int { app.system.report.alertsSounded }
    /// Alerts among them that sounded again.
    var alertsTwice: Int { app.system.report.alertsTwice }
    /// Pushes that were older than the drawing.
    var outdated: Int { app.system.report.drops[.olderTimestamp] ?? 0 }
    /// Whether the server knows where to send states.
    var isReachable: Bool { isAlive && (token != nil || channel != nil) }

    fileprivate func begin(at revision: Int64) throws {
        states.begin(number, at: revision)
        (token, generation) = (nil, generation + 1)
        try app.startActivity(revision: revision, channel: channel)
    }
}

/// All phones, and the directory in which Apple finds them.
final class SimulatedPhones {
    private static let prefix = "/3/device/"
    /// Time until iOS gives an activity its token.
    static let tokenWait: Duration = .seconds(1)

    private(set) var all: [SimulatedPhone] = []
    /// Payloads that no phone could read.
    private(set) var unreadable = 0
    /// Pushes on their way to a phone; those of a dead node arrive, too.
    private(set) var expected = 0
    private let world: SimulatedWorld
    private let directory = PushDirectory(channelsMax: 100)
    private let environment: PhoneEnvironment
    private let states: ShownStates
    private let reader = PhonePushReader()
    private var owners: [String: (token: PushToken, phone: SimulatedPhone)] = [:]

    init(_ world: SimulatedWorld) {
        self.world = world
        let states = ShownStates(clock: world.clock)
        self.states = states
        environment = PhoneEnvironment(directory: directory, clock: world.clock) { states.note($0, $1) }
        let schedule = environment.schedule
        world.afterAdvance = { schedule.fireDue() }
    }

    /// The phones that the server can reach and that show a revision that is not right for their match.
    func behind(_ isRight: (MatchID, Int64) -> Bool) -> [SimulatedPhone] {
        let states = states.all
        return all.filter { $0.isReachable && !isRight($0.match, states[$0.number].revision) }
    }

    // MARK: People

    /// Creates a channel at Apple.
    func channel() -> ChannelID? { directory.create(policy: 0) }

    /// Switches on the phone of a person who follows a match.
    func add(_ match: MatchID, as device: DeviceID, channel: ChannelID? = nil) -> SimulatedPhone {
        let phone = SimulatedPhone(
            number: states.add(),
            states: states,
            device: device,
            match: match,
            channel: channel,
            seed: world.chance.next(),
            environment: environment
        )
        all.append(phone)
        return phone
    }

    /// Lets the person start the activity, again with another token; `register` is called when that is known.
    func start(
        _ phone: SimulatedPhone,
        at revision: Int64 = 0,
        register: @escaping (SimulatedPhone, PushToken) -> Void
    ) throws {
        try phone.begin(at: revision)
        guard phone.channel == nil else { return }
        let generation = phone.generation
        world.after(Self.tokenWait) { [self] in
            environment.schedule.fireDue()
            guard phone.isAlive, phone.generation == generation,
                let token = phone.app.activity?.token.flatMap({ PushToken(hex: $0) })
            else { return }
            phone.token = token
            owners[Self.path(token)] = (token, phone)
            register(phone, token)
        }
    }

    /// Switches on phones that follow a match, and waits until the server has their tokens.
    func add(_ count: Int, of match: MatchID, tokens: SimulatedTokens) throws {
        for _ in 0..<count {
            let phone = add(match, as: SimulatedTokens.device(using: &world.chance))
            try start(phone) { tokens.put($0.device, $0.generation, $1, of: match) }
        }
        world.advance(to: world.now + Self.tokenWait)
    }

    /// The person removes the activity from the screen.
    func leave(_ phone: SimulatedPhone) {
        phone.isAlive = false
        if let activity = phone.app.activity { phone.app.system.dismiss(activity.id) }
    }

    // MARK: Apple

    /// The path of a push to a token.
    static func path(_ token: PushToken) -> String { prefix + token.hexForPath }

    /// The death of the token of a path, in milliseconds since 1970; nil while it is alive.
    func deadSince(_ path: String) -> Int64? {
        guard let owner = owners[path], case .dead(let since)? = directory.entry(owner.token.bytes) else { return nil }
        return since
    }

    /// Counts a push that will arrive.
    func expect() { expected += 1 }

    /// Delivers an accepted push.
    func arrive(_ path: String, _ channel: String?, _ body: [UInt8], priority: Int?) {
        expected -= 1
        guard case .activity(let read) = reader.read(body), read.content != nil else {
            unreadable += 1
            return
        }
        let channel = channel.flatMap { ChannelID($0) }
        let push = DeliveredPush(
            event: read.event == .end ? .end : .update,
            timestamp: read.timestamp,
            body: body,
            priority: priority ?? 10,
            hasAlert: read.alert != nil,
            revision: read.content?.rev,
            channel: channel,
            expiration: nil,
            collapseID: nil,
            acceptedAt: world.wall
        )
        let alert = read.alert?.body
        if let channel {
            let now = world.wall.seconds
            for deliver in directory.publish(push, on: channel, until: now, now: now).values { deliver(push) }
            for phone in all where phone.channel == channel { count(alert, phone) }
        } else if let owner = owners[path], case .alive(_, let deliver)? = directory.entry(owner.token.bytes) {
            deliver(push)
            count(alert, owner.phone)
        }
    }

    private func count(_ alert: String?, _ phone: SimulatedPhone) {
        if let alert { phone.alerted[alert, default: 0] += 1 }
    }
}
