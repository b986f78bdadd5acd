// A node whose registrations are refused, or that does not see those of others, has to say so.

internal import Postgres
internal import ScoreTypes
internal import Synchronization

extension ArenaIndex {
    /// Why changes of tokens cannot be followed now.
    public enum Trouble: Sendable, Hashable, CustomStringConvertible {
        /// PostgreSQL refuses to write changes, so that registrations fail.
        case writesRefused(String)
        /// PostgreSQL refuses to read changes, so that this node does not see new tokens.
        case readsRefused(String)
        /// A long transaction delays the reader of changes, for this long.
        case late(Duration)

        /// A few words for operators.
        public var description: String {
            switch self {
            case .writesRefused(let cause): "changes cannot be written: \(cause)"
            case .readsRefused(let cause): "changes cannot be read: \(cause)"
            case .late(let lag): "changes are read \(lag.components.seconds) s late"
            }
        }
    }

    /// Tries to write a change without a row, and looks at the reader of changes; nil when both work.
    public func trouble() async -> Trouble? {
        do { _ = try await pool.execute(ArenaStatements.checkChangeInsert) } catch {
            return .writesRefused(Self.cause(of: error))
        }
        if let failure = failure.withLock({ $0 }) { return .readsRefused(Self.cause(of: failure)) }
        let lag = tail.withLock { $0.lag(at: clock.monotonic) }
        return lag > FollowLimits.changeLagMax ? .late(lag) : nil
    }

    private static func cause(of error: any Error) -> String {
        guard let error = error as? PostgresError else { return "cancelled" }
        return error.sqlState.map { "\(error.kind.rawValue) [\($0)]" } ?? error.kind.rawValue
    }
}
