// A million tokens in a dictionary need twice the memory, and are walked at a tenth of the speed, of adjacent slots.

internal import ScoreTypes

/// The tokens of one match in one bucket: adjacent slots of one size, and an open-addressing table over the devices.
///
/// Removal moves the last slot into the gap; therefore a walk that must not skip goes backwards.
struct TokenArena: ~Copyable {
    /// The effect of `put`.
    enum Effect: Equatable {
        /// The device had no token here before.
        case added
        /// A newer registration took the place of an older one.
        case replaced
        /// The same registration is stored.
        case unchanged
        /// A newer registration is stored.
        case outdated
    }

    private(set) var count = 0
    /// The tokens of production; all others are of the sandbox.
    private var productionCount = 0
    private var capacity = 0
    private var layout = SlotLayout(tokenBytes: SlotLayout.tokenBytesUsual)
    private var slots = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var table = DeviceTable()

    deinit { slots.deallocate() }

    /// Bytes of memory that the slots and the table take.
    var byteCount: Int { slots.count + table.byteCount }

    /// Adds or replaces a device's token; an older generation than the stored one changes nothing.
    mutating func put(_ entry: ArenaEntry) -> Effect {
        if entry.token.count > layout.tokenBytes { widen(to: entry.token.count) }
        if let index = index(of: entry.activity.device) {
            let held = layout.generation(at: pointer(to: index))
            guard entry.activity.generation >= held else { return .outdated }
            note(layout.environment(at: pointer(to: index)), -1)
            note(entry.activity.environment, 1)
            layout.write(entry, to: pointer(to: index))
            return entry.activity.generation == held ? .unchanged : .replaced
        }
        if count == capacity { resize(to: capacity + max(FollowLimits.arenaGrowth, capacity / Self.growthDivisor)) }
        layout.write(entry, to: pointer(to: count))
        table.insert(count, hash: DeviceTable.hash(of: entry.activity.device))
        note(entry.activity.environment, 1)
        count += 1
        return .added
    }

    /// Removes a device's token; false when there is none, or a newer one.
    ///
    /// - `generation`: A newer registration stays.
    /// - `instant`: A token that was registered after it stays; nil for no such limit.
    mutating func remove(_ device: DeviceID, upTo generation: Int32, registeredBy instant: Instant? = nil) -> Bool {
        guard let index = index(of: device), layout.generation(at: pointer(to: index)) <= generation else {
            return false
        }
        if let instant, Int64(layout.registeredAt(at: pointer(to: index))) > instant.seconds { return false }
        note(layout.environment(at: pointer(to: index)), -1)
        let last = count - 1
        let (layout, start) = (layout, pointer(to: 0))
        table.remove(index, hash: DeviceTable.hash(of: device)) { layout.hash(at: start + $0 * layout.stride) }
        if index != last {
            table.move(last, to: index, hash: layout.hash(at: pointer(to: last)))
            pointer(to: index).copyMemory(from: pointer(to: last), byteCount: layout.stride)
        }
        count = last
        return true
    }

    /// Passes a device's entry to the body; nil when there is none.
    func find<R>(_ device: DeviceID, _ body: (ArenaEntry) -> R) -> R? {
        index(of: device).map { body(layout.read(at: pointer(to: $0))) }
    }

    /// Copies at most `max` entries below `cursor`, with the next cursor; nil when there are none.
    ///
    /// - `environment`: Only its entries are copied; nil for those of both.
    func slice(
        before cursor: Int,
        max: Int,
        of environment: PushEnvironment? = nil
    ) -> (slice: ArenaSlice, cursor: Int)? {
        let upper = min(cursor, count)
        let most = min(Swift.max(1, max), FollowLimits.entriesPerSlice)
        guard upper > 0, environment.map({ held(in: $0) > 0 }) ?? true else { return nil }
        guard let environment, held(in: environment) < count else {
            let lower = Swift.max(0, upper - most)
            return (ArenaSlice(copying: pointer(to: lower), layout: layout, count: upper - lower), lower)
        }
        var slice = ArenaSlice(layout: layout, capacity: most)
        var lower = upper
        while lower > 0, slice.count < most {
            lower -= 1
            let slot = pointer(to: lower)
            if layout.environment(at: slot) == environment { slice.append(slot) }
        }
        return (slice, lower)
    }

    /// The tokens of an environment.
    private func held(in environment: PushEnvironment) -> Int {
        environment == .production ? productionCount : count - productionCount
    }

    private mutating func note(_ environment: PushEnvironment, _ change: Int) {
        if environment == .production { productionCount += change }
    }

    /// Frees the memory that a build allocated in excess.
    mutating func trim() {
        guard capacity > count + Swift.max(FollowLimits.arenaGrowth, count / Self.growthDivisor) else { return }
        resize(to: count)
    }

    /// Growth by an eighth wastes 6 % of memory on average.
    private static let growthDivisor = 8

    private func index(of device: DeviceID) -> Int? {
        table.find(hash: DeviceTable.hash(of: device)) { layout.device(at: pointer(to: $0)) == device }
    }

    private func pointer(to index: Int) -> UnsafeMutableRawPointer {
        // Callers index below the capacity, which is above 0 only with memory behind it.
        slots.baseAddress.unsafelyUnwrapped + index * layout.stride
    }

    private mutating func resize(to newCapacity: Int) {
        let grown = UnsafeMutableRawBufferPointer.allocate(byteCount: newCapacity * layout.stride, alignment: 16)
        grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: slots.prefix(count * layout.stride)))
        slots.deallocate()
        slots = grown
        capacity = newCapacity
        rebuildTable()
    }

    /// Copies all slots to a layout for longer tokens, since Apple may increase their length.
    private mutating func widen(to tokenBytes: Int) {
        let wider = SlotLayout(tokenBytes: tokenBytes)
        let moved = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity * wider.stride, alignment: 16)
        for index in 0..<count {
            guard let base = moved.baseAddress else { break }
            wider.write(layout.read(at: pointer(to: index)), to: base + index * wider.stride)
        }
        slots.deallocate()
        slots = moved
        layout = wider
    }

    private mutating func rebuildTable() {
        table = DeviceTable(places: capacity)
        for index in 0..<count { table.insert(index, hash: layout.hash(at: pointer(to: index))) }
    }
}
