// A node's buckets may have gaps between them, which belong to other nodes.

internal import ScoreTypes

extension Bucket {
    /// Neighbouring buckets joined to ranges.
    static func ranges(of buckets: [Bucket]) -> [ClosedRange<Bucket>] {
        buckets.sorted().reduce(into: []) { ranges, bucket in
            if let last = ranges.last, last.upperBound.number + 1 == bucket.number {
                ranges[ranges.count - 1] = last.lowerBound...bucket
            } else {
                ranges.append(bucket...bucket)
            }
        }
    }
}
