// Where the fields of a slot lie, so that nothing else in the arena counts bytes.

internal import ScoreTypes

/// The layout of one slot: device 16, generation 4, start 4, registration 4, token length 1, kind 1, token.
struct SlotLayout {
    /// Bytes of the token in a slot unless a longer one has come: today's activity tokens have 80.
    static let tokenBytesUsual = 80
    private static let generationOffset = 16
    private static let startOffset = 20
    private static let registrationOffset = 24
    private static let lengthOffset = 28
    private static let kindOffset = 29
    private static let tokenOffset = 30

    let tokenBytes: Int
    let stride: Int

    init(tokenBytes: Int) {
        self.tokenBytes = tokenBytes
        stride = (Self.tokenOffset + tokenBytes + 1) & ~1
    }

    func device(at slot: UnsafeRawPointer) -> DeviceID {
        DeviceID(
            high: slot.loadUnaligned(as: UInt64.self),
            low: slot.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        )
    }

    func hash(at slot: UnsafeRawPointer) -> UInt64 { DeviceTable.hash(of: device(at: slot)) }

    func generation(at slot: UnsafeRawPointer) -> Int32 {
        slot.loadUnaligned(fromByteOffset: Self.generationOffset, as: Int32.self)
    }

    /// When the token was registered, in seconds since 1970, rounded up.
    func registeredAt(at slot: UnsafeRawPointer) -> UInt32 {
        slot.loadUnaligned(fromByteOffset: Self.registrationOffset, as: UInt32.self)
    }

    func read(at slot: UnsafeRawPointer) -> ArenaEntry {
        let length = Int(slot.loadUnaligned(fromByteOffset: Self.lengthOffset, as: UInt8.self))
        let kind = slot.loadUnaligned(fromByteOffset: Self.kindOffset, as: UInt8.self)
        return ArenaEntry(
            device: device(at: slot),
            generation: generation(at: slot),
            startedAt: slot.loadUnaligned(fromByteOffset: Self.startOffset, as: UInt32.self),
            registeredAt: registeredAt(at: slot),
            environment: kind & 1 == 0 ? .sandbox : .production,
            variant: ActivityVariant(rawValue: kind >> 1) ?? .own,
            // No token has 0 bytes, hence 0 stands for 256.
            token: UnsafeRawBufferPointer(start: slot + Self.tokenOffset, count: length == 0 ? 256 : length)
        )
    }

    /// Writes an entry; its token must fit.
    func write(_ entry: ArenaEntry, to slot: UnsafeMutableRawPointer) {
        let environment = UInt8(clamping: entry.environment.code)
        slot.storeBytes(of: entry.device.high, as: UInt64.self)
        slot.storeBytes(of: entry.device.low, toByteOffset: 8, as: UInt64.self)
        slot.storeBytes(of: entry.generation, toByteOffset: Self.generationOffset, as: Int32.self)
        slot.storeBytes(of: entry.startedAt, toByteOffset: Self.startOffset, as: UInt32.self)
        slot.storeBytes(of: entry.registeredAt, toByteOffset: Self.registrationOffset, as: UInt32.self)
        slot.storeBytes(
            of: UInt8(truncatingIfNeeded: entry.token.count),
            toByteOffset: Self.lengthOffset,
            as: UInt8.self
        )
        slot.storeBytes(of: entry.variant.rawValue << 1 | environment, toByteOffset: Self.kindOffset, as: UInt8.self)
        guard let token = entry.token.baseAddress else { return }
        (slot + Self.tokenOffset).copyMemory(from: token, byteCount: min(entry.token.count, tokenBytes))
    }
}
