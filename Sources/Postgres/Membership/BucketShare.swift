// The number of buckets of a node follows from counts alone, so that every node computes the same.

internal import ScoreTypes

/// The buckets that a node claims, withholds and releases, so that all nodes own equally many.
struct BucketShare: Sendable {
    /// Buckets of this node.
    let owned: Set<Bucket>
    /// Number of unowned buckets to claim.
    let claimsMax: Int
    /// Buckets to release now; they were withheld in the previous call, and the caller has stopped working on them.
    let release: Set<Bucket>
    /// Buckets to omit from the result now and to release in the next call.
    let withhold: Set<Bucket>

    /// Computes the shares of `nodeCount` living nodes that send, this one included; `withheld` is of the previous
    /// decision.
    ///
    /// A node that is leaving or does not send is not included and has no share.
    init(owned: Set<Bucket>, withheld: Set<Bucket>, nodeCount: Int, isLeaving: Bool = false) {
        self.owned = owned
        let share = isLeaving ? 0 : (Bucket.count + nodeCount - 1) / max(1, nodeCount)
        let surplus = max(0, owned.count - share)
        // Buckets that are withheld already go first, then the highest, so that repeated decisions are equal.
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
