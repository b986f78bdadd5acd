// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

/// The bounds of the portable snapshot; a value beyond one is refused with a `SurfaceError`.
public enum SurfaceLimits {
    /// UTF-16 units of the text beside a lock accessory's gauge, which has no space for more.
    public static let shortTextUnits = 20
    /// The largest integer that JavaScript represents exactly, 2^53 - 1.
    public static let largestInteger = 9_007_199_254_740_991
    /// Seconds since 1970 of the years 0 to 9999, which RFC 3339 can represent; other instants become the nearer bound.
    static let seconds: ClosedRange<Int64> = -62_167_219_200...253_402_300_799
}
