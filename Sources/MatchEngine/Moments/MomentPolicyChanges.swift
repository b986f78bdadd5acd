// Reads an operator's changes to the standard moment policy: `fifty:test=loud, maiden:*=off, haul:t20=4`.

/// The standard moment policy with a list of changes applied.
public struct MomentPolicyChanges: Sendable {
    /// The policy with every change that could be read.
    public private(set) var policy = MomentPolicy.standard
    /// One sentence for each change that could not be read, without the name of the setting.
    public private(set) var problems: [String] = []

    /// Applies changes to the standard policy.
    ///
    /// - Parameter items: Changes of the form `<kind>:<format>=<level>`, where `*` stands for every format, or
    ///   `haul:<format>=<wickets>` with 2 to 10 wickets.
    public init(_ items: [String]) {
        for item in items { apply(item) }
    }

    private mutating func apply(_ item: String) {
        let parts = item.split(whereSeparator: { $0 == ":" || $0 == "=" }).map(String.init)
        guard parts.count == 3, let formats = Self.formats(parts[1]) else {
            problems.append("\(item) must have the form kind:format=level; formats are \(Self.formatNames)")
            return
        }
        for format in formats where !change(parts[0], to: parts[2], in: format) {
            problems.append("\(item) names no kind of moment, or no level; see .env.example")
            return
        }
    }

    private mutating func change(_ kind: String, to value: String, in format: Format) -> Bool {
        if kind == "haul" {
            guard let wickets = Int(value), (2...10).contains(wickets) else { return false }
            policy[smallestHaul: format] = wickets
            return true
        }
        guard let level = MomentPolicy.Level(rawValue: value) else { return false }
        switch kind {
        case "teamHundred": policy[teamHundred: format] = level
        case "partnershipHundred": policy[partnershipHundred: format] = level
        default:
            guard let kind = Moment.Kind(rawValue: kind) else { return false }
            policy[kind, format] = level
        }
        return true
    }

    private static func formats(_ name: String) -> [Format]? {
        name == "*" ? Format.allCases : Format(rawValue: name).map { [$0] }
    }

    private static let formatNames = (Format.allCases.map(\.rawValue) + ["*"]).joined(separator: ", ")
}
