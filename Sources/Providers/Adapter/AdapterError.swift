// A reply that cannot be read must say where, or nobody can mend the feed.

public import ScoreTypes

/// Why a reply was refused; each case but the first names the place in its JSON, such as `innings[0].overs[3].over`.
public enum AdapterError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The body is no JSON at all: empty, cut short, an error page, nested too deeply, a number that no machine holds.
    case notJSON
    /// A field that is needed is absent.
    case missing(path: String)
    /// A field has another form than expected.
    case wrongForm(path: String, expected: String)
    /// A number or a count lies outside what cricket allows.
    case outOfRange(path: String, expected: String)
    /// Two fields contradict each other.
    case contradiction(path: String, expected: String)
    /// A table has no entry for an id or a word; alarms, since a guess would put a wrong score on Lock Screens.
    case unknownWord(path: String, word: String)
    /// The provider answered with an error of its own in place of what was asked for.
    case refused(path: String, reason: String)

    /// One line for logs; of the reply it holds the names of keys, and unknown words and reasons, cleaned and cut.
    public var description: String {
        switch self {
        case .notJSON: "body: expected a JSON document"
        case .missing(let path): "\(path): expected to be present"
        case .wrongForm(let path, let expected), .outOfRange(let path, let expected),
            .contradiction(let path, let expected):
            "\(path): expected \(expected)"
        case .unknownWord(let path, let word): "\(path): expected a known value, not \"\(Self.cut(word))\""
        case .refused(let path, let reason): "\(path): the provider refused: \(Self.cut(reason))"
        }
    }

    /// Where in the reply; nil when the reply is no JSON.
    public var path: String? {
        switch self {
        case .notJSON: nil
        case .missing(let path), .wrongForm(let path, _), .outOfRange(let path, _), .contradiction(let path, _),
            .unknownWord(let path, _), .refused(let path, _):
            path
        }
    }

    /// The reply that is at fault, where a picture is made of several; nil when the error names none.
    public var part: ReplyPart? {
        path?.split(separator: ":", maxSplits: 1).first.map { ReplyPart(rawValue: String($0)) }
    }

    /// The same, with the place prefixed by the reply it is in, as needed when several make one picture.
    ///
    /// - Parameter part: The reply.
    /// - Returns: An error whose path begins with the part.
    public func at(_ part: ReplyPart) -> AdapterError {
        switch self {
        case .notJSON: .wrongForm(path: "\(part)", expected: "a JSON document")
        case .missing(let path): .missing(path: "\(part):\(path)")
        case .wrongForm(let path, let expected): .wrongForm(path: "\(part):\(path)", expected: expected)
        case .outOfRange(let path, let expected): .outOfRange(path: "\(part):\(path)", expected: expected)
        case .contradiction(let path, let expected): .contradiction(path: "\(part):\(path)", expected: expected)
        case .unknownWord(let path, let word): .unknownWord(path: "\(part):\(path)", word: word)
        case .refused(let path, let reason): .refused(path: "\(part):\(path)", reason: reason)
        }
    }

    /// Returns a number that is in a range.
    ///
    /// - Throws: `outOfRange` with the path for any other, and for nil.
    @discardableResult
    static func check(
        _ number: Int?,
        in range: ClosedRange<Int>,
        at path: @autoclosure () -> String
    ) throws(AdapterError) -> Int {
        guard let number, range.contains(number) else {
            throw .outOfRange(path: path(), expected: "\(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Converts overs to balls; their decimal counts balls: 12.3 is twelve overs and three balls.
    ///
    /// - Throws: `outOfRange` with the path for less than 0 or more than 9,999 overs.
    static func balls(
        ofOvers overs: Double,
        ballsPerOver: Int,
        at path: @autoclosure () -> String
    ) throws(AdapterError) -> Int {
        guard overs >= 0, overs <= Double(AdapterLimits.overs) else {
            throw .outOfRange(path: path(), expected: "0 to \(AdapterLimits.overs) overs")
        }
        let whole = overs.rounded(.down)
        return Int(whole) * ballsPerOver + Int(((overs - whole) * 10).rounded())
    }

    /// Checks the length of a list.
    ///
    /// - Throws: `outOfRange` with the path for a longer one.
    static func check(
        _ list: some Collection,
        atMost count: Int,
        at path: @autoclosure () -> String
    ) throws(AdapterError) {
        guard list.count <= count else { throw .outOfRange(path: path(), expected: "at most \(count)") }
    }

    private static func cut(_ word: String) -> String { SafeText.clean(String(word.prefix(AdapterLimits.wordOfError))) }

}
