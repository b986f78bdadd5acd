// Completed buckets wait a moment so that one statement records many of them, but never long and never many sends.

internal import ScoreTypes

/// Gathers completed buckets until they are due to be recorded.
struct ProgressBook {
    /// Longest wait of a completed bucket: what a crash may repeat is at most this much sending.
    static let waitMax = Duration.milliseconds(250)
    /// Longest wait when the publication had an alert, since a repeated alert is heard.
    static let alertWaitMax = Duration.milliseconds(50)
    /// Sends that may be unrecorded (PUBLICATION section 2).
    static let sendsMax = 1_000

    private var newest: [MatchID: [Bucket: Int64]] = [:]
    private var sends = 0
    private var hasAlert = false

    /// Adds completed buckets; how long they may wait.
    mutating func add(_ match: MatchID, _ buckets: [CompletedBucket]) -> Duration {
        for bucket in buckets {
            let known = newest[match]?[bucket.bucket] ?? .min
            newest[match, default: [:]][bucket.bucket] = max(known, bucket.revision)
            sends += bucket.sends
            hasAlert = hasAlert || bucket.hasAlert
        }
        if sends >= Self.sendsMax { return .zero }
        return hasAlert ? Self.alertWaitMax : Self.waitMax
    }

    /// Takes everything, grouped for one statement each.
    mutating func take() -> [(match: MatchID, revision: Int64, buckets: [Bucket])] {
        defer { self = ProgressBook() }
        return newest.flatMap { match, buckets in
            Dictionary(grouping: buckets, by: \.value).map { revision, entries in
                (match, revision, entries.map(\.key).sorted())
            }
        }
    }
}
