// Feeds answer with empty lists, old copies and half a match; such replies must not reach a million Lock Screens.

public import MatchEngine

/// Judges whether the changes of one reply are believed; one gate for each match, in memory of its poller.
public struct Gate: Sendable, Codable {
    /// How many balls may vanish in one reply before it waits for a second sighting (cricket.md B.2).
    public static let withdrawalsMax = 3
    /// How many replies running may carry an older version before the provider is taken to have begun its count
    /// anew; short of that it is a stale copy, and for ever would be a match that stands still.
    public static let olderRepliesMax = 10

    private var newestVersion: Int64?
    private var olderReplies = 0
    private var held: Suspicion?

    /// Makes a gate that has seen nothing.
    public init() {}

    /// Judges one reply.
    ///
    /// - Parameters:
    ///   - changes: What `Differ` found between the record and the snapshot.
    ///   - snapshot: The reply.
    ///   - record: The match as stored.
    /// - Returns: Whether to apply the changes, to wait for a second sighting, or to forget the reply.
    public mutating func judge(_ changes: [Change], of snapshot: MatchSnapshot, against record: MatchRecord) -> Verdict
    {
        if isOlder(snapshot) { return .drop(.olderVersion) }
        let isEmptied = snapshot.deliveries.isEmpty && !record.deliveries.isEmpty
        if isEmptied { return .drop(.emptyList) }
        guard let suspicion = Suspicion(changes, of: snapshot, against: record) else {
            held = nil
            return .apply
        }
        if held == suspicion {
            held = nil
            return .apply
        }
        held = suspicion
        return .hold(suspicion.reason)
    }

    /// Another provider counts its versions from elsewhere.
    public mutating func forgetVersions() {
        newestVersion = nil
        olderReplies = 0
    }

    private mutating func isOlder(_ snapshot: MatchSnapshot) -> Bool {
        guard let version = snapshot.version else { return false }
        if let newestVersion, version < newestVersion, olderReplies < Self.olderRepliesMax {
            olderReplies += 1
            return true
        }
        newestVersion = version
        olderReplies = 0
        return false
    }
}
