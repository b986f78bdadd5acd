// An answer on the wire as a value, for tests without a connection.

/// One answer of a feed, and the way in which it is sent.
public struct ServedAnswer: Sendable {
    /// How fast it is sent.
    public enum Pace: Sendable, Hashable {
        /// At once.
        case prompt
        /// Nothing for a while, then all.
        case slowStart(Duration)
        /// One byte each second.
        case drip
    }

    /// How it ends.
    public enum Ending: Sendable, Hashable {
        /// With its last byte.
        case proper
        /// The connection breaks after so many bytes.
        case cutOff(after: Int)
        /// The header states another length than the body has.
        case declares(Int)
        /// It goes on and on.
        case endless
    }

    /// The most bytes of an answer that goes on and on; enough for any client to have given up.
    static let endlessBytes = 2 << 30

    /// The HTTP status.
    public internal(set) var status = 200
    /// Names and values beside those of every answer.
    var headers: [(name: String, value: String)] = [("content-type", "application/json")]
    /// The body.
    public internal(set) var body: [UInt8] = []
    /// How fast it is sent.
    public internal(set) var pace = Pace.prompt
    /// How it ends.
    public internal(set) var ending = Ending.proper

    /// A refusal; `retryAfter` is in seconds.
    static func refusal(_ status: Int, retryAfter: Int?) -> ServedAnswer {
        ServedAnswer(
            status: status,
            headers: retryAfter.map { [("retry-after", String($0))] } ?? [],
            body: Array(#"{"message":"no"}"#.utf8)
        )
    }

    /// Sends the client elsewhere; nil for the same address again.
    static func redirect(to address: String?) -> ServedAnswer {
        ServedAnswer(status: 302, headers: [("location", address ?? "")])
    }

    /// The body that a careful client reads: that of a good answer that came in time, as far as its header says that
    /// it goes; nil for all else.
    public var takenBody: [UInt8]? {
        guard status == 200, pace == .prompt, !headers.contains(where: { $0.name == "content-encoding" }) else {
            return nil
        }
        switch ending {
        case .proper: return body
        // The client cannot see that bytes are missing.
        case .declares(let count) where count < body.count: return Array(body.prefix(count))
        case .declares, .cutOff, .endless: return nil
        }
    }
}
