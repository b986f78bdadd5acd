// APNs answers a rejected push with a small JSON object; a fan-out may receive a million of them.

import ScoreTypes

/// The `reason` and `timestamp` of an answer.
struct AnswerBody: Sendable, Hashable {
    /// The reason; `.none` if there is no body, `.other` if the body has none.
    let reason: APNsReason
    /// When APNs found the token invalid, in milliseconds since 1970 (410 only).
    let timestampMilliseconds: Int64?

    /// Parses a body, which is not kept.
    init(_ bytes: UnsafeRawBufferPointer) {
        let isReadable = !bytes.isEmpty && bytes.count <= PushLimits.answerBytes
        let json = isReadable ? try? JSONElement(parsing: Array(bytes), .lenient) : nil
        reason = bytes.isEmpty ? .none : json?["reason"]?.string.map(APNsReason.init(text:)) ?? .other
        timestampMilliseconds = json?["timestamp"]?.integer
    }
}
