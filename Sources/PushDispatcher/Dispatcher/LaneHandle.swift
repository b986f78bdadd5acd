// The lane lives on its loop; this is what other threads hold of it, and it opens on that loop alone.

internal import HTTP2

/// Holds the lane of a dispatcher.
///
/// The reference is written and read on the loop's thread only; every access proves it by having the loop's context.
final class LaneHandle: Sendable {
    // Touched by the loop's thread alone, as both methods demand its context.
    nonisolated(unsafe) private var lane: Lane?

    func open(_ lane: Lane) { self.lane = lane }

    func withLane(of loop: LoopContext, _ body: (Lane) -> Void) {
        guard let lane, lane.loop === loop else { return }
        body(lane)
    }
}
