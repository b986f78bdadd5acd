// Tokens cross from their arena to the wire in slices, copied under the bucket's lock into memory that is reused.

public import ScoreTypes

/// Up to 256 tokens of one bucket; emptied and filled again without allocating.
public struct TokenSlice: Sendable {
    /// Entries a slice holds: large enough to make a call per slice free, small enough to hold a lock for microseconds.
    public static let countMax = 256

    /// One token's owner, and where its bytes lie in the slice.
    struct Entry {
        let device: DeviceID
        let generation: Int32
        let environment: PushEnvironment
        let variant: UInt8
        let wish: AlertWish
        let offset: Int32
        let byteCount: Int32
    }

    private(set) var entries: [Entry] = []
    private var bytes: [UInt8] = []

    /// An empty slice.
    public init() {}

    /// Entries in the slice.
    public var count: Int { entries.count }

    /// Whether nothing more fits.
    public var isFull: Bool { entries.count >= Self.countMax }

    /// Empties the slice and keeps its memory.
    public mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Copies one token in; false when the slice is full or the token is empty or over 256 bytes.
    ///
    /// - Parameters:
    ///   - device: Whose token it is.
    ///   - generation: Its generation.
    ///   - environment: Apple's world.
    ///   - variant: Which content state the activity decodes, as the publication counts them; 0 is the usual one.
    ///   - wish: What its person wants to be told of.
    ///   - token: The token's bytes.
    /// - Returns: Whether it was taken.
    @discardableResult
    public mutating func append(
        device: DeviceID,
        generation: Int32,
        environment: PushEnvironment,
        variant: UInt8 = 0,
        wish: AlertWish = .all,
        token: UnsafeRawBufferPointer
    ) -> Bool {
        guard !isFull, !token.isEmpty, token.count <= TypeLimits.pushTokenBytes else { return false }
        let entry = Entry(
            device: device,
            generation: generation,
            environment: environment,
            variant: variant,
            wish: wish,
            offset: Int32(bytes.count),
            byteCount: Int32(token.count)
        )
        bytes.append(contentsOf: token)
        entries.append(entry)
        return true
    }

    /// Gives the bytes of one entry's token.
    func withToken<R>(at index: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        let entry = entries[index]
        return bytes.withUnsafeBytes { all in
            let start = Int(entry.offset)
            return body(UnsafeRawBufferPointer(rebasing: all[start..<(start + Int(entry.byteCount))]))
        }
    }
}
