// Some lines of the catalogue cannot be simulated by a feed; the error says where they are tested.

/// Why a list of faults cannot be served.
public enum FeedFaultError: Error, Hashable, CustomStringConvertible {
    /// Lines of the catalogue that are not the doing of a feed's replies.
    public enum Elsewhere: String, Sendable, CaseIterable {
        case tls = "F8"
        case resolver = "F9"
        case unusualMatch = "F17"

        /// Where it is found instead.
        public var place: String {
            switch self {
            case .tls: "a matter of certificates, below HTTP"
            case .resolver: "a matter of the resolver, before a feed is reached"
            case .unusualMatch: "in the match itself: serve one with a super over or a changed target by --match"
            }
        }
    }

    case unknown(String)
    case elsewhere(Elsewhere)

    /// Lines of the catalogue that a feed simulates, for help and errors.
    public static let lines = "F1 to F7, F10 to F16, F18, F19"

    /// The lines that no feed simulates, each with a sentence.
    public static var elsewhere: String {
        Elsewhere.allCases.map { "\($0.rawValue) is \($0.place)." }.joined(separator: " ")
    }

    /// One sentence with the way out.
    public var description: String {
        switch self {
        case .unknown(let word):
            "\(word) is no fault: give none, random, lines \(Self.lines), or some of "
                + FeedFault.allCases.map(\.rawValue).joined(separator: ", ") + "."
        case .elsewhere(let line): "\(line.rawValue) cannot be simulated by a feed: it is \(line.place)."
        }
    }
}
