// One connection to APNs with the state that Apple's rules require.

internal import HTTP2
internal import ScoreTypes

/// The answer to a request; the body is valid during the call only.
struct LinkResponse {
    let status: Int
    let body: UnsafeRawBufferPointer
    /// `Retry-After` in whole seconds; Apple documents none, but proxies and simulators send it.
    var retryAfter: Duration?
}

/// A connection of a pool; confined to the loop.
final class Link {
    let slot: Int
    private(set) var connection: (any LinkConnection)?
    /// Whether APNs has answered a request with a valid token; before that Apple allows one stream.
    private(set) var isWarm = false
    /// When the connection could first be used, in the time of the lane; nil before.
    private(set) var openedAt: Duration?
    private(set) var isRetired = false
    private(set) var timeouts = 0
    /// Open requests outside the fan-outs.
    private(set) var directedOpen = 0
    var hasOpened: Bool { openedAt != nil }
    // Strong until the connection closes, which always happens: a weak reference costs a lock for
    // each answer.
    private var pool: ConnectionPool?
    private var lane: EnvironmentLane?

    init(slot: Int, pool: ConnectionPool, lane: EnvironmentLane) {
        self.slot = slot
        self.pool = pool
        self.lane = lane
    }

    func open(_ configuration: ClientConfiguration, in context: any LaneRuntime) {
        connection = context.dial(configuration, for: self)
    }

    /// Requests that can be submitted now.
    var room: Int {
        guard !isRetired, let connection else { return 0 }
        let capacity = connection.capacity
        guard capacity > 0 else { return 0 }
        guard isWarm else { return connection.openStreams == 0 ? 1 : 0 }
        let limit = connection.peerStreamLimit
        guard limit > PushLimits.fullyUsedStreams else { return capacity }
        let share = limit / PushLimits.shareOfStreams.denominator * PushLimits.shareOfStreams.numerator
        return max(0, min(capacity, share - connection.openStreams))
    }

    /// Whether another request for a single device can be submitted.
    var hasRoomForDirected: Bool { directedOpen < PushLimits.directedPerConnection }

    func submittedDirected() { directedOpen += 1 }

    func settledDirected() { directedOpen -= 1 }

    /// Notes an answer that does not concern the provider token.
    func warm() {
        isWarm = true
        timeouts = 0
    }

    /// Notes a request without an answer; returns true if the connection is to be replaced.
    func timedOut() -> Bool {
        timeouts += 1
        return timeouts >= PushLimits.timeoutsInARow
    }

    /// Accepts no more requests; closes after the last answer, or at once if it is not open yet.
    func retire() {
        guard !isRetired else { return }
        isRetired = true
        pool?.retired(self)
        if hasOpened { connection?.drain() } else { connection?.close() }
    }

    func close() { connection?.close() }

    func answered(_ tag: UInt64, _ answer: LinkResponse) { lane?.linkAnswered(self, tag: tag, answer: answer) }
}

extension Link: ClientDelegate {
    func connectionDidOpen() {
        openedAt = pool?.opened(self)
        lane?.linkHasRoom()
    }

    func connectionHasCapacity() { lane?.linkHasRoom() }

    func connectionAnswered(
        _ tag: UInt64,
        status: Int,
        headers: borrowing ResponseHeaders,
        body: UnsafeRawBufferPointer
    ) {
        var answer = LinkResponse(status: status, body: body)
        if status != 200, let text = headers.text(of: "retry-after"), let seconds = Int64(text), seconds >= 0 {
            answer.retryAfter = .seconds(min(seconds, PushLimits.retryAfterSeconds))
        }
        answered(tag, answer)
    }

    func connectionFailed(_ tag: UInt64, _ failure: StreamFailure) {
        lane?.linkFailed(self, tag: tag, failure: failure)
    }

    func connectionDidClose(_ reason: ConnectionEnd) {
        connection = nil
        pool?.closed(self)
        lane?.linkClosed(self, reason: reason)
        (pool, lane) = (nil, nil)
    }
}
