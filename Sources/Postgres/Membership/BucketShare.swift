// How many buckets a node may have is decided from counts alone, the same on every node.

internal import ScoreTypes

/// What a node takes, withholds and gives away so that all nodes come to have as many.
struct BucketShare: Sendable {
    /// What this node has.
    let owned: Set<Bucket>
    /// How many free buckets to take.
    let claimsMax: Int
    /// Buckets to give away now: the caller was told of it one call ago and has let go of them.
    let release: Set<Bucket>
    /// Buckets to leave out of the answer now and to give away next time.
    let withhold: Set<Bucket>

    /// Decides.
    ///
    /// - Parameters:
    ///   - owned: What this node has.
    ///   - withheld: What the last decision withheld.
    ///   - sharers: Living nodes that want a share.
    ///   - isSharer: Whether this node is one of them.
    init(owned: Set<Bucket>, withheld: Set<Bucket>, sharers: Int, isSharer: Bool) {
        self.owned = owned
        let share = isSharer ? (Bucket.count + sharers - 1) / max(1, sharers) : 0
        let surplus = max(0, owned.count - share)
        // Those withheld already go first; the highest follow, so that repeated decisions name the same.
        let ordered = owned.sorted { left, right in
            let (leftGoes, rightGoes) = (withheld.contains(left), withheld.contains(right))
            return leftGoes == rightGoes ? left > right : leftGoes
        }
        let leaving = Set(ordered.prefix(surplus))
        release = leaving.intersection(withheld)
        withhold = leaving.subtracting(withheld)
        claimsMax = max(0, share - owned.count)
    }
}
