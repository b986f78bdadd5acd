// Operators may tell some moments louder or softer than is usual: `fifty:test=loud, maiden:*=off, haul:t20=4`.

import MatchEngine

/// Reads a list of changes to the standard policy.
struct MomentVoices {
    /// The policy with all changes that were understood.
    private(set) var policy = MomentPolicy.standard
    /// One sentence for each change that was not.
    private(set) var problems: [String] = []

    /// Reads items of the form `<kind>:<format>=<voice>`; `*` stands for every format.
    init(_ items: [String]) {
        for item in items { read(item) }
    }

    private mutating func read(_ item: String) {
        let parts = item.split(whereSeparator: { $0 == ":" || $0 == "=" }).map(String.init)
        guard parts.count == 3, let formats = Self.formats(parts[1]) else {
            problems.append("moments.voices: \(item) must have the form kind:format=voice; formats are \(Self.words)")
            return
        }
        for format in formats where !change(parts[0], to: parts[2], in: format) {
            problems.append("moments.voices: \(item) names no kind of moment, or no voice; see .env.example")
            return
        }
    }

    private mutating func change(_ kind: String, to value: String, in format: Format) -> Bool {
        if kind == "haul" {
            guard let wickets = Int(value), (2...10).contains(wickets) else { return false }
            policy[smallestHaul: format] = wickets
            return true
        }
        guard let voice = MomentPolicy.Level(rawValue: value) else { return false }
        switch kind {
        case "teamHundred": policy[teamHundred: format] = voice
        case "partnershipHundred": policy[partnershipHundred: format] = voice
        default:
            guard let kind = Moment.Kind(rawValue: kind) else { return false }
            policy[kind, format] = voice
        }
        return true
    }

    private static func formats(_ word: String) -> [Format]? {
        word == "*" ? Format.allCases : Format(rawValue: word).map { [$0] }
    }

    private static let words = (Format.allCases.map(\.rawValue) + ["*"]).joined(separator: ", ")
}
