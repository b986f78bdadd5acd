// The answer to a push that APNs refused is a small JSON object; a fan-out may receive a million of them.

import ScoreTypes

/// The `reason` and `timestamp` of an answer.
public struct AnswerBody: Sendable, Hashable {
    /// The reason; `.none` when there is no body, `.other` when the body has none.
    public let reason: APNsReason
    /// Since when the token is invalid, in milliseconds since 1970; 410 only.
    public let timestampMilliseconds: Int64?

    /// Longest body that is read, in bytes; Apple's have under 100.
    public static let byteCountMax = 1024

    /// Reads a body.
    ///
    /// - Parameter bytes: The body; it is not kept.
    public init(_ bytes: UnsafeRawBufferPointer) {
        let isReadable = !bytes.isEmpty && bytes.count <= Self.byteCountMax
        let json = isReadable ? try? JSONElement(parsing: Array(bytes), .lenient) : nil
        reason = bytes.isEmpty ? .none : json?["reason"]?.string.map(APNsReason.init(text:)) ?? .other
        timestampMilliseconds = json?["timestamp"]?.integer
    }
}
