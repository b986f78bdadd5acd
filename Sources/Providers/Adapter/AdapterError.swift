// The error of a reply names the place, without which an operator cannot correct the feed.

public import ScoreTypes

/// Why a reply was refused; each case but the first has the path in its JSON, such as `innings[0].overs[3].over`.
public enum AdapterError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The body is no JSON: empty, cut short, an error page, or nested too deeply.
    case notJSON
    /// A packed body unpacks to more than so many bytes.
    case tooLarge(limit: Int)
    /// A required member is absent.
    case missing(path: String)
    /// A member has another form than expected.
    case wrongForm(path: String, expected: String)
    /// A number or a count is outside its bounds.
    case outOfRange(path: String, expected: String)
    /// Two members contradict each other.
    case contradiction(path: String, expected: String)
    /// An id or a word is unknown; it alarms, since a guess would publish a wrong score.
    case unknownWord(path: String, word: String)
    /// The provider replied with an error of its own.
    case refused(path: String, reason: String)

    /// One line for logs; unknown words and reasons are cleaned and cut.
    public var description: String {
        switch self {
        case .notJSON: "body: expected a JSON document"
        case .tooLarge(let limit): "body: expected at most \(limit) bytes unpacked"
        case .missing(let path): "\(path): expected to be present"
        case .wrongForm(let path, let expected), .outOfRange(let path, let expected),
            .contradiction(let path, let expected):
            "\(path): expected \(expected)"
        case .unknownWord(let path, let word): "\(path): expected a known value, not \"\(Self.cut(word))\""
        case .refused(let path, let reason): "\(path): the provider refused: \(Self.cut(reason))"
        }
    }

    /// The path in the reply; nil when the reply is no JSON.
    public var path: String? {
        switch self {
        case .notJSON, .tooLarge: nil
        case .missing(let path), .wrongForm(let path, _), .outOfRange(let path, _), .contradiction(let path, _),
            .unknownWord(let path, _), .refused(let path, _):
            path
        }
    }

    /// The reply, where a match is read from several; nil when the error names none.
    public var part: ReplyPart? {
        path?.split(separator: ":", maxSplits: 1).first.map { ReplyPart(rawValue: String($0)) }
    }

    /// The same error with a path that begins with the reply.
    public func at(_ part: ReplyPart) -> AdapterError {
        switch self {
        case .notJSON: .wrongForm(path: "\(part)", expected: "a JSON document")
        case .tooLarge: self
        case .missing(let path): .missing(path: "\(part):\(path)")
        case .wrongForm(let path, let expected): .wrongForm(path: "\(part):\(path)", expected: expected)
        case .outOfRange(let path, let expected): .outOfRange(path: "\(part):\(path)", expected: expected)
        case .contradiction(let path, let expected): .contradiction(path: "\(part):\(path)", expected: expected)
        case .unknownWord(let path, let word): .unknownWord(path: "\(part):\(path)", word: word)
        case .refused(let path, let reason): .refused(path: "\(part):\(path)", reason: reason)
        }
    }

    /// Runs a reading; the paths of its errors begin with the reply.
    static func within<Value>(
        _ part: ReplyPart,
        _ read: () throws(AdapterError) -> Value
    ) throws(AdapterError) -> Value {
        do throws(AdapterError) { return try read() } catch { throw error.at(part) }
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
