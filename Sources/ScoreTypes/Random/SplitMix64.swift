// Jitter, simulations and tests need random numbers that are cheap and that a seed reproduces.

/// The SplitMix64 generator of pseudo-random numbers (Steele, Lea, Flood 2014); not for secrets.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts a sequence.
    ///
    /// - Parameter seed: Any number; equal seeds give equal sequences on every machine.
    public init(seed: UInt64) { state = seed }

    /// Advances the sequence; all 64 bits are uniformly distributed.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A uniformly distributed number of at least 0 and less than 1.
    public mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
