// The report of a lane to the dispatcher: buckets and counts, never single pushes.

internal import ScoreTypes
internal import Synchronization

/// The events of all lanes since the dispatcher's last read.
struct LaneReport: Sendable {
    typealias Completion = (match: MatchID, environment: PushEnvironment, bucket: CompletedBucket)
    /// `isFinal`: it missed the match's end, and the lane does not retry.
    typealias Missed = (match: MatchID, environment: PushEnvironment, token: MissedToken, isFinal: Bool)

    var completions: [Completion] = []
    /// Buckets that were released because their tokens were not in memory.
    var lost: [MatchID: Set<Bucket>] = [:]
    /// Tokens that APNs rejected as bad, with the counts of their answers; not yet evaluated.
    var quarantines: [PushEnvironment: [RejectedToken]] = [:]
    var missed: [Missed] = []
    /// Devices that missed states and received one since; processed after `missed`.
    var caughtUp: [(match: MatchID, device: DeviceID)] = []
    /// Tokens that missed a state, including those beyond the bound of `missed`.
    var missedCount = 0
    var directed: [DirectedResult] = []
    /// Provider tokens that APNs rejected as expired.
    var refusals: [(environment: PushEnvironment, tokenVersion: Int)] = []
    /// Environments whose breaker opened, with the reason.
    var trips: [(environment: PushEnvironment, reason: APNsReason)] = []
    var counts: [PushEnvironment: LaneCounts] = [:]
}

/// The output of the lanes: a report that grows until the dispatcher takes it, and a signal.
final class LaneOutbox: Sendable {
    private let report = Mutex(LaneReport())
    private let gauges = Mutex<[Int: [PushEnvironment: LaneGauges]]>([:])
    private let signal: AsyncStream<Void>.Continuation
    /// One element stands for any number of additions.
    let signals: AsyncStream<Void>

    init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Adds events and signals the dispatcher, which takes the report soon.
    func add(_ body: (inout LaneReport) -> Void) {
        report.withLock { body(&$0) }
        signal.yield()
    }

    func take() -> LaneReport {
        report.withLock { report in
            defer { report = LaneReport() }
            return report
        }
    }

    func set(_ values: LaneGauges, of environment: PushEnvironment, lane: Int) {
        gauges.withLock { $0[lane, default: [:]][environment] = values }
    }

    func gauges(of environment: PushEnvironment) -> LaneGauges {
        gauges.withLock { all in all.values.compactMap { $0[environment] }.reduce(into: LaneGauges(), +=) }
    }
}
