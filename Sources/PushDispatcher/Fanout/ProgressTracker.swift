// Buckets become progress when every environment is through with them; this is where that is known.

internal import ScoreTypes

/// What is sent but not yet recorded, by match and revision.
struct ProgressTracker {
    /// Buckets of one match at one revision, ready to be recorded.
    struct Batch {
        let match: MatchID
        let revision: Int64
        var buckets: [Bucket] = []
        var hasAlert = false
        /// Devices of these buckets that were not brought the revision.
        var owed: [DeviceID] = []
        /// How many sends the record stands for.
        var sends = 0
    }

    private struct Key: Hashable {
        let match: MatchID
        let revision: Int64
    }

    /// Nothing of any bucket.
    private static let none = [Int64](repeating: .min, count: Bucket.count)

    private var sent: [MatchID: [PushEnvironment: [Int64]]] = [:]
    private var recorded: [MatchID: [Int64]] = [:]
    private var owed: [MatchID: [PushEnvironment: [Int: [DeviceID]]]] = [:]
    private var batches: [Key: Batch] = [:]
    /// Sends that wait to be recorded.
    private(set) var waitingSends = 0
    /// Whether one of them belongs to a publication with an alert.
    private(set) var hasAlert = false

    var isEmpty: Bool { batches.isEmpty }

    /// Notes a completed bucket.
    ///
    /// - Parameters:
    ///   - completion: What a lane reported.
    ///   - environments: Those that have to be through with a bucket.
    /// - Returns: Whether it waits to be recorded; false when another environment is not through yet, or when it is
    ///   recorded already.
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
        let key = Key(match: match, revision: floor)
        var batch = batches[key] ?? Batch(match: match, revision: floor)
        batch.buckets.append(completion.bucket.bucket)
        batch.hasAlert = batch.hasAlert || completion.bucket.hasAlert
        for environment in environments { batch.owed += owed[match]?[environment]?[index] ?? [] }
        batch.sends += completion.bucket.sends
        batches[key] = batch
        waitingSends += completion.bucket.sends
        hasAlert = hasAlert || completion.bucket.hasAlert
        return true
    }

    /// Takes all that waits, the oldest revision of a match first.
    mutating func take() -> [Batch] {
        defer { (batches, waitingSends, hasAlert) = ([:], 0, false) }
        return batches.values.sorted { ($0.match, $0.revision) < ($1.match, $1.revision) }
    }

    /// Puts back what could not be recorded.
    mutating func putBack(_ batch: Batch) {
        let key = Key(match: batch.match, revision: batch.revision)
        var merged = batches[key] ?? Batch(match: batch.match, revision: batch.revision)
        merged.buckets += batch.buckets
        merged.owed += batch.owed
        merged.hasAlert = merged.hasAlert || batch.hasAlert
        merged.sends += batch.sends
        batches[key] = merged
        waitingSends += batch.sends
        hasAlert = hasAlert || batch.hasAlert
    }

    /// Forgets buckets that somebody else serves now.
    mutating func forget(_ buckets: [Bucket], of match: MatchID) {
        for bucket in buckets {
            recorded[match]?[Int(bucket.number)] = .min
            for environment in PushEnvironment.allCases {
                sent[match]?[environment]?[Int(bucket.number)] = .min
                owed[match]?[environment]?[Int(bucket.number)] = nil
            }
        }
    }

    /// Forgets a match that is over.
    mutating func forget(_ match: MatchID) {
        sent[match] = nil
        owed[match] = nil
        recorded[match] = nil
    }
}
