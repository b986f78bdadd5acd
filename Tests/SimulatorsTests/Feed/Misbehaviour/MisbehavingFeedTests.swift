// Late, wrong, rewritten, spoilt: what comes through any provider has to end at the scorecard of the file itself.

import Foundation
import MatchEngine
import ScoreIngest
import ScoreTypes
import Simulators
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(600))) struct MisbehavingFeedTests {
    /// One alert in so many may be confirmed and revoked later.
    static let revokedOneIn = 1_000
    /// What all schedules are drawn from; FEEDS_SEED asks for another.
    static let seed = ProcessInfo.processInfo.environment["FEEDS_SEED"].flatMap(UInt64.init) ?? 20_261_121

    /// Single matches, when FEEDS_IDS names some.
    static let ids = Set(
        (ProcessInfo.processInfo.environment["FEEDS_IDS"] ?? "").split(separator: ",").map(String.init)
    )

    static let faults = Set(FeedFault.allCases.filter(\.heals))

    @Test(
        .enabled(if: SpecialMatches.data != nil, SpecialMatches.missing),
        arguments: FeedShapes.all(key: "key").map(\.provider)
    )
    func everyMatchEndsRight(provider: Provider) throws {
        let matches = try SpecialMatches.read(ids: Self.ids)
        let tally = Tally()
        for (index, (id, document)) in matches.enumerated() {
            let seed = Self.seed &+ UInt64(index)
            do {
                let start = ContinuousClock.now
                defer { print("TIME \(provider) \(id) \(ContinuousClock.now - start)") }
                try Self.run(provider, id, document, seed: seed, tally)
            } catch {
                Issue.record("\(provider) \(id), seed \(seed): \(error)")
            }
        }
        print("\(provider.rawValue): \(matches.count) matches, seeds from \(Self.seed): \(tally.summary)")
        #expect(tally.revoked * Self.revokedOneIn <= max(tally.told, Self.revokedOneIn))
    }

    private static func run(
        _ provider: Provider,
        _ id: String,
        _ document: CricsheetDocument,
        seed: UInt64,
        _ tally: Tally
    ) throws {
        let shape = try #require(FeedShapes.shape(of: provider, key: "key"))
        var run = try FeedRun(
            try #require(Self.adapter(of: provider)),
            shape,
            credentials: ProviderCredentials(project: "project", key: Secret("key"), secret: Secret("key")),
            document: document,
            id: id,
            plan: FaultPlan(seed: seed, faults: faults)
        )
        run.follow()
        let place = "\(provider) \(id), seed \(seed)"
        let direct = try CricsheetAdapter().snapshot(of: document)
        let snapshot = try #require(run.snapshot, "\(place): nothing was ever read, \(run.counts)")
        let lines =
            provider == .cricketData
            ? TotalSheet(snapshot).differences(from: TotalSheet(direct))
            : ScoreSheet(snapshot).differences(from: ScoreSheet(direct))
        if !lines.isEmpty { Issue.record("\(place), \(run.counts): \(lines.prefix(6).joined(separator: "\n"))") }
        if !run.repeated.isEmpty { Issue.record("\(place): told twice: \(run.repeated.map(\.key))") }
        if !run.untold.isEmpty { Issue.record("\(place): never told: \(run.untold.map(\.key))") }
        for moment in run.revoked { print("revoked: \(place): \(moment.key) \(moment.title) \(moment.body)") }
        tally.add(run)
    }

    static func adapter(of provider: Provider) -> (any Adapter)? {
        switch provider {
        case .sportmonks: SportmonksAdapter()
        case .entitySport: EntitySportAdapter()
        case .cricketData: CricketDataAdapter()
        case .cricsheet: CricsheetAdapter()
        default: nil
        }
    }

    /// What all runs came to.
    private final class Tally: Sendable {
        private let state = Mutex((told: 0, revoked: 0, counts: [String: Int]()))

        var told: Int { state.withLock { $0.told } }
        var revoked: Int { state.withLock { $0.revoked } }

        func add(_ run: FeedRun) {
            state.withLock { state in
                state.told += run.told.count
                state.revoked += run.revoked.count
                state.counts.merge(run.counts) { $0 + $1 }
            }
        }

        var summary: String {
            state.withLock { state in
                let counts = state.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
                return "\(state.told) alerts told, \(state.revoked) revoked; polls: \(counts.joined(separator: ", "))"
            }
        }
    }
}

/// What a feed without balls can get right: totals and the result.
struct TotalSheet {
    let lines: [String]

    init(_ snapshot: MatchSnapshot) {
        var replica = MatchReplica()
        replica.apply(
            [.info(snapshot.info)] + snapshot.innings.map(Change.innings)
                + snapshot.deliveries.map(Change.inserted) + [.status(snapshot.status), .result(snapshot.result)]
        )
        let state = replica.state
        func team(_ side: Side) -> String { snapshot.info.team(side).name }
        var lines = state.innings.filter(\.hasBegun).map { card in
            "\(team(card.info.batting)) \(card.runs)/\(card.wickets) in \(card.overs.text)"
        }
        let result = state.result
        lines.append("\(result.map { "\($0.kind)" } ?? "open"), \(result?.winner.map(team) ?? "nobody")")
        self.lines = lines
    }

    func differences(from other: TotalSheet) -> [String] {
        lines.difference(from: other.lines).map { change in
            switch change {
            case .insert(_, let line, _): "now  \(line)"
            case .remove(_, let line, _): "was  \(line)"
            }
        }
    }
}
