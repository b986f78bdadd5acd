// How a spoilt reply is spoilt: which old copy, where the cut, how long the wait.

/// A spoilt reply with what was drawn for it.
struct ReplyFault: Sendable, Hashable {
    /// The longest that a reply may be older than the present.
    static let oldest: Duration = .seconds(120)

    let fault: FeedFault
    /// How old the copy is that is served in its place.
    var age = Duration.zero
    /// A part between 0 and 1 000: where a body is cut, which field drifts.
    var part = 500
    /// Seconds in the Retry-After header.
    var retryAfter = 5

    /// The answer with the fault; for an old copy, `answer` is the one of that time.
    func spoil(_ answer: ServedAnswer) -> ServedAnswer {
        var spoilt = answer
        switch fault {
        case .outage: spoilt.ending = .cutOff(after: 0)
        case .unavailable: spoilt = .refusal(503, retryAfter: retryAfter)
        case .tooMany: spoilt = .refusal(429, retryAfter: retryAfter)
        case .slowStart: spoilt.pace = .slowStart(.seconds(30))
        case .drip: spoilt.pace = .drip
        case .truncated: spoilt.ending = .cutOff(after: answer.body.count * part / 1_001)
        case .shortLength: spoilt.ending = .declares(max(0, answer.body.count * part / 1_001))
        case .longLength: spoilt.ending = .declares(answer.body.count + 1 + part)
        case .html, .empty, .nul, .utf16, .bom, .duplicateKeys, .deepNesting, .hugeNumber, .loneSurrogate, .drift,
            .emptyList:
            spoilt.body = GarbageBody.body(fault, of: answer.body, part: part)
            if fault == .html { spoilt.headers = [("content-type", "text/html")] }
        case .hugeBody: spoilt.ending = .endless
        case .gzipBomb:
            spoilt.body = GzipBomb.body
            spoilt.headers.append(("content-encoding", "gzip"))
        case .redirectLoop: spoilt = .redirect(to: nil)
        case .redirectInside: spoilt = .redirect(to: "http://169.254.169.254/latest/meta-data/")
        case .late, .wrongFirst, .deleted, .rekeyed, .inserted, .scoreFell, .massVanish, .disagree, .flipFlop, .stuck,
            .skewedClock, .vanished, .reused:
            break
        }
        return spoilt
    }
}

extension ReplyFault {
    /// Draws the details.
    init(_ fault: FeedFault, _ draw: inout SeededDraw) {
        let age = draw.duration(.seconds(5)...Self.oldest)
        self.init(
            fault: fault,
            age: fault == .flipFlop || fault == .stuck ? age : .zero,
            part: Int.random(in: 0...1_000, using: &draw),
            retryAfter: Int.random(in: 1...30, using: &draw)
        )
    }
}
