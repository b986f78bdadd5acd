// The offsets of a slot's fields are known only here.

internal import ScoreTypes

/// The layout of one slot in bytes: device 16, generation and variant 4, start 4, registration 4, token length 1,
/// wish and environment 1, token.
///
/// One byte more would exceed the bound of memory for a million tokens. So the variant is in the two bits above the
/// generation, and the environment in the bit above the seven of the wish.
struct SlotLayout {
    /// Bytes of a token in a slot, until a longer one is stored; activity tokens have 80 today.
    static let tokenBytesUsual = 80
    private static let generationOffset = 16
    private static let startOffset = 20
    private static let registrationOffset = 24
    private static let lengthOffset = 28
    private static let wishOffset = 29
    private static let tokenOffset = 30
    /// Bits of a generation; no activity is registered a billion times.
    private static let generationBits: UInt32 = 30
    private static let generationMask = Int32(1) << 30 - 1

    private static let production: UInt8 = 1 << 7

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

    func environment(at slot: UnsafeRawPointer) -> PushEnvironment {
        slot.loadUnaligned(fromByteOffset: Self.wishOffset, as: UInt8.self) & Self.production == 0
            ? .sandbox : .production
    }

    func hash(at slot: UnsafeRawPointer) -> UInt64 { DeviceTable.hash(of: device(at: slot)) }

    func generation(at slot: UnsafeRawPointer) -> Int32 { Int32(bitPattern: word(at: slot)) & Self.generationMask }

    /// The generation, and above it the variant.
    private func word(at slot: UnsafeRawPointer) -> UInt32 {
        slot.loadUnaligned(fromByteOffset: Self.generationOffset, as: UInt32.self)
    }

    /// The registration of the token in seconds since 1970, rounded up.
    func registeredAt(at slot: UnsafeRawPointer) -> UInt32 {
        slot.loadUnaligned(fromByteOffset: Self.registrationOffset, as: UInt32.self)
    }

    func read(at slot: UnsafeRawPointer) -> ArenaEntry {
        let length = Int(slot.loadUnaligned(fromByteOffset: Self.lengthOffset, as: UInt8.self))
        let wish = slot.loadUnaligned(fromByteOffset: Self.wishOffset, as: UInt8.self)
        let variant = UInt8(truncatingIfNeeded: word(at: slot) >> Self.generationBits)
        let activity = HeldActivity(
            device: device(at: slot),
            generation: generation(at: slot),
            startedAt: slot.loadUnaligned(fromByteOffset: Self.startOffset, as: UInt32.self),
            registeredAt: registeredAt(at: slot),
            environment: environment(at: slot),
            variant: ActivityVariant(rawValue: variant) ?? .own,
            wish: AlertWish(rawValue: wish & ~Self.production)
        )
        // No token has 0 bytes, so that 0 means 256.
        let token = UnsafeRawBufferPointer(start: slot + Self.tokenOffset, count: length == 0 ? 256 : length)
        return ArenaEntry(activity, token: token)
    }

    /// Writes an entry; its token must fit.
    func write(_ entry: ArenaEntry, to slot: UnsafeMutableRawPointer) {
        let activity = entry.activity
        let environment = activity.environment == .production ? Self.production : 0
        let wish = activity.wish.rawValue & ~Self.production | environment
        let generation = UInt32(clamping: min(activity.generation, Self.generationMask))
        slot.storeBytes(of: activity.device.high, as: UInt64.self)
        slot.storeBytes(of: activity.device.low, toByteOffset: 8, as: UInt64.self)
        let word = generation | UInt32(activity.variant.rawValue) << Self.generationBits
        slot.storeBytes(of: word, toByteOffset: Self.generationOffset, as: UInt32.self)
        slot.storeBytes(of: activity.startedAt, toByteOffset: Self.startOffset, as: UInt32.self)
        slot.storeBytes(of: activity.registeredAt, toByteOffset: Self.registrationOffset, as: UInt32.self)
        slot.storeBytes(
            of: UInt8(truncatingIfNeeded: entry.token.count),
            toByteOffset: Self.lengthOffset,
            as: UInt8.self
        )
        slot.storeBytes(of: wish, toByteOffset: Self.wishOffset, as: UInt8.self)
        guard let token = entry.token.baseAddress else { return }
        (slot + Self.tokenOffset).copyMemory(from: token, byteCount: min(entry.token.count, tokenBytes))
    }
}
