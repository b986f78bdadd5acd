// A setting declares its name, type, default and documentation once, for reading, checking and `.env.example`.

/// One setting of the server.
struct ConfigurationKey: Sendable, Hashable {
    /// The form of a value.
    enum Kind: Sendable, Hashable {
        case text
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        case boolean
        case choice([String])
        /// Comma-separated words.
        case list
        /// `count/seconds`, such as `120/60s`: a bucket of `count` that is full again after so many seconds.
        case quota

        /// The expectation in words, for error messages and documentation.
        var expectation: String {
            switch self {
            case .text: "a text"
            case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
            case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
            case .boolean: "true or false"
            case .choice(let words): "one of \(words.joined(separator: ", "))"
            case .list: "words separated by commas"
            case .quota: "count/seconds such as 120/60s"
            }
        }
    }

    /// Dotted, lower-case.
    let name: String
    let kind: Kind
    /// The default; an empty value counts as not set.
    let defaultText: String
    /// One or two sentences for the operator.
    let doc: String
    /// Never printed, logged or shown.
    let isSecret: Bool

    init(_ name: String, _ kind: Kind, default defaultText: String = "", secret: Bool = false, _ doc: String) {
        self.name = name
        self.kind = kind
        self.defaultText = defaultText
        self.doc = doc
        isSecret = secret
    }

    /// The name in the environment and in the `.env` file.
    var environmentName: String { name.uppercased().replacing(".", with: "_") }
}
