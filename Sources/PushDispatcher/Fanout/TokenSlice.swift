// Tokens are copied from memory to the lane in slices, under the bucket's lock, into memory that is reused.

public import ScoreTypes

/// Up to `PushLimits.tokensPerSlice` tokens of one bucket.
public struct TokenSlice: Sendable {
    /// One token's device, and the place of its bytes in the slice.
    struct Entry {
        let device: DeviceID
        let generation: Int32
        let variant: UInt8
        let wish: AlertWish
        let newSince: UInt32
        let offset: Int32
        let byteCount: Int32
    }

    private(set) var entries: [Entry] = []
    private var bytes: [UInt8] = []

    /// An empty slice.
    public init() {}

    /// Entries in the slice.
    public var count: Int { entries.count }

    /// Whether no further entry fits.
    public var isFull: Bool { entries.count >= PushLimits.tokensPerSlice }

    /// Empties the slice and keeps its memory.
    public mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Copies one token into the slice.
    ///
    /// - Parameters:
    ///   - device: The device of the token.
    ///   - generation: Its generation.
    ///   - variant: The content state that the activity decodes, as the publication counts them; 0 is the first.
    ///   - wish: The alerts that the person wants.
    ///   - newSince: The first registration of the activity in seconds since 1970, rounded up; 0 after a second one.
    ///   - token: The token's bytes, 1 to 256.
    /// - Returns: False if the slice is full, or the token is empty or too long.
    @discardableResult
    public mutating func append(
        device: DeviceID,
        generation: Int32,
        variant: UInt8 = 0,
        wish: AlertWish = .all,
        newSince: UInt32 = 0,
        token: UnsafeRawBufferPointer
    ) -> Bool {
        guard !isFull, !token.isEmpty, token.count <= TypeLimits.pushTokenBytes else { return false }
        let entry = Entry(
            device: device,
            generation: generation,
            variant: variant,
            wish: wish,
            newSince: newSince,
            offset: Int32(bytes.count),
            byteCount: Int32(token.count)
        )
        bytes.append(contentsOf: token)
        entries.append(entry)
        return true
    }

    /// Calls the body with the bytes of one entry's token.
    func withToken<R>(at index: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        let entry = entries[index]
        return bytes.withUnsafeBytes { all in
            let start = Int(entry.offset)
            return body(UnsafeRawBufferPointer(rebasing: all[start..<(start + Int(entry.byteCount))]))
        }
    }
}
