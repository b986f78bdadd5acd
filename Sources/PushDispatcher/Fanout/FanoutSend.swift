// The small values that a fan-out and its lane exchange.

internal import ScoreTypes

/// One request of a fan-out.
struct FanoutSend {
    let token: FanoutToken
    /// Whether the request has priority 5 whatever the state deserves: the token is throttled, or its device does not
    /// allow frequent pushes.
    let isDemoted: Bool
    /// The round of the alert that is carried; 0 for a silent request.
    let round: UInt32
    /// The revision at the start of the pass.
    let revision: Int64
    /// Index in the fan-out's slice; negative if the token was looked up and the fan-out holds it.
    ///
    /// The token's bytes are not part of this value, which is copied a million times.
    let sliceIndex: Int

    var hasAlert: Bool { round != 0 }
}

/// A bucket in which every token has its final answer.
struct CompletedBucket: Sendable, Hashable {
    let bucket: Bucket
    let revision: Int64
    let sends: Int
    let hasAlert: Bool
    /// Devices of the bucket that did not receive the revision and are retried.
    var owed: [DeviceID] = []
}

/// A token that missed a state.
struct MissedToken: Sendable, Hashable {
    let device: DeviceID
    let generation: Int32
    /// The missed revision.
    let revision: Int64
    /// Whether it is not retried here; an end has its own repetitions.
    let isGivenUp: Bool
}

/// The state of one bucket in a fan-out.
struct BucketWalk {
    var bucket = Bucket.all[0]
    var isOwned = false
    /// The revision at the start of the last complete walk, or at the takeover of the bucket.
    var walkedRevision: Int64 = .min
}
