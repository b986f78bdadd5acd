// The faults of a fleet: each affects the same number of phones, and a seed draws which ones.

import ScoreTypes

/// The faults of each phone of a fleet.
struct FleetFaults: Sendable {
    /// The faults of one phone.
    struct OfPhone: Sendable, Hashable {
        var system: [PhoneFault] = []
        /// Whether requests and answers are lost or late.
        var hasWeakNetwork = false
    }

    private var phones: [Int: OfPhone] = [:]

    /// Draws the phones of each fault.
    ///
    /// A phone has one fault as long as there are enough phones, else several.
    /// - Parameters:
    ///   - share: The part of the phones, 0 to 1, that has each fault.
    ///   - count: The number of phones.
    ///   - seed: Draws them.
    init(share: Double, of count: Int, seed: UInt64) {
        let affected = Int((Double(count) * min(max(share, 0), 1)).rounded())
        guard affected > 0 else { return }
        var generator = SplitMix64(seed: seed)
        let order = Array(0..<count).shuffled(using: &generator)
        for (place, fault) in (PhoneFault.allCases + [nil]).enumerated() {
            for offset in 0..<affected {
                let phone = order[(place * affected + offset) % count]
                if let fault {
                    phones[phone, default: OfPhone()].system.append(fault)
                } else {
                    phones[phone, default: OfPhone()].hasWeakNetwork = true
                }
            }
        }
    }

    subscript(phone: Int) -> OfPhone { phones[phone] ?? OfPhone() }
}
