// Each answer has an id; a random number of the system for each would cost a system call.

import Synchronization

/// Random numbers of 63 bits as text; anybody can compute the next one, so that they are not for secrets.
final class RandomIdentifiers: Sendable {
    /// The steps of SplitMix64 (Steele, Lea and Flood, 2014).
    private static let step: UInt64 = 0x9e37_79b9_7f4a_7c15

    private let state = Atomic<UInt64>(UInt64.random(in: .min ... .max))

    /// The next number, 16 hexadecimal digits.
    func next() -> String {
        var number = state.wrappingAdd(Self.step, ordering: .relaxed).newValue
        number = (number ^ number >> 30) &* 0xbf58_476d_1ce4_e5b9
        number = (number ^ number >> 27) &* 0x94d0_49bb_1331_11eb
        // The highest bit gives each id all 16 digits.
        return String((number ^ number >> 31) | 1 << 63, radix: 16)
    }
}
