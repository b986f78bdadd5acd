// Reports where a snapshot violates its contract and what was expected, so that the producer can be corrected.

/// A value that the snapshot contract does not allow.
public struct SurfaceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of violations.
    public enum Problem: String, Hashable, Sendable {
        case unknownKey, missing, isNull, wrongType, wrongValue, wrongKind
    }

    /// The path of the value from the top of the snapshot: `widget.progress`.
    public let path: String
    /// The violation.
    public let problem: Problem
    /// The expected value, such as `a number from 0 to 1`.
    public let expected: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - path: The path of the value.
    ///   - problem: The violation.
    ///   - expected: The expected value, in words.
    public init(path: String, problem: Problem, expected: String) {
        self.path = path
        self.problem = problem
        self.expected = expected
    }

    /// One sentence with path, violation and expectation.
    public var description: String {
        let fault =
            switch problem {
            case .unknownKey: "is not a key of the contract"
            case .missing: "is missing"
            case .isNull: "is null"
            case .wrongType: "has the wrong type"
            case .wrongValue: "has a value that is not allowed"
            case .wrongKind: "is of another kind"
            }
        return "\(path) \(fault); expected \(expected)"
    }

    /// The same error with the path prefixed by the key of the enclosing object.
    func below(_ key: String) -> SurfaceError {
        SurfaceError(path: path.isEmpty ? key : "\(key).\(path)", problem: problem, expected: expected)
    }
}
