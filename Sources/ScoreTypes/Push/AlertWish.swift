// What a person wants to hear lies beside each of a million tokens: one byte, which the fan-out holds against an alert.

/// What the person behind an activity wants to be told of, and for whose side.
public struct AlertWish: RawRepresentable, Sendable, Hashable {
    /// The byte as it is stored.
    ///
    /// Bits 0 to 3: the kinds of moments as follows store them. Bits 4 and 5: the side, 0 for both sides' moments.
    public let rawValue: UInt8

    /// Wraps the byte as it is stored.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Puts a wish together.
    ///
    /// - Parameters:
    ///   - kinds: the kinds of moments, 0 to 15; higher bits are dropped.
    ///   - side: 0 for both sides' moments, 1 for the first's, 2 for the second's.
    public init(kinds: UInt8, side: UInt8 = 0) { rawValue = kinds & 0xF | (side & 3) << 4 }

    /// What somebody gets who chose nothing.
    public static let all = AlertWish(kinds: 0xF)
    /// The activity never makes a sound.
    public static let none = AlertWish(kinds: 0)

    /// The kinds of moments, 0 to 15.
    public var kinds: UInt8 { rawValue & 0xF }
    /// Whose moments: 0 both sides', 1 the first's, 2 the second's.
    public var side: UInt8 { rawValue >> 4 & 3 }
}

/// Whom an alert is for: the kinds of the moments that it tells, by the side that they belong to.
public struct AlertReach: Sendable, Hashable {
    /// For everybody who wants to be told of anything.
    public static let everybody = {
        var reach = AlertReach()
        reach.add(kinds: 0xF, side: 0)
        return reach
    }()

    private var neither: UInt8 = 0
    private var first: UInt8 = 0
    private var second: UInt8 = 0

    /// For nobody yet.
    public init() {}

    /// Adds a moment.
    ///
    /// - Parameters:
    ///   - kinds: the kinds that it falls under, 0 to 15.
    ///   - side: whose moment it is: 0 neither side's, 1 the first's, 2 the second's.
    public mutating func add(kinds: UInt8, side: UInt8) {
        switch side {
        case 1: first |= kinds & 0xF
        case 2: second |= kinds & 0xF
        default: neither |= kinds & 0xF
        }
    }

    /// Whether it tells of nothing.
    public var isEmpty: Bool { neither | first | second == 0 }

    /// Whether one of the moments is wanted: of its kind, and not the other side's.
    public func reaches(_ wish: AlertWish) -> Bool {
        var kinds = neither
        if wish.side != 2 { kinds |= first }
        if wish.side != 1 { kinds |= second }
        return kinds & wish.kinds != 0
    }
}
