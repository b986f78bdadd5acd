// An app chooses between the newest state and every revision.

/// The events that a stream sends.
enum StreamMode: String, Sendable, Hashable, CaseIterable {
    /// The newest state; a slow reader misses those in between.
    case state
    /// One event for each revision, without a gap.
    case balls

    /// Reads the parameter `mode`; throws a problem that names the values.
    init(reading text: String?) throws(ServiceProblem) {
        guard let text else {
            self = .state
            return
        }
        guard let mode = Self(rawValue: text) else {
            throw .invalid("mode", "expected \(Self.allCases.map(\.rawValue).joined(separator: " or "))")
        }
        self = mode
    }
}
