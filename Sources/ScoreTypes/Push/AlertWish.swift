// A person's preference is stored with each of a million tokens: one byte, which the fan-out compares.

/// The kinds of moments for which an activity alerts, the side of the match, and how often it may be urgent.
public struct AlertWish: RawRepresentable, Sendable, Hashable {
    /// The stored byte.
    ///
    /// Bits 0 to 3: the kinds of moments as follows store them. Bits 4 and 5: the side, 0 for moments of both sides.
    /// Bit 6: the device does not allow frequent pushes.
    public let rawValue: UInt8

    /// Wraps a stored byte.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Combines kinds and side.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of moments, 0 to 15; higher bits are dropped.
    ///   - side: 0 for moments of both sides, 1 for the first side's, 2 for the second side's.
    ///   - isInfrequent: Whether the device does not allow frequent pushes.
    public init(kinds: UInt8, side: UInt8 = 0, isInfrequent: Bool = false) {
        rawValue = kinds & 0xF | (side & 3) << 4 | (isInfrequent ? Self.infrequent : 0)
    }

    private static let infrequent: UInt8 = 1 << 6

    /// The default preference: all moments.
    public static let all = AlertWish(kinds: 0xF)
    /// No alerts at all.
    public static let none = AlertWish(kinds: 0)

    /// The kinds of moments, 0 to 15.
    public var kinds: UInt8 { rawValue & 0xF }
    /// The side: 0 for moments of both sides, 1 for the first side's, 2 for the second side's.
    public var side: UInt8 { rawValue >> 4 & 3 }
    /// Whether the device does not allow frequent pushes: few of its updates have priority 10.
    public var isInfrequent: Bool { rawValue & Self.infrequent != 0 }
}

/// The recipients of an alert: the kinds of the moments that it announces, by side.
public struct AlertReach: Sendable, Hashable {
    /// All who want any alert.
    public static let everybody = {
        var reach = AlertReach()
        reach.add(kinds: 0xF, side: 0)
        return reach
    }()

    private var neither: UInt8 = 0
    private var first: UInt8 = 0
    private var second: UInt8 = 0

    /// No recipients.
    public init() {}

    /// Adds the recipients of a moment.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of the moment, 0 to 15.
    ///   - side: The side of the moment: 0 for neither, 1 for the first, 2 for the second.
    public mutating func add(kinds: UInt8, side: UInt8) {
        switch side {
        case 1: first |= kinds & 0xF
        case 2: second |= kinds & 0xF
        default: neither |= kinds & 0xF
        }
    }

    /// Whether there is no recipient.
    public var isEmpty: Bool { neither | first | second == 0 }

    /// Whether a preference includes one of the moments: its kind, and not only the other side's moments.
    ///
    /// - Parameter wish: The preference.
    /// - Returns: Whether the alert is sent.
    public func reaches(_ wish: AlertWish) -> Bool {
        var kinds = neither
        if wish.side != 2 { kinds |= first }
        if wish.side != 1 { kinds |= second }
        return kinds & wish.kinds != 0
    }
}
