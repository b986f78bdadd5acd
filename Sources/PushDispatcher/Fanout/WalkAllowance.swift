// A crash repeats unrecorded sends, so walks stop before their number exceeds a bound.

/// The limits of the walks of a lane in this turn.
///
/// ```
///        unrecorded < bound              bound reached
/// all ◀──────────────────▶ nothing ◀───────────────────▶ bucketUnderWay
///                          recorded, and only buckets under way keep the count up
/// ```
enum WalkAllowance: Equatable {
    /// Another bucket may be opened.
    case all
    /// The current bucket may be finished and none opened: only a whole bucket can be recorded.
    case bucketUnderWay
    /// Walks wait for answers and for the recorder.
    case nothing

    /// Decides by the unrecorded sends: those of complete buckets that wait to be recorded, the other answered
    /// requests, and the part of these in buckets whose walk is not complete.
    init(bound: Int, recording: Int, answered: Int, underWay: Int) {
        if recording + answered < bound {
            self = .all
        } else {
            // Only finishing the bucket frees capacity: a bucket may be as large as the bound.
            self = recording == 0 && answered == underWay ? .bucketUnderWay : .nothing
        }
    }
}
