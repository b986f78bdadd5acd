// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

/// The bounds of ``SurfaceImage``.
public enum SurfaceImageLimits {
    /// Bytes of a payload that APNs accepts; the byte meter of a sheet is full there.
    public static let payloadBytes = 4_096
    /// Bytes of a content state given by hand; a larger one is undecodable, since no push has it.
    public static let stateBytes = 16_384
    /// Least contrast of a text with its background, WCAG 2.2 level AA; a team's colour below it is replaced.
    public static let contrastMin = 4.5
    /// Factor on measured widths, since the device's font may be wider than the table.
    static let widthSafety = 1.06
    /// Characters of a text that are measured and drawn, more than any slot shows; the rest is replaced by an ellipsis.
    static let textCharacters = 160
    /// Combining marks drawn after one character, enough for every script; further ones are omitted.
    static let combiningMarks = 3
    /// Balls drawn as chips: a content state has at most ten.
    static let balls = 10
    /// States of one sheet, about 100 kB each; further ones are omitted.
    public static let sheetStates = 100
    /// Frames of one animation, more balls than a day of a Test has; further ones are omitted.
    public static let animationFrames = 1_200
}
