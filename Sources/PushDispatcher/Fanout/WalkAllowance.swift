// A crash repeats what is not recorded, so walks stop where that would grow beyond its bound.

/// What a lane's walks may do in this turn.
///
/// ```
///        unrecorded < bound              bound reached
/// all ◀──────────────────▶ nothing ◀───────────────────▶ bucketUnderWay
///                          recorded, and only buckets under way keep the count up
/// ```
enum WalkAllowance: Equatable {
    /// Another bucket may be begun.
    case all
    /// A bucket may be walked to its end and none begun: only a whole bucket can be recorded.
    case bucketUnderWay
    /// Walks wait for answers and for the recorder.
    case nothing

    /// Decides.
    ///
    /// - Parameters:
    ///   - bound: Sends that may be unrecorded.
    ///   - recording: Sends of complete buckets that wait to be recorded.
    ///   - answered: Other requests with a final answer.
    ///   - underWay: Those of them in buckets that are not walked to their end.
    init(bound: Int, recording: Int, answered: Int, underWay: Int) {
        if recording + answered < bound {
            self = .all
        } else {
            // Nothing else can make room any more: a bucket may be as large as the bound.
            self = recording == 0 && answered == underWay ? .bucketUnderWay : .nothing
        }
    }
}
