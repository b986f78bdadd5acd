// Decides from the events of a connection when it must end; the handler acts.

import NIOCore

/// An event on a connection.
enum ConnectionEvent: Sendable, Hashable {
    /// Bytes arrived; after the parts of requests in them.
    case bytes
    case requestHead
    case requestEnd
    /// The head of an answer is written; `isLast` when the answer closes the connection.
    case responseHead(isLast: Bool)
    case responseBytes(Int)
    case responseEnd
    /// The server wrote its last byte.
    case outputClosed
    /// Bytes of a refused body arrived after the last answer.
    case discarded(Int)
    /// Time passed; so many written bytes have not reached the kernel.
    case check(unsent: Int)
    /// The listener shuts down.
    case drain
}

/// An action of the handler of a connection.
enum ConnectionAction: Sendable, Hashable {
    /// Adds `Connection: close` to the head of the answer.
    case announceEnd
    /// Sends what is written, closes the sending side and reads on for a short time.
    ///
    /// A socket that is closed with unread bytes resets the connection, which may destroy the answer on its way
    /// (RFC 9112, section 9.6).
    case finish(ClosingReason)
    /// Closes the connection.
    case close(ClosingReason)
}

/// The state of one connection.
struct ConnectionState: Sendable {
    /// The part of a request that is expected.
    private enum Reading: Sendable { case nothing, head, body }

    private let limits: ConnectionLimits
    private var reading = Reading.head
    private var readingSince: NIODeadline
    private var unanswered = 0
    private var requests = 0
    /// The reason why the connection ends after the answer in progress.
    private var last: ClosingReason?
    private(set) var isClosing = false
    /// Whether an answer has a head and no end.
    private(set) var isAnswering = false
    private var lingerSince: NIODeadline?
    private var discarded = 0
    private var drainingSince: NIODeadline?
    private var written = 0
    /// Bytes that had reached the kernel when `sentSince` was set.
    private var sent = 0
    /// The last time at which the client had read enough; nil while nothing waits for it.
    private var sentSince: NIODeadline?

    /// The state of a new connection, whose first request is expected at once.
    init(_ limits: ConnectionLimits, at now: NIODeadline) {
        self.limits = limits
        readingSince = now
    }

    /// Whether something was written that may not have reached the kernel.
    var mayHaveUnsent: Bool { written != sent }

    /// Takes in an event; nil when nothing is to be done.
    mutating func handle(_ event: ConnectionEvent, at now: NIODeadline) -> ConnectionAction? {
        switch event {
        case .bytes:
            if reading == .nothing && unanswered == 0 { expect(.head, now) }
        case .requestHead:
            requests += 1
            unanswered += 1
            expect(.body, now)
            if unanswered > limits.pipelined { return .close(.pipelining) }
        case .requestEnd: expect(.nothing, now)
        case .responseHead(let isLast): return began(isLast: isLast)
        case .responseBytes(let count): written += count
        case .responseEnd: return ended(now)
        case .outputClosed: isClosing = true
        case .discarded(let count):
            discarded += count
            if discarded > limits.lingerBytes { return .close(last ?? .client) }
        case .check(let unsent): return check(unsent, now)
        case .drain:
            drainingSince = drainingSince ?? now
            last = last ?? .shutdown
            guard unanswered == 0, !isClosing else { return nil }
            isClosing = true
            return mayHaveUnsent ? .finish(.shutdown) : .close(.shutdown)
        }
        return nil
    }

    private mutating func expect(_ part: Reading, _ now: NIODeadline) {
        reading = part
        readingSince = now
    }

    private mutating func began(isLast: Bool) -> ConnectionAction? {
        // An answer before the end of the request refuses the rest of its body.
        if isLast || reading == .body { last = last ?? .rejected }
        if requests - unanswered + 1 >= limits.requests { last = last ?? .requests }
        // A head without a body counts as one byte, so that an unread one is noticed.
        written += 1
        isAnswering = true
        return last == nil ? nil : .announceEnd
    }

    private mutating func ended(_ now: NIODeadline) -> ConnectionAction? {
        unanswered -= 1
        isAnswering = false
        if let last, !isClosing {
            isClosing = true
            return .finish(last)
        }
        // The time of the handler does not count as the client's.
        if unanswered == 0 && reading != .body { readingSince = now }
        return nil
    }

    private mutating func check(_ unsent: Int, _ now: NIODeadline) -> ConnectionAction? {
        if let drainingSince, now - drainingSince >= limits.drain { return .close(.shutdown) }
        if isStalled(unsent, now) { return .close(.output) }
        if isClosing { return unsent == 0 ? linger(now) : nil }
        let age = now - readingSince
        switch reading {
        case .head where unanswered == 0 && age >= limits.head: return .close(.head)
        case .body where age >= limits.body: return .close(.body)
        case .nothing where unanswered == 0 && unsent == 0 && age >= limits.idle: return .close(.idle)
        case .nothing, .head, .body: return nil
        }
    }

    /// Whether the client read less than it must.
    private mutating func isStalled(_ unsent: Int, _ now: NIODeadline) -> Bool {
        guard unsent > 0 else {
            sent = written
            sentSince = nil
            return false
        }
        let reached = max(written - unsent, sent)
        guard let sentSince, reached - sent < limits.outputBytes else {
            sent = reached
            sentSince = now
            return false
        }
        return now - sentSince >= limits.output
    }

    private mutating func linger(_ now: NIODeadline) -> ConnectionAction? {
        guard let since = lingerSince else {
            lingerSince = now
            return nil
        }
        return now - since >= limits.linger ? .close(last ?? .client) : nil
    }
}
