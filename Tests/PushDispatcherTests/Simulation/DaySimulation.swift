// Simulates a day in virtual time, from a provider's replies to the phones, kills the node now and then, and checks the
// states on the screens.

import ScoreTypes
import Synchronization
import Testing

@testable import PushDispatcher

/// One day from one seed.
final class DaySimulation {
    /// Sends that a crash may repeat beside open requests: few, so that the bound is reached.
    private static let unrecordedMax = 8
    /// The time steps while requests are open, while something waits, and while nothing does.
    private static let grain: (busy: Duration, waiting: Duration, idle: Duration) = (
        .milliseconds(250), .seconds(1), .seconds(60)
    )
    /// The time before the first publication of a match at which its first followers start their activities.
    private static let opening: Duration = .seconds(120)
    /// The age at which an app renews its activity, which the system would end an hour later.
    private static let renewal: Duration = .seconds(7 * 3600)
    /// Registrations younger than this are sent again by the successor of a dead node.
    private static let recent: Duration = .seconds(30)

    let seed: UInt64
    private let world: SimulatedWorld
    private let luck: SimulatedLuck
    private let phones: SimulatedPhones
    private let tokens = SimulatedTokens()
    private let progress = MemoryProgress()
    private let channels = MemoryChannels()
    private let providerTokens: MemoryProviderTokens
    private let key: SigningKey
    private let hasCrashes: Bool
    private var node: SimulatedNode?
    private var published: [MatchID: PublishedStates] = [:]
    private var publications = 0
    /// The match that comes through a simulated feed; the others are drawn as publications.
    private var feedMatch: FeedMatch?
    /// Registrations with their times: a successor sends the recent ones again.
    private var registrations: [(at: Duration, late: LateToken)] = []
    /// The error of a phone that could not start its activity.
    private var failure: (any Error)?
    private(set) var crashes = 0
    /// Phones that showed an older state when nothing was left to send.
    private var forgotten: Set<DeviceID> = []
    /// Alerts that crashes may have doubled.
    private(set) var allowedDoubles = 0

    init(seed: UInt64, key: SigningKey) {
        self.seed = seed
        self.key = key
        world = SimulatedWorld(seed: seed)
        providerTokens = MemoryProviderTokens(clock: world.clock)
        luck = SimulatedLuck(world)
        phones = SimulatedPhones(world)
        hasCrashes = world.roll(0.4)
    }

    func run() async throws {
        let matches = (1...world.number(2...5)).map { MatchID(unchecked: "m\($0)") }
        var plan = try draw(matches)[...]
        for match in matches {
            guard let first = plan.first(where: { $0.publication.match == match }) else { continue }
            world.after(max(.zero, first.at - Self.opening)) { [weak self] in self?.settle(match) }
        }
        try start()
        while world.elapsed < TournamentDay.length {
            await step(upTo: plan.first?.at)
            while let next = plan.first, next.at <= world.elapsed {
                plan.removeFirst()
                publications += 1
                await publish(next.publication)
            }
            try await disturb()
        }
        await node?.stop()
    }

    /// All publications of the day by time.
    private func draw(_ matches: [MatchID]) throws -> [PlannedPublication] {
        let opensAt = world.wait(0...Int((TournamentDay.length - TournamentDay.quiet).milliseconds) / 2)
        let played = try FeedMatch(matches[0], opensAt: opensAt, in: world)
        feedMatch = played
        let plan = matches.dropFirst().reduce(into: played.plan) { $0 += TournamentDay.draw($1, in: world) }
        return plan.sorted { ($0.at, $0.publication.match) < ($1.at, $1.publication.match) }
    }

    // MARK: Time

    private func step(upTo next: Duration?) async {
        let target: Duration
        switch await node?.activity() {
        case .busy, nil: target = world.now + Self.grain.busy
        case .waiting: target = world.now + Self.grain.waiting
        case .repeating(let due): target = min(world.now + Self.grain.idle, max(world.now + Self.grain.busy, due))
        case .resting:
            target = world.now + Self.grain.idle
            checkNewestStates()
        }
        let due = next.map { world.now + ($0 - world.elapsed) } ?? target
        world.advance(to: max(world.now, min(target, due)))
        await node?.look()
    }

    // MARK: Events

    private func publish(_ publication: PushPublication) async {
        published[publication.match, default: PublishedStates(publication)].add(publication)
        await node?.dispatcher.publish(publication)
        await node?.look()
    }

    /// Phones join and leave, stores fail, nodes die.
    private func disturb() async throws {
        let isBusy = node.map { $0.apple.inFlight > 0 } ?? false
        if isBusy, world.roll(0.02) { progress.state.withLock { $0.failuresLeft = 3 } }
        if world.roll(0.004) { come() }
        if world.roll(0.003), let phone = phones.all.randomElement(using: &world.chance) { change(phone) }
        if hasCrashes, isBusy, world.roll(0.006) { try await crash() }
    }

    /// Gives a match its first followers and its channel.
    private func settle(_ match: MatchID) {
        for _ in 0..<world.number(4...16) { follow(match, as: SimulatedTokens.device(using: &world.chance)) }
        guard let channel = phones.channel() else { return }
        let record = ChannelRecord(
            match: match,
            environment: .production,
            attributesType: "LiveActivityAttributes",
            profile: .loud,
            generation: 1,
            channel: channel,
            createdAt: world.wall
        )
        channels.state.withLock { $0.records.append(record) }
        for _ in 0..<world.number(1...4) { follow(match, as: DeviceID(using: &world.chance), channel: channel) }
    }

    /// A device follows a live match.
    private func come() {
        let open = published.values.map(\.newest).filter { !$0.isFinal }.map(\.match).sorted()
        guard let match = open.randomElement(using: &world.chance) else { return }
        follow(match, as: SimulatedTokens.device(using: &world.chance))
    }

    /// A phone loses its token, replaced by another one or not.
    private func change(_ phone: SimulatedPhone) {
        guard phone.isAlive, phone.token != nil, published[phone.match]?.newest.isFinal != true else { return }
        guard world.roll(0.5) else { return phones.leave(phone) }
        begin(phone)
    }

    private func follow(_ match: MatchID, as device: DeviceID, channel: ChannelID? = nil) {
        begin(phones.add(match, as: device, channel: channel))
    }

    /// The app starts an activity with the newest state, and starts another one in time.
    private func begin(_ phone: SimulatedPhone) {
        do {
            let revision = published[phone.match]?.newest.revision.number ?? 0
            try phones.start(phone, at: revision) { [weak self] in self?.register($0, $1) }
        } catch {
            failure = error
        }
        let generation = phone.generation
        world.after(Self.renewal) { [weak self] in
            guard let self, phone.isAlive, phone.generation == generation else { return }
            if published[phone.match]?.newest.isFinal != true { begin(phone) }
        }
    }

    /// The app registers its activity with the server.
    private func register(_ phone: SimulatedPhone, _ token: PushToken) {
        tokens.put(phone.device, phone.generation, token, of: phone.match)
        let late = LateToken(
            match: phone.match,
            device: phone.device,
            generation: phone.generation,
            environment: .production,
            knownRevision: phone.shown
        )
        registrations.removeAll { $0.at < world.elapsed - Self.recent }
        registrations.append((world.elapsed, late))
        node?.dispatcher.late([late])
    }

    // MARK: Nodes

    private func start() throws {
        var configuration = DispatcherConfiguration(
            bundleID: "app.score",
            teamID: "TEAMTEAM01",
            keyID: "ABCDEFGHIJ",
            signingKey: key,
            environments: [.production: .apple(.production)]
        )
        configuration.unrecordedSendsMax = Self.unrecordedMax
        node = try SimulatedNode(
            configuration,
            world,
            SimulatedApple(world, luck, phones),
            tokens: tokens,
            progress: progress,
            channels: channels,
            providerTokens: providerTokens
        )
    }

    /// kill -9: open work is lost, and another node takes over seconds later.
    private func crash() async throws {
        guard let dead = node else { return }
        crashes += 1
        // Open requests, answered but unrecorded ones, and the rest of the current buckets.
        allowedDoubles += dead.apple.inFlight + Self.unrecordedMax + SimulatedTokens.buckets.count
        dead.apple.isNodeDead = true
        node = nil
        world.advance(to: world.now + world.wait(500...4_000))
        try start()
        for (match, states) in published.sorted(by: { $0.key < $1.key }) {
            // The new node reads the journal; the rows of drawn matches are not simulated.
            let head = feedMatch?.match == match ? feedMatch?.head(at: world.wall) : nil
            await publish(head ?? states.newest)
        }
        for registration in registrations where registration.at >= world.elapsed - Self.recent {
            node?.dispatcher.late([registration.late])
        }
        await node?.look()
    }

    // MARK: Checks

    /// Nothing is open and nothing waits: every phone must show the newest published state.
    private func checkNewestStates() {
        for phone in phones.behind({ published[$0]?.isRight($1) ?? true }) { forgotten.insert(phone.device) }
    }

    /// The violations of the day; empty for a correct one.
    var complaints: [String] {
        var found: [String] = []
        var doubles = 0
        if !forgotten.isEmpty { found.append("\(forgotten.count) phones were forgotten for a while") }
        found += feedMatch?.complaints ?? []
        if let failure { found.append("an activity was not started: \(failure)") }
        if phones.unreadable > 0 { found.append("\(phones.unreadable) payloads could not be read") }
        for phone in phones.all {
            let name = "a phone of \(phone.match) \(phone.channel == nil ? "by token" : "on the channel")"
            if phone.wentBack > 0 { found.append("\(name) went back \(phone.wentBack) times") }
            // Each delivery counts, also one that no person noticed.
            let twice = max(phone.alerted.values.reduce(0) { $0 + $1 - 1 }, phone.alertsTwice)
            doubles += max(0, twice - (published[phone.match]?.repeatedTexts ?? 0))
            guard phone.isAlive, let states = published[phone.match] else { continue }
            if !states.isRight(phone.shown) || !phone.isEnded {
                let last = states.newest.revision.number
                found.append("\(name) ends at \(phone.shown) of \(last), ended: \(phone.isEnded)")
            }
        }
        if doubles > allowedDoubles { found.append("\(doubles) alerts were sent twice, \(allowedDoubles) at most") }
        return found
    }

    var summary: String {
        let alerts = phones.all.reduce(0) { $0 + $1.alertsSounded }
        let outdated = phones.all.reduce(0) { $0 + $1.outdated }
        return "seed \(seed): \(published.count) matches, \(phones.all.count) phones, "
            + "\(publications) publications, \(alerts) alerts shown, \(outdated) pushes outdated, "
            + "\(crashes) crashes"
    }
}
