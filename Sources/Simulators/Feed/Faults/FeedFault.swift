// All faults of a feed, by the names of the command line and the documents.

/// One way to misbehave.
public enum FeedFault: String, Sendable, Hashable, CaseIterable {
    // Faults of balls.
    case late, wrongFirst, deleted, rekeyed, inserted, scoreFell, massVanish, disagree
    // Faults of replies.
    case outage, unavailable, slowStart, drip, truncated, shortLength, longLength
    case html, empty, nul, utf16, bom, duplicateKeys, deepNesting, hugeNumber, loneSurrogate, drift
    case emptyList, hugeBody, gzipBomb, redirectLoop, redirectInside, flipFlop, stuck, vanished, reused, skewedClock
    case tooMany

    /// The line of the fault catalogue that it belongs to.
    var catalogueID: String {
        switch self {
        case .outage: "F1"
        case .unavailable: "F2"
        case .slowStart, .drip: "F3"
        case .truncated, .shortLength, .longLength: "F4"
        case .html, .empty, .nul, .utf16, .bom, .duplicateKeys, .deepNesting, .hugeNumber, .loneSurrogate: "F5"
        case .hugeBody, .gzipBomb: "F6"
        case .redirectLoop, .redirectInside: "F7"
        case .drift: "F10"
        case .wrongFirst: "F11"
        case .late, .deleted, .rekeyed, .inserted: "F12"
        case .flipFlop, .stuck: "F13"
        case .scoreFell, .massVanish, .emptyList: "F14"
        case .disagree: "F15"
        case .vanished, .reused: "F16"
        case .skewedClock: "F18"
        case .tooMany: "F19"
        }
    }

    /// Whether it changes the match, and not the reply.
    var isOfBalls: Bool {
        switch self {
        case .late, .wrongFirst, .deleted, .rekeyed, .inserted, .scoreFell, .massVanish, .disagree: true
        default: false
        }
    }

    /// Whether it lasts for a time, as `FaultSpell` draws it, and not for one reply.
    var comesInSpells: Bool {
        switch self {
        case .outage, .unavailable, .vanished, .tooMany: true
        default: false
        }
    }

    /// Whether the match looks right in the end all the same; a feed that contradicts another never does.
    public var heals: Bool { self != .disagree }

    /// Reads a list parted by commas: names, lines of the catalogue such as `F5`, or `random` for all that heal.
    ///
    /// Empty or `none` for none.
    ///
    /// - Throws: `FeedFaultError` for a word that is neither, or that names what no feed can do.
    public static func list(_ text: String) throws(FeedFaultError) -> Set<FeedFault> {
        var found: Set<FeedFault> = []
        for word in text.split(separator: ",").map(String.init) where word != "none" {
            if word == "random" {
                found.formUnion(allCases.filter(\.heals))
            } else if let fault = FeedFault(rawValue: word) {
                found.insert(fault)
            } else {
                let line = allCases.filter { $0.catalogueID == word.uppercased() }
                if let place = FeedFaultError.Elsewhere(rawValue: word.uppercased()) { throw .elsewhere(place) }
                guard !line.isEmpty else { throw .unknown(word) }
                found.formUnion(line)
            }
        }
        return found
    }
}
