// The phones and readers of one round of a soak live as long as its matches.

import CurlTransfer
import ScoreTypes
import Simulators
import Synchronization

/// The feed, the phones and the streams of a round.
final class SoakRound: Sendable {
    /// The part of the phones that has each fault, and the part whose persons keep the app open.
    private static let shares = (faults: 0.1, open: 0.1)

    let feed: SoakFeed
    private let fleets: [PhoneFleet]
    private let watchers: [StreamWatcher]
    private let server: ServeProcess
    private let bed: Testbed
    private let counts: SoakCounts
    private let work = Mutex<[Task<Void, Never>]>([])

    init(
        _ number: Int,
        _ options: SoakCommand,
        server: ServeProcess,
        bed: Testbed,
        clock: ServiceClock,
        counts: SoakCounts
    ) throws {
        let plan = FaultPlan(seed: options.seed &+ UInt64(number), faults: try FeedFault.list("random"))
        let feed = try SoakFeed(round: number, matches: options.matches, plan: plan, clock: clock)
        let phones = PhoneServer(host: Testbed.host, port: server.publicPort, driver: bed.driver)
        (self.feed, self.server, self.bed, self.counts) = (feed, server, bed, counts)
        fleets = feed.matches.enumerated().map { place, match in
            let plan = PhoneFleetPlan(
                count: options.followers,
                channelShare: 0.5,
                faultShare: Self.shares.faults,
                openShare: Self.shares.open,
                seed: options.seed &+ UInt64(number * LabLimits.soakMatches + place)
            )
            return PhoneFleet(plan, match: match, server: phones, network: bed.apns, clock: clock)
        }
        watchers = feed.matches.map { match in
            StreamWatcher(server: phones, match: match) { _ in counts.note { $0.streamStates += 1 } }
        }
    }

    /// Starts everything; no ball is bowled yet.
    func start(at feedPort: Int) {
        let tasks =
            [Task { [feed] in _ = try? await feed.serve(at: feedPort) }]
            + fleets.map { fleet in Task { await fleet.run() } }
            + watchers.map { watcher in Task { await watcher.run() } }
            + feed.matches.map { match in Task { await self.openStreams(of: match) } }
        work.withLock { $0 = tasks }
    }

    /// Lets the phones register and follow, and the matches begin.
    func begin() async throws {
        for fleet in fleets { try await fleet.enroll() }
        feed.feed.open()
        for fleet in fleets { fleet.beginMatch() }
        counts.note {
            $0.matches += feed.matches.count
            $0.phones += fleets.reduce(0) { $0 + $1.report(newest: 0).phones }
        }
    }

    /// Lets all persons open the app, those of all matches at the same time.
    ///
    /// - Throws: `CancellationError` when cancelled.
    func openApps() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for fleet in fleets { group.addTask { try await fleet.openApps() } }
            try await group.waitForAll()
        }
    }

    /// Ends everything and adds its counts.
    func stop() async {
        let tasks = work.withLock { $0 }
        for task in tasks { task.cancel() }
        // The next round serves at the same address.
        for task in tasks { await task.value }
        counts.note { counts in
            if feed.feed.isFinished { counts.rounds += 1 }
            for report in watchers.map(\.report) { counts.wentBack += report.wentBack }
            for report in fleets.map({ $0.report(newest: 0) }) {
                counts.wentBack += report.wentBack
                counts.undecodable += report.undecodable
            }
        }
    }

    /// Opens streams of a match, and leaves each after a moment, until cancelled.
    private func openStreams(of match: MatchID) async {
        let url = "http://\(Testbed.host):\(server.publicPort)/v1/matches/\(match)/stream"
        while !Task.isCancelled {
            let transfer = Transfer(url: url, deadline: LabLimits.soakStream, security: .local([Testbed.host]))
            let start = ContinuousClock.now
            let isServed: Bool
            do throws(TransferError) { isServed = try await bed.driver.perform(transfer).status == 200 } catch {
                // Its deadline ends it: a stream of a match in play has no other end.
                isServed = error == .deadline
            }
            if Task.isCancelled { return }
            counts.note {
                $0.streams += 1
                $0.refusedStreams += isServed ? 0 : 1
            }
            let rest = LabLimits.soakStream - (ContinuousClock.now - start)
            if rest > .zero { try? await Task.sleep(for: rest) }
        }
    }
}
