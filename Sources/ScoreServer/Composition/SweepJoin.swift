// The sweep of silent activities: one function for the timer, the route and the command.

import FollowService
import Foundation
import Logging
import MatchJournal
import Postgres
import PushDispatcher
import ScoreTypes

/// Ends what has been silent for half an hour and deletes what is long over; one node does it for all, once a slot.
struct SweepJoin: StaleSweeping {
    static let kind = "stale-activities"
    /// How often the timer sweeps; domain time.
    static let interval = Duration.seconds(60)
    /// Real floor of that interval (PUBLICATION section 5).
    static let floor = Duration.seconds(10)
    /// Activities that one run of the timer ends at most.
    static let itemsMax = 10_000

    let silent: SilentActivities
    let finished: FinishedMatches
    let erased: ErasedDevices
    let ledger: SweepLedger
    let end: AudienceEnd
    let publisher: Publisher
    let membership: Membership
    let clock: ServiceClock
    let log = Logger(label: "score.sweep")

    func sweep(slot: String, maxItems: Int, isDryRun: Bool) async throws -> SweepSummary {
        guard await publisher.isRecovered else { throw SweepRefusal.notRecovered }
        // Whoever only looks needs no lease, and leaves the slot to those who sweep.
        if isDryRun { return try await look(slot: slot, maxItems: maxItems) }
        guard try await membership.acquire(lease: "sweep:\(Self.kind)") else { throw SweepRefusal.leaseHeld }
        let started = clock.monotonic
        let outcome = try await ledger.once(kind: Self.kind, slot: slot) {
            try await run(slot: slot, maxItems: maxItems, started: started).stored
        }
        switch outcome {
        case .ran(let json): return SweepSummary(json: json, slot: slot, isRepetition: false)
        case .repeated(let json): return SweepSummary(json: json, slot: slot, isRepetition: true)
        case .running: throw SweepRefusal.leaseHeld
        }
    }

    /// Sweeps until cancelled, a slot for each interval.
    func run() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: clock.real(Self.interval, floor: Self.floor))
            if Task.isCancelled { return }
            do {
                _ = try await sweep(slot: "timer-\(clock.wall.seconds)", maxItems: Self.itemsMax, isDryRun: false)
            } catch SweepRefusal.leaseHeld {
                // The other node sweeps the rows of all nodes; whom this one failed to reach only it knows.
                try? await endExceptions()
            } catch {
                log.warning("not swept", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Silence is domain time: half an hour of the match, whatever the clock's speed.
    private var silence: Duration { clock.real(SilentActivities.silenceMax, floor: .seconds(30)) }

    private func endExceptions() async throws {
        let found = try await silent.find(
            before: clock.wall + (.zero - silence),
            buckets: [],
            exceptions: await end.dispatcher.exceptions(silentFor: silence),
            limit: Self.itemsMax
        )
        await end.end(found.activities)
    }

    private func look(slot: String, maxItems: Int) async throws -> SweepSummary {
        let started = clock.monotonic
        let (silentCount, hasMore) = try await silent.count(
            before: clock.wall + (.zero - silence),
            buckets: Bucket.all,
            exceptions: await end.dispatcher.exceptions(silentFor: silence),
            limit: maxItems
        )
        let finishedCount = try await finished.count(limit: maxItems)
        var summary = SweepSummary(slot: slot, isDryRun: true)
        summary.scanned = silentCount + finishedCount
        summary.hasMore = hasMore || finishedCount >= maxItems
        summary.tookMilliseconds = (clock.monotonic - started).milliseconds
        return summary
    }

    private func run(slot: String, maxItems: Int, started: Duration) async throws -> SweepSummary {
        let found = try await silent.find(
            before: clock.wall + (.zero - silence),
            buckets: Bucket.all,
            exceptions: await end.dispatcher.exceptions(silentFor: silence),
            limit: maxItems
        )
        await end.end(found.activities)
        for channel in found.channels { await end.end(channel: channel) }
        let left = try await erased.endLeft()
        await end.end(left)
        let deleted = try await finished.clear(limit: maxItems) + erased.clear()
        var summary = SweepSummary(slot: slot)
        summary.scanned = found.activities.count + found.channels.count + left.count + deleted
        summary.changed = summary.scanned
        summary.hasMore = found.hasMore || deleted >= maxItems
        summary.tookMilliseconds = (clock.monotonic - started).milliseconds
        return summary
    }
}

extension SweepSummary {
    /// The stored form.
    fileprivate var stored: [UInt8] {
        JSONWriter.document { json in
            json.field("scanned", scanned)
            json.field("changed", changed)
            json.field("tookMs", tookMilliseconds)
            json.field("more", hasMore)
        }
    }

    fileprivate init(json: [UInt8], slot: String, isRepetition: Bool) {
        struct Stored: Decodable {
            let scanned: Int
            let changed: Int
            let tookMs: Int64
            let more: Bool
        }
        self.init(slot: slot)
        self.isRepetition = isRepetition
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(json)) else { return }
        scanned = stored.scanned
        changed = stored.changed
        tookMilliseconds = stored.tookMs
        hasMore = stored.more
    }
}
