// One connection to APNs with the state that Apple's rules require.

internal import HTTP2
internal import ScoreTypes

/// Receives the events of a pool's links, on the loop's thread.
protocol LinkOwner: AnyObject {
    func linkAnswered(_ link: Link, tag: UInt64, answer: LinkResponse)
    func linkFailed(_ link: Link, tag: UInt64, failure: StreamFailure)
    /// A batch of answers is complete, or streams became free.
    func linkHasRoom(_ link: Link)
    func linkClosed(_ link: Link, reason: ConnectionEnd)
}

/// The answer to a request; the body is valid during the call only.
struct LinkResponse {
    let status: Int
    let body: UnsafeRawBufferPointer
    /// `Retry-After` in whole seconds; Apple documents none, but proxies and simulators send it.
    var retryAfter: Duration?
}

extension LinkResponse {
    init(status: Int, headers: borrowing ResponseHeaders, body: UnsafeRawBufferPointer) {
        self.init(status: status, body: body)
        guard status != 200, let text = headers.text(of: "retry-after"), let seconds = Int64(text), seconds >= 0 else {
            return
        }
        retryAfter = .seconds(min(seconds, PushLimits.retryAfterSeconds))
    }
}

/// A connection of a pool; confined to the loop.
final class Link {
    let slot: Int
    private(set) var connection: (any LinkConnection)?
    /// Whether APNs has answered a request with a valid token; before that Apple allows one stream.
    private(set) var isWarm = false
    private(set) var hasOpened = false
    private(set) var isRetired = false
    private(set) var timeouts = 0
    // Strong until the connection closes, which always happens: a weak reference costs a lock for
    // each answer.
    private var pool: ConnectionPool?
    private var owner: (any LinkOwner)?

    init(slot: Int, pool: ConnectionPool, owner: any LinkOwner) {
        self.slot = slot
        self.pool = pool
        self.owner = owner
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

    /// Accepts no more requests; closes after the last answer.
    func retire() {
        guard !isRetired else { return }
        isRetired = true
        connection?.drain()
        pool?.retired(self)
    }

    func close() { connection?.close() }

    // MARK: What the wire reports

    func opened() {
        hasOpened = true
        pool?.opened(self)
        owner?.linkHasRoom(self)
    }

    func hasRoom() { owner?.linkHasRoom(self) }

    func answered(_ tag: UInt64, _ answer: LinkResponse) { owner?.linkAnswered(self, tag: tag, answer: answer) }

    func failed(_ tag: UInt64, _ failure: StreamFailure) { owner?.linkFailed(self, tag: tag, failure: failure) }

    func closed(_ reason: ConnectionEnd) {
        connection = nil
        pool?.closed(self, reason: reason)
        owner?.linkClosed(self, reason: reason)
        (pool, owner) = (nil, nil)
    }
}

extension Link: ClientDelegate {
    func connectionDidOpen(_ connection: ClientConnection) { opened() }

    func connectionHasCapacity(_ connection: ClientConnection) { hasRoom() }

    func connection(
        _ connection: ClientConnection,
        didAnswer tag: UInt64,
        status: Int,
        headers: borrowing ResponseHeaders,
        body: UnsafeRawBufferPointer
    ) {
        answered(tag, LinkResponse(status: status, headers: headers, body: body))
    }

    func connection(_ connection: ClientConnection, didFail tag: UInt64, with failure: StreamFailure) {
        failed(tag, failure)
    }

    func connectionDidClose(_ connection: ClientConnection, reason: ConnectionEnd) { closed(reason) }
}
