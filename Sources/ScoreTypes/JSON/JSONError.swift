// Errors of reading name the place, so that a provider or a client can correct the document.

/// A text that breaks a rule of the syntax.
public struct JSONSyntaxError: Error, Sendable, Hashable {
    /// A rule that a text has to keep.
    public enum Rule: String, Sendable {
        case malformed, tooDeep, tooLong, duplicateName, notUTF8
    }

    /// The rule.
    public let rule: Rule
    /// The byte, counted from 0.
    public let offset: Int

    /// Makes an error.
    public init(rule: Rule, offset: Int) { (self.rule, self.offset) = (rule, offset) }
}

/// A value that has not the form that a type reads.
public enum JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A member that is required is absent or null; the path is like `data.balls[3].score_id`.
    case missing(path: String)
    /// A value has another form than expected; `body` is the path of the whole text.
    case mismatch(path: String, expected: String)

    /// One line.
    public var description: String {
        switch self {
        case .missing(let path): "\(path): expected to be present"
        case .mismatch(let path, let expected): "\(path): expected \(expected)"
        }
    }
}

/// The rules of a text beside the grammar of RFC 8259.
public struct JSONSyntax: Sendable {
    /// Deepest nesting of arrays and objects.
    let depthMax: Int
    /// Longest text, in bytes.
    let bytesMax: Int
    /// Whether names are unique in their object, every string is valid and every number finite.
    ///
    /// Otherwise the first of equal names counts, and strings and numbers are checked when they are read.
    let isStrict: Bool

    /// For replies, as Foundation reads them: those of providers have some ten levels; offsets are kept in 32 bits.
    public static let lenient = JSONSyntax(depthMax: 500, bytesMax: 1 << 30, isStrict: false)
    /// For requests and files of operators, whose documents have four levels.
    public static let strict = JSONSyntax(depthMax: 16, bytesMax: 1 << 20, isStrict: true)
}
