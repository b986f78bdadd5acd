// A whole Twenty20 in virtual time with the real dispatcher: nothing is repeated, throttled or left out.

import Foundation
import ScoreTypes
import Synchronization
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct TwentyOversTests {
    private static let match = MatchID(unchecked: "t20")

    /// The pushes to one phone or channel, in order.
    private struct Sent {
        let picture: UInt64
        let revision: Int64
        let alert: String?
        let priority: Int?
        let at: Duration

        init?(_ request: SimulatedRequest) {
            guard let top = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any],
                let aps = top["aps"] as? [String: Any], let state = aps["content-state"] as? [String: Any],
                let revision = state["rev"] as? Int, let picture = state["picture"] as? Int
            else { return nil }
            (self.picture, self.revision) = (UInt64(picture), Int64(revision))
            alert = (aps["alert"] as? [String: Any])?["body"] as? String
            (priority, at) = (request.priority, request.at)
        }
    }

    @Test("19: a full Twenty20 sends no state twice, and wickets and results at 10 within the phone's budget")
    func aFullMatchRepeatsNoState() async throws {
        let match = TwentyOvers()
        let setup = try Setup()
        let unchanged = try await setup.play(match)
        #expect(setup.sent.count == Setup.phones + 1, "each phone by its token, and one channel")
        #expect(unchanged == match.repeats)
        let alerts = match.publications.compactMap(\.alert)
        let corrections = match.publications.filter { $0.cause == .correction }
        for (recipient, pushes) in setup.sent {
            // The end is repeated silently to devices that may have missed it.
            let first = pushes.filter { $0.alert != nil || $0.revision < match.publications.count }
            #expect(first.allSatisfy { $0.alert == nil ? $0.priority == 5 : $0.priority == 10 }, "\(recipient)")
            #expect(pushes.compactMap(\.alert) == alerts, "each moment once, in order, \(recipient)")
            #expect(Self.repeatedStates(pushes, match) == [], "\(recipient)")
            #expect(Self.throttled(pushes) == 0, "\(recipient)")
            for correction in corrections {
                let wait = pushes.first { $0.picture == correction.picture }.map { $0.at - correction.at }
                #expect(wait ?? .seconds(3600) <= .seconds(2), "state \(correction.picture) for \(recipient)")
            }
        }
        #expect(setup.phonesAtTheEnd.allSatisfy { $0.isEnded && $0.wentBack == 0 })
        #expect(Set(setup.phonesAtTheEnd.map(\.shown)) == [Int64(match.publications.count)])
    }

    /// States that were sent a second time without an alert, a keep-alive or the repetition of an end.
    private static func repeatedStates(_ pushes: [Sent], _ match: TwentyOvers) -> [Int64] {
        zip(pushes, pushes.dropFirst()).compactMap { earlier, later in
            let origin = match.publications[Int(later.revision) - 1]
            guard earlier.picture == later.picture, later.alert == nil, origin.cause != .keepAlive,
                !origin.isFinal
            else { return nil }
            return later.revision
        }
    }

    /// Pushes of priority 10 that a phone with an hourly budget of twenty-five would not show.
    private static func throttled(_ pushes: [Sent]) -> Int {
        var spent: [Duration] = []
        var throttled = 0
        for push in pushes where push.priority == 10 {
            spent.removeAll { $0 <= push.at - .seconds(3600) }
            if spent.count >= 25 || spent.count(where: { $0 > push.at - .seconds(60) }) >= 6 { throttled += 1 }
            spent.append(push.at)
        }
        return throttled
    }

    /// A node, its phones and a channel, without faults.
    private final class Setup {
        static let phones = 12

        private let world = SimulatedWorld(seed: 20)
        private let phones: SimulatedPhones
        private let node: SimulatedNode
        private(set) var sent: [String: [Sent]] = [:]

        init() throws {
            let match = TwentyOversTests.match
            let (tokens, channels) = (SimulatedTokens(), MemoryChannels())
            phones = SimulatedPhones(world)
            try phones.add(Self.phones, of: match, tokens: tokens)
            let channel = try #require(phones.channel())
            try phones.start(phones.add(match, as: Fixture.device(1), channel: channel)) { _, _ in }
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
            let apple = SimulatedApple(world, .none, phones)
            node = try SimulatedNode(world, apple, tokens: tokens, channels: channels)
            apple.observer = { [unowned self] in self.observe($0) }
        }

        var phonesAtTheEnd: [SimulatedPhone] { phones.all }

        /// Simulates the match and an hour more; returns the number of publications dropped as unchanged.
        func play(_ match: TwentyOvers) async throws -> Int {
            for (index, planned) in match.publications.enumerated() {
                await pass(until: planned.at)
                await node.dispatcher.publish(publication(planned, Int64(index + 1)))
                await node.look()
            }
            await pass(until: world.elapsed + .seconds(3600))
            let unchanged = await node.dispatcher.status().matches.first?.unchanged
            await node.stop()
            return try #require(unchanged)
        }

        private func pass(until moment: Duration) async {
            while world.elapsed < moment {
                let grain: Duration =
                    switch await node.activity() {
                    case .busy: .milliseconds(250)
                    case .waiting: .seconds(1)
                    case .repeating, .resting: .seconds(20)
                    }
                world.advance(to: world.now + min(grain, moment - world.elapsed))
                await node.look()
            }
        }

        private func publication(_ planned: PlayedPublication, _ revision: Int64) -> PushPublication {
            PushPublication(
                match: match,
                revision: Revision(epoch: Fixture.epoch, number: revision),
                apnsTimestamp: world.wall.seconds,
                contentState: Fixture.contentState(revision, picture: planned.picture),
                stateHash: planned.picture,
                alertKey: planned.alert,
                alert: planned.alert.map { PushAlert(title: "Wicket!", body: $0) },
                priority: planned.alert == nil ? .five : .ten,
                isFinal: planned.isFinal,
                committedAt: world.wall,
                cause: planned.cause
            )
        }

        private func observe(_ request: SimulatedRequest) {
            guard let sent = Sent(request) else { return }
            self.sent[request.recipient, default: []].append(sent)
        }

        private var match: MatchID { TwentyOversTests.match }
    }
}
