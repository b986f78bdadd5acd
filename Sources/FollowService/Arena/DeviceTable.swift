// Finds a device's slot with five bytes for each token; a dictionary takes forty.

internal import ScoreTypes

/// Open addressing with linear probing over slot numbers; the keys stay in the slots.
struct DeviceTable: ~Copyable {
    private static let free = UInt32.max
    private var places: UnsafeMutableBufferPointer<UInt32>

    /// Makes a table for `capacity` slots, three quarters full at most.
    init(places capacity: Int = 0) {
        places = .allocate(capacity: capacity == 0 ? 0 : capacity + capacity / 3 + 1)
        places.initialize(repeating: Self.free)
    }

    deinit { places.deallocate() }

    var byteCount: Int { places.count * MemoryLayout<UInt32>.stride }

    /// Spreads a device's id over 64 bits, independently of its bucket, which all devices of a table share.
    static func hash(of device: DeviceID) -> UInt64 {
        var mixed = (device.high ^ (device.high >> 31)) &* 0x7fb5_d329_728e_a185
        mixed ^= device.low &* 0x81da_def4_bc2d_d44d
        mixed = (mixed ^ (mixed >> 29)) &* 0x9e37_79b9_7f4a_7c15
        return mixed ^ (mixed >> 32)
    }

    /// The slot with this hash that `matches` accepts.
    func find(hash: UInt64, matches: (Int) -> Bool) -> Int? {
        guard !places.isEmpty else { return nil }
        var place = home(of: hash)
        while places[place] != Self.free {
            let slot = Int(places[place])
            if matches(slot) { return slot }
            place = next(place)
        }
        return nil
    }

    /// Adds a slot that is not in the table; a place must be free.
    mutating func insert(_ slot: Int, hash: UInt64) {
        var place = home(of: hash)
        while places[place] != Self.free { place = next(place) }
        places[place] = UInt32(truncatingIfNeeded: slot)
    }

    /// Replaces the number of a slot that moved.
    mutating func move(_ slot: Int, to other: Int, hash: UInt64) {
        guard let place = place(of: slot, hash: hash) else { return }
        places[place] = UInt32(truncatingIfNeeded: other)
    }

    /// Removes a slot and closes the gap, so that no probe ends too early; `hashOf` reads another slot's hash.
    mutating func remove(_ slot: Int, hash: UInt64, hashOf: (Int) -> UInt64) {
        guard var gap = place(of: slot, hash: hash) else { return }
        var place = next(gap)
        while places[place] != Self.free {
            let wanted = home(of: hashOf(Int(places[place])))
            // The entry may fill the gap unless its home lies between the two, modulo the size of the table.
            let staysReachable = gap <= place ? (wanted <= gap || wanted > place) : (wanted <= gap && wanted > place)
            if staysReachable {
                places[gap] = places[place]
                gap = place
            }
            place = next(place)
        }
        places[gap] = Self.free
    }

    private func place(of slot: Int, hash: UInt64) -> Int? {
        guard !places.isEmpty else { return nil }
        var place = home(of: hash)
        while places[place] != Self.free {
            if places[place] == UInt32(truncatingIfNeeded: slot) { return place }
            place = next(place)
        }
        return nil
    }

    private func home(of hash: UInt64) -> Int { Int(hash.multipliedFullWidth(by: UInt64(places.count)).high) }
    private func next(_ place: Int) -> Int { place + 1 == places.count ? 0 : place + 1 }
}
