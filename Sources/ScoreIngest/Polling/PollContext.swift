// Clock readings and randomness come with each event, so that a test can repeat every decision of a poller.

package import ScoreTypes

/// When an event is handled, and what randomizes the waits that follow from it.
package struct PollContext {
    /// Real time of a clock that never jumps.
    let now: Duration
    /// Wall time.
    let wall: Instant
    /// Scales domain time.
    let clock: ServiceClock
    /// Draws from 0 to 1.
    let draw: () -> Double

    /// Reads a clock.
    package init(_ clock: ServiceClock, draw: @escaping () -> Double) {
        (now, wall, self.clock) = (clock.monotonic, clock.wall, clock)
        self.draw = draw
    }

    /// A draw between 0 and 1.
    var jitter: Double { min(max(draw(), 0), 1) }

    /// The real wait for an interval of domain time, randomized by ±10 %.
    func wait(_ interval: Duration, _ kind: WaitKind) -> Duration { clock.real(interval * (0.9 + 0.2 * jitter), kind) }

    /// A real wait randomized by up to +10 %: callers with the same wait do not continue at the same moment, and none
    /// of them continues early.
    func extended(_ wait: Duration) -> Duration { wait * (1 + 0.1 * jitter) }
}
