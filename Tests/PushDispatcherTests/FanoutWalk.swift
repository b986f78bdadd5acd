// Takes a fan-out's requests, like a lane with all streams free.

import ScoreTypes

@testable import PushDispatcher

enum FanoutWalk {
    /// All buckets, with nothing sent.
    static var all: [(bucket: Bucket, revision: Int64)] { Bucket.all.map { ($0, 0) } }

    /// The requests that can be sent now.
    static func drain(
        _ fanout: inout Fanout,
        _ tokens: MemoryTokens,
        max: Int = .max,
        at now: Duration = .zero
    ) -> [FanoutSend] {
        var sends: [FanoutSend] = []
        var idle = 0
        // Slices of throttled tokens end a call early, buckets that wait for answers end the walk for now.
        while sends.count < max, idle < 200 {
            if let send = fanout.next(at: now, .all, source: tokens)
                ?? fanout.nextUnverified(at: now, source: tokens)
            {
                sends.append(send)
                idle = 0
            } else if fanout.wantsWalk {
                idle += 1
            } else {
                break
            }
        }
        return sends
    }
}

extension Fanout {
    /// Whether buckets remain to be walked.
    var wantsWalk: Bool { encoded != nil && (isInBucket || remaining > 0) }
}

extension FanoutSend {
    var device: DeviceID { token.device }
    var bucket: Int16 { token.bucket }
}
