// A bucket is complete when every environment has completed it; then its progress can be recorded.

internal import ScoreTypes

/// Completed and unrecorded buckets, by match and revision.
struct ProgressTracker {
    /// Buckets of one match at one revision, ready to be recorded.
    struct Batch {
        let match: MatchID
        let revision: Int64
        var buckets: [Bucket] = []
        var hasAlert = false
        /// Devices of these buckets that did not receive the revision.
        var owed: [DeviceID] = []
        /// Sends that the record covers.
        var sends = 0
    }

    private struct Key: Hashable {
        let match: MatchID
        let revision: Int64
    }

    /// The initial revisions of all buckets.
    private static let none = [Int64](repeating: .min, count: Bucket.count)

    private var sent: [MatchID: [PushEnvironment: [Int64]]] = [:]
    private var recorded: [MatchID: [Int64]] = [:]
    private var owed: [MatchID: [PushEnvironment: [Int: [DeviceID]]]] = [:]
    private var batches: [Key: Batch] = [:]
    /// Sends that wait to be recorded.
    private(set) var waitingSends = 0
    /// Whether a waiting batch belongs to a publication with an alert.
    private(set) var hasAlert = false

    var isEmpty: Bool { batches.isEmpty }

    /// Adds a completed bucket; returns whether it waits to be recorded.
    ///
    /// False if another environment has not completed it, or if it is recorded already.
    mutating func note(_ completion: LaneReport.Completion, among environments: [PushEnvironment]) -> Bool {
        let (match, index) = (completion.match, Int(completion.bucket.bucket.number))
        let before = sent[match]?[completion.environment]?[index] ?? .min
        sent[match, default: [:]][completion.environment, default: Self.none][index] = max(
            before,
            completion.bucket.revision
        )
        owed[match, default: [:]][completion.environment, default: [:]][index] =
            completion.bucket.owed.isEmpty ? nil : completion.bucket.owed
        let floor = environments.map { sent[match]?[$0]?[index] ?? .min }.min() ?? .min
        guard floor > recorded[match]?[index] ?? .min, floor > .min else { return false }
        recorded[match, default: Self.none][index] = floor
        add(
            Batch(
                match: match,
                revision: floor,
                buckets: [completion.bucket.bucket],
                hasAlert: completion.bucket.hasAlert,
                owed: environments.flatMap { owed[match]?[$0]?[index] ?? [] },
                sends: completion.bucket.sends
            )
        )
        return true
    }

    /// Adds the buckets that are complete in the environments that still count; none has sends to account for.
    mutating func reconsider(among environments: [PushEnvironment]) {
        for match in sent.keys {
            for bucket in Bucket.all {
                let index = Int(bucket.number)
                let floor = environments.map { sent[match]?[$0]?[index] ?? .min }.min() ?? .min
                guard floor > recorded[match]?[index] ?? .min else { continue }
                recorded[match, default: Self.none][index] = floor
                let missing = environments.flatMap { owed[match]?[$0]?[index] ?? [] }
                add(Batch(match: match, revision: floor, buckets: [bucket], owed: missing))
            }
        }
    }

    /// Removes and returns all batches, the oldest revision of a match first.
    mutating func take() -> [Batch] {
        defer { (batches, waitingSends, hasAlert) = ([:], 0, false) }
        return batches.values.sorted { ($0.match, $0.revision) < ($1.match, $1.revision) }
    }

    /// Adds buckets to those of the same revision; also puts back a batch that could not be recorded.
    mutating func add(_ batch: Batch) {
        let key = Key(match: batch.match, revision: batch.revision)
        var merged = batches.removeValue(forKey: key) ?? Batch(match: batch.match, revision: batch.revision)
        merged.buckets += batch.buckets
        merged.owed += batch.owed
        merged.hasAlert = merged.hasAlert || batch.hasAlert
        merged.sends += batch.sends
        batches[key] = merged
        waitingSends += batch.sends
        hasAlert = hasAlert || batch.hasAlert
    }

    /// Forgets buckets that another node serves.
    mutating func forget(_ buckets: [Bucket], of match: MatchID) {
        for bucket in buckets {
            recorded[match]?[Int(bucket.number)] = .min
            for environment in PushEnvironment.allCases {
                sent[match]?[environment]?[Int(bucket.number)] = .min
                owed[match]?[environment]?[Int(bucket.number)] = nil
            }
        }
    }

    /// Forgets a finished match.
    mutating func forget(_ match: MatchID) {
        sent[match] = nil
        owed[match] = nil
        recorded[match] = nil
    }
}
