// All mistakes in the configuration are reported at once, before anything starts.

/// Everything that is wrong with the settings.
struct ConfigurationProblems: Error, Sendable, Equatable, CustomStringConvertible {
    /// One sentence each, naming the key and what it expects.
    let sentences: [String]

    /// The sentences under one heading.
    var description: String {
        (["The configuration cannot be used:"] + sentences.map { "  - \($0)" }).joined(separator: "\n")
    }
}
