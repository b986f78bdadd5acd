// Simulates a day in virtual time with the real dispatcher, kills it now and then, and checks what phones received.

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

    let seed: UInt64
    private let world: SimulatedWorld
    private let luck: SimulatedLuck
    private let phones = SimulatedPhones()
    private let tokens = SimulatedTokens()
    private let progress = MemoryProgress()
    private let channels = MemoryChannels()
    private let providerTokens = MemoryProviderTokens()
    private let key: SigningKey
    private let hasCrashes: Bool
    private var node: SimulatedNode?
    private var newest: [MatchID: PushPublication] = [:]
    private var revisions: [MatchID: Int64] = [:]
    private var tokenNumber = 0
    private(set) var crashes = 0
    /// Phones that showed an older state when nothing was left to send.
    private var forgotten: Set<DeviceID> = []
    /// Alerts that crashes may have doubled.
    private(set) var allowedDoubles = 0

    init(seed: UInt64, key: SigningKey) {
        self.seed = seed
        self.key = key
        world = SimulatedWorld(seed: seed)
        luck = SimulatedLuck(world)
        hasCrashes = world.roll(0.4)
    }

    func run() async throws {
        let matches = (1...world.number(2...5)).map { MatchID(unchecked: "m\($0)") }
        for match in matches { settle(match) }
        var plan = TournamentDay.draw(world, matches: matches)[...]
        try start()
        while world.elapsed < TournamentDay.length {
            await step(upTo: plan.first?.at)
            while let next = plan.first, next.at <= world.elapsed {
                plan.removeFirst()
                await publish(next)
            }
            try await disturb()
        }
        await node?.stop()
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

    private func publish(_ planned: PlannedPublication) async {
        let revision = (revisions[planned.match] ?? 0) + 1
        revisions[planned.match] = revision
        let now = world.wall
        let timestamp = max((newest[planned.match]?.apnsTimestamp ?? 0) + 1, now.seconds)
        let publication = PushPublication(
            match: planned.match,
            revision: Revision(epoch: Fixture.epoch, number: revision),
            apnsTimestamp: timestamp,
            contentState: Array("{\"v\":1,\"rev\":\(revision)}".utf8),
            stateHash: UInt64(revision),
            alertKey: planned.alert,
            alert: planned.alert.map { PushAlert(title: "Told", body: $0) },
            priority: planned.alert == nil ? .five : .ten,
            isFinal: planned.isFinal,
            committedAt: now,
            cause: planned.cause
        )
        newest[planned.match] = publication
        await node?.dispatcher.publish(publication)
        await node?.look()
    }

    /// Phones join and leave, stores fail, nodes die.
    private func disturb() async throws {
        let isBusy = node.map { $0.apple.inFlight > 0 } ?? false
        if isBusy, world.roll(0.02) { progress.state.withLock { $0.failuresLeft = 3 } }
        if world.roll(0.004) { come() }
        if world.roll(0.003), let index = phones.all.indices.randomElement(using: &world.chance) {
            change(index)
        }
        if hasCrashes, isBusy, world.roll(0.006) { try await crash() }
    }

    /// Gives a match its first followers and its channel.
    private func settle(_ match: MatchID) {
        for _ in 0..<world.number(4...16) { follow(match) }
        guard let channel = ChannelID("channel-of-\(match)") else { return }
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
        for _ in 0..<world.number(1...4) {
            let device = DeviceID(using: &world.chance)
            phones.add(SimulatedPhone(device: device, match: match, channel: channel))
        }
    }

    @discardableResult
    private func follow(_ match: MatchID) -> SimulatedPhone {
        let device = SimulatedTokens.device(using: &world.chance)
        let phone = SimulatedPhone(device: device, match: match, token: newToken())
        phones.add(phone)
        if let token = phone.token { tokens.put(device, 1, token, of: match) }
        return phone
    }

    private func newToken() -> PushToken {
        tokenNumber += 1
        return Fixture.token(tokenNumber)
    }

    /// A device follows a live match.
    private func come() {
        let open = newest.values.filter { !$0.isFinal }.map(\.match).sorted()
        guard let match = open.randomElement(using: &world.chance), let shown = newest[match] else { return }
        let phone = follow(match)
        phones.fetch(phones.all.count - 1, shown.revision.number, shown.apnsTimestamp)
        node?.dispatcher.late(
            LateToken(
                match: match,
                device: phone.device,
                generation: 1,
                environment: .production,
                knownRevision: shown.revision.number
            )
        )
    }

    /// A phone loses its token, replaced by another one or not.
    private func change(_ index: Int) {
        let phone = phones.all[index]
        guard phone.isAlive, phone.token != nil, newest[phone.match]?.isFinal != true else { return }
        guard world.roll(0.5) else { return phones.leave(index, at: world.wall) }
        let token = newToken()
        phones.rotate(index, to: token, at: world.wall)
        let generation = phones.all[index].generation
        tokens.put(phone.device, generation, token, of: phone.match)
        node?.dispatcher.late(
            LateToken(match: phone.match, device: phone.device, generation: generation, environment: .production)
        )
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
        for publication in newest.values.sorted(by: { $0.match < $1.match }) {
            await node?.dispatcher.publish(publication)
        }
        await node?.look()
    }

    // MARK: Checks

    /// Nothing is open and nothing waits: every phone must show the newest published state.
    private func checkNewestStates() {
        for phone in phones.all where phone.isAlive {
            guard let last = newest[phone.match], phone.shown < last.revision.number, !forgotten.contains(phone.device)
            else { continue }
            forgotten.insert(phone.device)
        }
    }

    /// The violations of the day; empty for a correct one.
    var complaints: [String] {
        var found: [String] = []
        var doubles = 0
        if !forgotten.isEmpty { found.append("\(forgotten.count) phones were forgotten for a while") }
        if phones.unreadable > 0 { found.append("\(phones.unreadable) payloads could not be read") }
        for phone in phones.all {
            let name = "a phone of \(phone.match) \(phone.channel == nil ? "by token" : "on the channel")"
            if phone.wentBack > 0 { found.append("\(name) went back \(phone.wentBack) times") }
            doubles += phone.alerted.values.reduce(0) { $0 + $1 - 1 }
            guard phone.isAlive, let last = newest[phone.match] else { continue }
            if phone.shown != last.revision.number || !phone.isEnded {
                found.append("\(name) ends at \(phone.shown) of \(last.revision.number), ended: \(phone.isEnded)")
            }
        }
        if doubles > allowedDoubles { found.append("\(doubles) alerts were sent twice, \(allowedDoubles) at most") }
        return found
    }

    var summary: String {
        let alerts = phones.all.reduce(0) { $0 + $1.alerted.values.reduce(0, +) }
        return "seed \(seed): \(newest.count) matches, \(phones.all.count) phones, "
            + "\(revisions.values.reduce(0, +)) publications, \(alerts) alerts shown, \(crashes) crashes"
    }
}
