// Says where a snapshot breaks its contract and what was expected there, so that a producer can mend it.

/// A value that the snapshot contract does not allow.
public struct SurfaceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The ways in which a value can be wrong.
    public enum Problem: String, Hashable, Sendable {
        case unknownKey, missing, isNull, wrongType, wrongValue, wrongKind
    }

    /// Where, from the top of the snapshot: `widget.progress`.
    public let path: String
    /// What is wrong there.
    public let problem: Problem
    /// What should have been there, such as `a number from 0 to 1`.
    public let expected: String

    /// Names a place, its fault and the expectation.
    public init(path: String, problem: Problem, expected: String) {
        self.path = path
        self.problem = problem
        self.expected = expected
    }

    /// One sentence with place, fault and expectation.
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

    /// The same fault, seen from one level above.
    func below(_ key: String) -> SurfaceError {
        SurfaceError(path: path.isEmpty ? key : "\(key).\(path)", problem: problem, expected: expected)
    }
}
