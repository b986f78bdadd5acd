// Phones with their threads and processes, over the directory of APNs and over its real connections.

import LiveSurface
import ScoreClient
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import Simulators

/// One phone, the directory of APNs and a clock that the test moves.
private struct PhoneRig {
    let time = ManualClock(wallAtZero: Instant(milliseconds: PhoneStateRig.wall * 1000))
    let directory = PushDirectory(channelsMax: 100)
    let environment: PhoneEnvironment
    let signals = SignalLog()

    init() {
        environment = PhoneEnvironment(directory: directory, clock: time.clock(), attributesType: PhoneStateRig.type)
    }

    func phone(_ release: IOSRelease = .ios18, number: Int = 1) -> SimulatedPhoneSystem {
        SimulatedPhoneSystem(
            number: number,
            release: release,
            seed: UInt64(number),
            environment: environment,
            app: { [signals] process, signal in signals.take(process, signal) }
        )
    }

    func advance(_ span: Duration) {
        time.advance(by: span)
        environment.schedule.fireDue()
    }

    /// Sends to a token as the gateway does after it has accepted a push.
    func send(_ body: String, to token: PushToken?, priority: Int = 10) {
        guard let token, case .alive(_, let deliver)? = directory.entry(token.bytes) else { return }
        deliver(PhoneStateRig.delivered(body, priority: priority, expiration: seconds + 3_600))
    }

    func broadcast(_ body: String, on channel: ChannelID, until expiration: Int64 = 0) {
        let push = PhoneStateRig.delivered(body, channel: channel, expiration: expiration)
        let phones = directory.publish(push, on: channel, until: expiration, now: seconds)
        for deliver in phones.values { deliver(push) }
    }

    var seconds: Int64 { time.now.seconds }
}

/// The calls to an app's process.
private final class SignalLog: Sendable {
    private let kept = Mutex<[(process: Int, signal: AppSignal)]>([])
    func take(_ process: AppProcess, _ signal: AppSignal) { kept.withLock { $0.append((process.number, signal)) } }
    var all: [AppSignal] { kept.withLock { $0.map(\.signal) } }
    var processes: [Int] { kept.withLock { $0.map(\.process) } }
}

@Suite(.timeLimit(.minutes(1)))
struct SimulatedPhoneSystemTests {
    /// The first event of a stream that a rule selects.
    private static func first<T>(_ stream: AsyncStream<ActivityEvent>, _ select: (ActivityEvent) -> T?) async -> T? {
        for await event in stream { if let found = select(event) { return found } }
        return nil
    }

    private static func startToken(_ process: AppProcess) async -> PushToken? {
        let hex = await first(process.events()) { if case .pushToStartToken(let hex) = $0 { hex } else { nil } }
        return hex.flatMap { PushToken(hex: $0) }
    }

    @Test func theAppSeesAnActivityOnItsChannelAsActivityKitShowsIt() async throws {
        let rig = PhoneRig()
        let phone = rig.phone()
        let channel = try #require(rig.directory.create(policy: 0))
        phone.openApp()
        rig.advance(.seconds(3))
        let process = try #require(phone.process)
        let token = await Self.startToken(process)
        let events = process.events()
        rig.send(PushBody.start(match: "m1", rev: 1, timestamp: rig.seconds, channel: channel.text), to: token)
        let started = await Self.first(events) { if case .started(let activity) = $0 { activity } else { nil } }
        #expect(started?.channelID == nil && started?.token == nil && started?.matchID == "m1")
        #expect(phone.cards.map(\.isOnChannel) == [true])
        rig.broadcast(PushBody.update(rev: 2, timestamp: rig.seconds), on: channel)
        let shown = await Self.first(process.events()) { if case .allowed = $0 { true } else { nil } }
        #expect(shown == true)
        #expect(await process.activities().map(\.revision) == [2])
        #expect(phone.report.channelActivities == 1)
        phone.switchOff()
    }

    @Test(arguments: [(0, [1]), (1, [5])] as [(Int, [Int64])])
    func aLateJoinerGetsTheNewestMessageByPolicy(policy: Int, revisions: [Int64]) async throws {
        let rig = PhoneRig()
        let phone = rig.phone()
        let channel = try #require(rig.directory.create(policy: policy))
        rig.broadcast(
            PushBody.update(rev: 5, timestamp: rig.seconds),
            on: channel,
            until: policy == 0 ? 0 : rig.seconds + 3_600
        )
        phone.openApp()
        var start = try AppStart.sample()
        start.channelID = channel.text
        let process = try #require(phone.process)
        _ = try await process.start(start)
        #expect(phone.cards.map(\.revision) == revisions)
        phone.switchOff()
    }

    @Test(arguments: [(0, [1]), (1, [5])] as [(Int, [Int64])])
    func aPhoneThatMissedBroadcastsGetsTheNewestByPolicy(policy: Int, revisions: [Int64]) async throws {
        let rig = PhoneRig()
        let phone = rig.phone()
        let channel = try #require(rig.directory.create(policy: policy))
        phone.openApp()
        var start = try AppStart.sample()
        start.channelID = channel.text
        let process = try #require(phone.process)
        _ = try await process.start(start)
        phone.setNetwork(isOn: false)
        for revision in 4...5 {
            rig.broadcast(
                PushBody.update(rev: Int64(revision), timestamp: rig.seconds + Int64(revision)),
                on: channel,
                until: policy == 0 ? 0 : rig.seconds + 3_600
            )
        }
        #expect(phone.cards.map(\.revision) == [1])
        phone.setNetwork(isOn: true)
        #expect(phone.cards.map(\.revision) == revisions)
        phone.switchOff()
    }

    @Test func aPushThatCameWhileThePhoneWasUnreachableIsDelivered() async throws {
        let rig = PhoneRig()
        let phone = rig.phone()
        phone.openApp()
        rig.advance(.seconds(3))
        let process = try #require(phone.process)
        let token = await Self.startToken(process)
        phone.setNetwork(isOn: false)
        rig.send(PushBody.start(match: "m1", rev: 1, timestamp: rig.seconds), to: token)
        #expect(phone.cards.isEmpty && !process.reachesNetwork)
        phone.setNetwork(isOn: true)
        #expect(phone.cards.map(\.matchID) == ["m1"])
        phone.switchOff()
    }

    @Test func aProcessEndsWithItsStreams() async throws {
        let rig = PhoneRig()
        let phone = rig.phone()
        phone.openApp()
        let first = try #require(phone.process)
        let events = first.events()
        phone.killApp()
        for await _ in events {}
        #expect(phone.host == nil && !first.isRunning)
        #expect(await first.activities().isEmpty)
        await #expect(throws: ActivityStartError.unsupported) { _ = try await first.start(try AppStart.sample()) }
        phone.openApp()
        #expect(phone.process?.number == 2 && rig.signals.processes.last == 2)
        phone.switchOff()
        #expect(rig.signals.all.last == .ended)
    }

    @Test func theClockOfASuspendedProcessStandsStill() async throws {
        let rig = PhoneRig()
        let phone = rig.phone()
        phone.openApp()
        phone.leaveApp()
        let process = try #require(phone.process)
        rig.advance(SimulatorLimits.backgroundTime)
        #expect(!process.isRunning)
        let clock = process.clock
        let due = clock.now.uptime + .seconds(40)
        let wait = Task {
            try await clock.wait(until: due)
            #expect(process.isRunning)
        }
        rig.advance(.seconds(50))
        phone.openApp()
        try await wait.value
        phone.switchOff()
    }

    @Test func aCancelledWaitThrows() async throws {
        let rig = PhoneRig()
        let phone = rig.phone()
        phone.openApp()
        let clock = try #require(phone.process).clock
        let wait = Task { try await clock.wait(until: .seconds(1_000)) }
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        phone.switchOff()
    }

    @Test func manyPhonesShareOneSchedule() async throws {
        let rig = PhoneRig()
        let channel = try #require(rig.directory.create(policy: 0))
        let phones = (1...2_000).map { rig.phone(number: $0) }
        for phone in phones { phone.openApp() }
        rig.advance(.seconds(3))
        let begun = ContinuousClock.now
        let start = PushBody.start(match: "m1", rev: 1, timestamp: rig.seconds, channel: channel.text)
        for phone in phones {
            let process = try #require(phone.process)
            rig.send(start, to: await Self.startToken(process))
        }
        #expect(phones.allSatisfy { $0.cards.count == 1 })
        for revision in 2...101 {
            rig.broadcast(PushBody.update(rev: Int64(revision), timestamp: rig.seconds), on: channel)
            rig.advance(.seconds(30))
        }
        let spent = ContinuousClock.now - begun
        print("2,000 phones, one start and 100 broadcasts: \(spent)")
        #expect(phones.allSatisfy { $0.cards.map(\.revision) == [101] })
        for phone in phones { phone.switchOff() }
    }

    @Test func aPushOverTheRealConnectionReachesThePhone() async throws {
        let rig = try await AppleRig()
        let jwt = rig.jwt()
        let channel = try await rig.createChannel(policy: 1, jwt: jwt)
        let environment = PhoneEnvironment(
            network: rig.simulator,
            clock: rig.time.clock(),
            attributesType: PhoneStateRig.type
        )
        let phone = SimulatedPhoneSystem(number: 1, release: .ios18, seed: 1, environment: environment) { _, _ in }
        phone.openApp()
        rig.time.advance(by: .seconds(3))
        environment.schedule.fireDue()
        let process = try #require(phone.process)
        let token = try #require(await Self.startToken(process))
        let start = PushBody.start(match: "m1", rev: 1, timestamp: AppleRig.now, channel: channel.text)
        #expect(await rig.post.send(rig.push(to: token, jwt: jwt, body: start)).status == 200)
        #expect(phone.cards.map(\.isOnChannel) == [true])
        phone.setNetwork(isOn: false)
        let update = PushBody.update(rev: 2, timestamp: AppleRig.now + 1)
        let request = rig.broadcast(on: channel.text, jwt: jwt, body: update)
        #expect(await rig.post.send(request.with("apns-expiration", "1780000900")).status == 200)
        #expect(phone.cards.map(\.revision) == [1])
        phone.setNetwork(isOn: true)
        #expect(phone.cards.map(\.revision) == [2])
        phone.switchOff()
        await rig.stop()
    }
}
