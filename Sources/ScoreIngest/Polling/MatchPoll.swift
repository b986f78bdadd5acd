// What a poller knows about its match between two requests, as a value without waits.

internal import MatchEngine
internal import ScoreTypes

/// The state of polling one match.
struct MatchPoll: Sendable {
    /// How often in a row a provider may not know a listed match before it is given up until the list is read again.
    static let goneMax = 10

    /// The tag of the last reply that was believed; nil makes the next reply a whole one.
    private(set) var etag: String?
    private(set) var phase: PollPhase
    private(set) var backoff = Backoff()
    private(set) var isDone = false
    private var bodySeen: BodyMark?
    private var endedAt: Duration?
    private var wasOverAtFirst = false
    private var isFirst = true
    private var gone = 0

    init(_ fixture: Fixture) { phase = fixture.status.map(PollPhase.init(of:)) ?? .before }

    /// Whether a body is byte for byte the last one that was believed.
    func hasSeen(_ body: [UInt8]) -> Bool { bodySeen == BodyMark(body) }

    /// Notes a reply that was handed over.
    mutating func handedOver(
        _ body: [UInt8],
        etag: String?,
        status: MatchStatus,
        acceptance: Acceptance,
        domain now: Duration
    ) {
        switch acceptance {
        case .applied, .unchanged:
            self.etag = etag
            bodySeen = BodyMark(body)
            note(PollPhase(of: status), now)
        // What is doubted has to come whole again, or it could never be seen a second time.
        case .held, .dropped: forget()
        }
        answered()
    }

    /// Notes that the provider answered without a new body.
    mutating func answered() {
        backoff.succeeded()
        gone = 0
    }

    /// Notes a failure; returns the real time to wait.
    mutating func failed(_ failure: FetchFailure?, clock: ServiceClock, jitter: Double) -> Duration {
        gone = failure?.isGone == true ? gone + 1 : 0
        if gone >= Self.goneMax { isDone = true }
        return backoff.failed(retryAfter: failure?.retryAfter, clock: clock, jitter: jitter)
    }

    /// Makes the next reply a whole one.
    mutating func forget() {
        etag = nil
        bodySeen = nil
    }

    /// Real time until the next request; notes when none is needed any more.
    mutating func wait(_ cadence: Cadence, clock: ServiceClock, jitter: Double) -> Duration {
        let endedFor = endedAt.map { clock.domain - $0 }
        let wait = cadence.wait(
            in: phase,
            endedFor: endedFor,
            wasOverAtFirst: wasOverAtFirst,
            clock: clock,
            jitter: jitter
        )
        if wait == nil { isDone = true }
        return wait ?? .zero
    }

    private mutating func note(_ phase: PollPhase, _ now: Duration) {
        if isFirst { wasOverAtFirst = phase == .over }
        isFirst = false
        self.phase = phase
        if phase != .over {
            endedAt = nil
            wasOverAtFirst = false
        } else if endedAt == nil {
            endedAt = now
        }
    }

    /// Tells bodies apart without keeping them.
    private struct BodyMark: Hashable {
        let count: Int
        let hash: Int

        init(_ body: [UInt8]) {
            count = body.count
            var hasher = Hasher()
            body.withUnsafeBytes { hasher.combine(bytes: $0) }
            hash = hasher.finalize()
        }
    }
}
