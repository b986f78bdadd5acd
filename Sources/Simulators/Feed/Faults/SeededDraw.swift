// A misbehaviour that cannot be played again cannot be mended: all of it follows from one number.

internal import ScoreTypes

/// A small generator whose draws depend on its seed and on what they are for, and on nothing drawn before.
public struct SeededDraw: RandomNumberGenerator {
    private var generator: SplitMix64

    /// Begins the draws for one purpose, such as one ball or one reply.
    public init(seed: UInt64, purpose: UInt64, number: Int) {
        var first = SplitMix64(seed: seed &+ purpose &* 0x9e37_79b9_7f4a_7c15)
        generator = SplitMix64(seed: first.next() ^ UInt64(bitPattern: Int64(number)) &* 0xbf58_476d_1ce4_e5b9)
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 { generator.next() }

    /// True once in so many times.
    public mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<max(1, count), using: &self) == 0 }

    /// A span between two, in whole milliseconds.
    public mutating func duration(_ range: ClosedRange<Duration>) -> Duration {
        .milliseconds(
            Int64.random(in: range.lowerBound.milliseconds...range.upperBound.milliseconds, using: &self)
        )
    }

    /// Seconds around a median, with the long tail that delays have: half to thrice the median.
    mutating func delay(median: Duration) -> Duration {
        let parts = (0..<3).map { _ in Int64.random(in: 0...1_000, using: &self) }.sorted()
        let factor = parts[1] < 500 ? 500 + parts[1] : 1_000 + (parts[1] - 500) * 4
        return .milliseconds(median.milliseconds * factor / 1_000)
    }
}
