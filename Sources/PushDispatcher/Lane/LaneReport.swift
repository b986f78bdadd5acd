// What a lane tells the dispatcher: never a push, only buckets, refusals and counts.

internal import ScoreTypes
internal import Synchronization

/// What happened on the lanes since the dispatcher looked last.
struct LaneReport: Sendable {
    /// Recent rejections kept between two looks; the ring that operators see is not longer.
    static let recentMax = 64
    /// Missed tokens kept between two looks; more than that is only counted.
    static let missedMax = 20_000

    struct Completion: Sendable {
        let match: MatchID
        let environment: PushEnvironment
        let bucket: CompletedBucket
    }

    struct Missed: Sendable {
        let match: MatchID
        let environment: PushEnvironment
        let token: MissedToken
        /// Whether it missed the match's end, and the lane tries nothing more.
        let isFinal: Bool
    }

    struct Refusal: Sendable {
        let environment: PushEnvironment
        let tokenVersion: Int
    }

    var completions: [Completion] = []
    /// Buckets that were given up, because their tokens were gone.
    var lost: [MatchID: Set<Bucket>] = [:]
    var rejections: [RejectedToken] = []
    /// Tokens that were called bad, not yet believed; they come with the tally of their answers.
    var quarantines: [PushEnvironment: [RejectedToken]] = [:]
    var recent: [RecentRejection] = []
    var missed: [Missed] = []
    /// Devices that missed states and got one since; told after the misses, of which there may be an older one.
    var caughtUp: [(match: MatchID, device: DeviceID)] = []
    /// How many missed a state, also of those beyond the bound.
    var missedCount = 0
    var directed: [DirectedResult] = []
    /// Provider tokens that APNs called expired.
    var refusals: [Refusal] = []
    /// Environments whose breaker opened, with what opened it.
    var trips: [(environment: PushEnvironment, reason: APNsReason)] = []
    var tallies: [PushEnvironment: Tally] = [:]
}

/// The way out of a lane: a report that grows until the dispatcher takes it, and a signal that there is one.
final class LaneOutbox: Sendable {
    private let report = Mutex(LaneReport())
    private let gauges = Mutex<[Int: [PushEnvironment: LaneGauges]]>([:])
    private let signal: AsyncStream<Void>.Continuation
    /// One element stands for any number of reports.
    let signals: AsyncStream<Void>

    init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Whatever was added is taken soon: a count that nobody was told of would lie until the next bucket is complete.
    func add(_ body: (inout LaneReport) -> Void) {
        report.withLock { body(&$0) }
        signal.yield()
    }

    func take() -> LaneReport {
        report.withLock { report in
            let taken = report
            report = LaneReport()
            return taken
        }
    }

    func set(_ values: LaneGauges, of environment: PushEnvironment, lane: Int) {
        gauges.withLock { $0[lane, default: [:]][environment] = values }
    }

    func gauges(of environment: PushEnvironment) -> LaneGauges {
        gauges.withLock { all in all.values.compactMap { $0[environment] }.reduce(LaneGauges(), +) }
    }

    func finish() { signal.finish() }
}

/// How one environment of a lane stands right now.
struct LaneGauges: Sendable, Hashable {
    var connections = 0
    var connectionsOpen = 0
    var streamsInUse = 0
    var streamsAllowed = 0
    var directedWaiting = 0
    var fanoutsWalking = 0
    var bucketsUnderWay = 0
    var bucketsRemaining = 0
    var retriesWaiting = 0
    var breakersOpen = 0

    static func + (left: LaneGauges, right: LaneGauges) -> LaneGauges {
        LaneGauges(
            connections: left.connections + right.connections,
            connectionsOpen: left.connectionsOpen + right.connectionsOpen,
            streamsInUse: left.streamsInUse + right.streamsInUse,
            streamsAllowed: left.streamsAllowed + right.streamsAllowed,
            directedWaiting: left.directedWaiting + right.directedWaiting,
            fanoutsWalking: left.fanoutsWalking + right.fanoutsWalking,
            bucketsUnderWay: left.bucketsUnderWay + right.bucketsUnderWay,
            bucketsRemaining: left.bucketsRemaining + right.bucketsRemaining,
            retriesWaiting: left.retriesWaiting + right.retriesWaiting,
            breakersOpen: left.breakersOpen + right.breakersOpen
        )
    }
}
