// One size of an audience from the empty database to the deletion of a finished match.

import CLinux
import FollowService
import Foundation
import Postgres
import ScoreTypes

/// Measures one size.
struct AudienceRun: Sendable {
    /// Part of the activities whose token rotates before anything else is measured.
    private static let agedShare = 0.2
    /// Calls whose objects are in memory at once.
    private static let callsAtOnce = 250_000
    /// Calls of one kind that are measured together, at most a fifth of the devices.
    private static let bulkCalls = 200_000
    /// Single calls of one kind, and how many a second.
    private static let singles = (count: 5_000, perSecond: 1_000)
    /// Matches that end.
    private static let endedMatches = 10
    /// Connections of the pool, as a node has them.
    private static let connections = 8
    private static let series: UInt64 = 11

    /// The match of half of the devices.
    static let final = MatchID(unchecked: "audience-final")
    private static let next = MatchID(unchecked: "audience-next")

    let devices: Int
    let matches: Int
    let sink: BenchSink
    let say: @Sendable (String) -> Void

    private let clock = ServiceClock()

    /// Half of the phones follow the final, and the others one of the other matches each.
    private var followers: BenchFollowers {
        var followers = BenchFollowers(series: Self.series, startedAt: clock.wall)
        followers.matches = Self.matches(matches)
        return followers
    }

    /// The matches in the order in which phones follow them.
    static func matches(_ count: Int) -> [MatchID] {
        guard count > 1 else { return [final] }
        return (1..<count).flatMap { [final, MatchID(unchecked: "audience-\($0)")] }
    }

    private var bulk: Int { min(Self.bulkCalls, devices / 5) }

    func run(undoneBy teardown: Teardown) async throws -> [AudienceFigure] {
        var tally = AudienceTally(devices: devices)
        let cluster = try await AudienceCluster(undoneBy: teardown)
        try await fill(cluster.info, &tally)
        try await callPhones(cluster.info, &tally)
        try await readAll(cluster.info, &tally)
        tally.add("restartSeconds", "restart of PostgreSQL, s", try await cluster.restart().inSeconds, .less)
        try await crash(cluster, &tally)
        let takeover = AudienceTakeover(database: cluster.info, sink: sink, clock: clock)
        say("takeover of the final by two nodes")
        try await takeover.run(final: Self.final, tokens: try await tokensOfFinal(cluster.info), &tally)
        try await clear(cluster.info, &tally)
        return tally.figures
    }

    private func fill(_ database: ConnectionInfo, _ tally: inout AudienceTally) async throws {
        let meter = try await AudienceMeter(database)
        let (log, start) = (try await meter.logBytes(), ContinuousClock.now)
        _ = try await AudienceFill(followers: followers, devices: devices, database: database).run(reporting: say)
        tally.perSecond("filledPerSecond", "devices filled in bulk /s", devices, ContinuousClock.now - start)
        let vacuum = try await meter.vacuum()
        tally.perMillion("vacuumSeconds", "vacuum after the bulk load, s", vacuum.inSeconds, .less)
        let written = try await meter.logBytes() - log
        tally.perMillion("logMegabytes", "log of the bulk load, MB", Double(written) / 1e6, .less)
        let sizes = try await meter.sizes()
        tally.perMillion("tableMegabytes", "tables, MB", Double(sizes.tables) / 1e6, .less)
        tally.perMillion("indexMegabytes", "indexes, MB", Double(sizes.indexes) / 1e6, .less)
        try await meter.checkpoint()
        await meter.close()
    }

    private func callPhones(_ database: ConnectionInfo, _ tally: inout AudienceTally) async throws {
        let pool = Pool(database, size: Self.connections, name: "bench")
        let (activities, follows) = (Activities(pool: pool, clock: clock), Follows(pool: pool, clock: clock))
        let meter = try await AudienceMeter(database)
        let before = try await meter.sizes()
        let followers = followers

        let aged = Int(Double(devices) * Self.agedShare)
        say("\(aged) rotations")
        let log = try await meter.logBytes()
        let rotated = try await registerAll(aged, round: 2, of: followers, by: activities) { $0 * (devices / aged) }
        tally.perSecond("rotationsPerSecond", "rotations /s", aged, rotated)
        let written = try await meter.logBytes() - log
        tally.add("logBytesPerRotation", "log of a rotation, bytes", Double(written) / Double(aged), .less)
        let dead = try await meter.sizes().dead
        let vacuum = try await meter.vacuum()
        tally.perMillion("agedVacuumSeconds", "vacuum after rotations of a fifth, s", vacuum.inSeconds, .less)
        let after = try await meter.sizes()
        tally.add("deadRows", "dead rows before this vacuum", Double(dead), .fact)
        let bloat = Double(after.activity) / Double(before.activity)
        tally.add("activityGrowth", "size of activity after rotations and vacuum", bloat, .less)

        say("\(bulk) follows, registrations and unfollows")
        let settings = FollowSettings(match: Self.next)
        let followed = try await AudienceCalls.all(bulk) { number in
            let device = followers.identity(number).device
            guard case .stored = try await follows.put(settings, of: device, clientSequence: 2) else {
                throw MeasurementFailure("a follow was not stored")
            }
        }
        tally.perSecond("followsPerSecond", "follows /s", bulk, followed)
        var newcomers = followers
        newcomers.matches = [Self.next]
        let registered = try await registerAll(bulk, round: 1, of: newcomers, by: activities) { $0 }
        tally.perSecond("registrationsPerSecond", "registrations /s", bulk, registered)
        let removed = try await AudienceCalls.all(bulk) { number in
            let device = followers.identity(number).device
            guard case .stored = try await follows.remove(Self.next, of: device, clientSequence: 3) else {
                throw MeasurementFailure("an unfollow was not stored")
            }
        }
        tally.perSecond("unfollowsPerSecond", "unfollows /s", bulk, removed)

        try await meter.checkpoint()
        await meter.close()
        // The memory of the calls goes back now, and not while single calls are timed.
        malloc_trim(0)
        try await callSingly(activities, follows, &tally)
        await pool.close()
    }

    /// Times single calls of phones that have made none in bulk, the last ones.
    private func callSingly(
        _ activities: Activities,
        _ follows: Follows,
        _ tally: inout AudienceTally
    ) async throws {
        let (count, pace) = (min(Self.singles.count, devices / 20), Self.singles.perSecond)
        let (followers, devices) = (followers, devices)
        var newcomers = followers
        newcomers.matches = [Self.next]
        let single = { @Sendable (number: Int) in devices - 1 - number }
        say("single calls")
        let rotations = try await AudienceCalls.paced(count, perSecond: pace) { number in
            _ = try await activities.register(followers.registration(single(number), round: 3))
        }
        tally.times("singleRotation", "single rotation", rotations)
        let registrations = try await AudienceCalls.paced(count, perSecond: pace) { [newcomers] number in
            _ = try await activities.register(newcomers.registration(single(number), round: 1))
        }
        tally.times("singleRegistration", "single registration", registrations)
        let removals = try await AudienceCalls.paced(count, perSecond: pace) { number in
            let place = single(number)
            let (match, device) = (followers.match(of: place), followers.identity(place).device)
            _ = try await follows.remove(match, of: device, clientSequence: 9)
        }
        tally.times("singleUnfollow", "single unfollow", removals)
    }

    /// Registers the activities of phones, whose objects are made before the clock runs; how long that took.
    private func registerAll(
        _ count: Int,
        round: Int64,
        of followers: BenchFollowers,
        by activities: Activities,
        number: (Int) -> Int
    ) async throws -> Duration {
        var time = Duration.zero
        for start in stride(from: 0, to: count, by: Self.callsAtOnce) {
            let numbers = start..<min(count, start + Self.callsAtOnce)
            let calls = numbers.map { followers.registration(number($0), round: round) }
            time += try await AudienceCalls.all(calls.count) { number in
                guard case .registered = try await activities.register(calls[number]) else {
                    throw MeasurementFailure("an activity was not registered")
                }
            }
        }
        return time
    }

    private func readAll(_ database: ConnectionInfo, _ tally: inout AudienceTally) async throws {
        say("builds and sweeps")
        let pool = Pool(database, size: Self.connections, name: "bench")
        let index = ArenaIndex(info: database, pool: pool, clock: clock)
        let following = Task { await index.run() }
        let stores = FollowerStores(pool: pool, clock: clock, arenas: index)
        // The first build also waits for the connection that reads changes.
        try await index.own(Array(Bucket.all.prefix(1)))
        try await index.open(Self.final)
        let bucket = try await Self.time { try await index.own(Array(Bucket.all.prefix(2))) }
        tally.add("bucketBuildMilliseconds", "build of one bucket of the final, ms", bucket.inMilliseconds, .fact)
        try await index.own([])
        let all = try await Self.time { try await index.own(Bucket.all) }
        tally.microseconds("matchBuildMicroseconds", "build of the final", all, index.status.tokenCount)
        let bytes = Double(index.status.byteCount) / Double(max(1, index.status.tokenCount))
        tally.add("bytesPerToken", "memory of a token, bytes", bytes, .less)
        following.cancel()
        await following.value

        let cutoff = clock.wall - FollowLimits.silence
        let silent = try await Self.time {
            _ = try await stores.silent.find(before: cutoff, buckets: Bucket.all, limit: 1_000)
        }
        tally.add("silentSweepMilliseconds", "sweep of silent activities, ms", silent.inMilliseconds, .fact)
        let finished = try await Self.time {
            _ = try await stores.finished.countActivities(limit: 10_000)
            _ = try await stores.finished.countFollows(limit: 10_000)
        }
        tally.add("finishedSweepMilliseconds", "look for finished matches, ms", finished.inMilliseconds, .fact)
        let buckets = stores.idle.currentBuckets
        let idle = try await Self.time {
            _ = try await stores.idle.count(unusedFor: .seconds(86_400 * 30), in: buckets, limit: 500)
        }
        tally.microseconds(
            "idleSweepMicroseconds",
            "search for idle devices in \(buckets.count) buckets",
            idle,
            devices * buckets.count / Bucket.count
        )
        await pool.close()
    }

    private func crash(_ cluster: AudienceCluster, _ tally: inout AudienceTally) async throws {
        let meter = try await AudienceMeter(cluster.info)
        try await meter.checkpoint()
        let log = try await meter.logBytes()
        let pool = Pool(cluster.info, size: Self.connections, name: "bench")
        let activities = Activities(pool: pool, clock: clock)
        say("\(bulk) rotations, then the crash of PostgreSQL")
        _ = try await registerAll(bulk, round: 4, of: followers, by: activities) { $0 }
        let written = try await meter.logBytes() - log
        await meter.close()
        await pool.close()
        let recovery = try await cluster.crash()
        tally.add("crashSeconds", "crash and recovery of PostgreSQL, s", recovery.inSeconds, .fact)
        tally.add("crashLogMegabytes", "log since the checkpoint before it, MB", Double(written) / 1e6, .fact)
        let rate = recovery.inSeconds / (Double(written) / 1e9)
        tally.add("recoverySecondsPerGigabyte", "recovery of a GB of log, s", rate, .less)
    }

    private func tokensOfFinal(_ database: ConnectionInfo) async throws -> Int {
        let connection = try await Connection.open(database, name: "bench", statementTimeout: nil)
        let rows = try await connection.query(
            "select count(*) from activity where match_id = $1 and state = 1",
            [.text(Self.final.text)]
        ) { try $0.int(0) }
        await connection.close()
        return Int(rows.first ?? 0)
    }

    private func clear(_ database: ConnectionInfo, _ tally: inout AudienceTally) async throws {
        let ended = Array(Set(followers.matches).subtracting([Self.final]).sorted().prefix(Self.endedMatches))
        guard !ended.isEmpty else { return }
        say("deletion of \(ended.count) finished matches")
        let connection = try await Connection.open(database, name: "bench", statementTimeout: nil)
        _ = try await connection.execute(
            "update match set phase = 3, over_at = now() - interval '3 days' where match_id = any($1)",
            [.texts(ended.map(\.text))]
        )
        await connection.close()
        let pool = Pool(database, size: Self.connections, name: "bench")
        let index = ArenaIndex(info: database, pool: pool, clock: clock)
        let finished = FollowerStores(pool: pool, clock: clock, arenas: index).finished
        var count = 0
        let time = try await Self.time {
            count += try await finished.clearActivities(limit: .max)
            count += try await finished.clearFollows(limit: .max)
        }
        tally.microseconds("deletionMicroseconds", "deletion of finished matches", time, count)
        await pool.close()
    }

    private static func time(_ body: () async throws -> Void) async throws -> Duration {
        let start = ContinuousClock.now
        try await body()
        return ContinuousClock.now - start
    }
}
