// The small facts that travel between a fan-out and the wire.

internal import ScoreTypes

/// One request that a fan-out wants made.
struct FanoutSend {
    let device: DeviceID
    let generation: Int32
    let bucket: Int16
    /// The pass that waits for the answer; negative for none.
    let pass: Int32
    let attempt: UInt8
    /// Which content state the activity decodes; 0 is the product's own.
    let variant: UInt8
    /// APNs throttles the token: whatever the state is worth, this one goes at priority 5.
    let isDemoted: Bool
    /// The round whose alert is carried; 0 for a silent request.
    let round: UInt32
    let firstSentAt: Duration
    /// The revision with which the pass began.
    let revision: Int64
    /// The place in the fan-out's slice; negative when the token was looked up and lies in the fan-out itself.
    ///
    /// Tokens stay out of here, since what is in the air is copied a million times.
    let sliceIndex: Int

    var hasAlert: Bool { round != 0 }
}

/// A bucket whose tokens all have their final answer.
struct CompletedBucket: Sendable, Hashable {
    let bucket: Bucket
    let revision: Int64
    let sends: Int
    let hasAlert: Bool
    /// Devices of the bucket that were not brought the revision and are tried further.
    var owed: [DeviceID] = []
}

/// A token that did not get a state.
struct MissedToken: Sendable, Hashable {
    let device: DeviceID
    let generation: Int32
    /// The state that it did not get.
    let revision: Int64
    /// Whether nothing more is tried for it here: if the state was an end, that has repeats of its own.
    let isGivenUp: Bool
}

/// What a fan-out knows of one bucket.
struct BucketWalk {
    var bucket = Bucket.all[0]
    var isOwned = false
    /// The revision with which the last whole walk began, or at which the bucket was taken over.
    var walkedRevision: Int64 = .min
}
