// APNs answers with a tiny JSON object; a million invalid tokens must not cost a million decoders.

/// Parses `reason` and `timestamp` in an answer's body and ignores the rest.
public struct AnswerBody: Sendable, Hashable {
    /// The reason; `.none` if there is no body, `.other` if the body has none.
    public let reason: APNsReason
    /// When APNs found the token invalid, in milliseconds since 1970 (410 only).
    public let timestampMilliseconds: Int64?

    /// Parses a body, which is not kept.
    public init(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else {
            (reason, timestampMilliseconds) = (.none, nil)
            return
        }
        let text = UnsafeRawBufferPointer(rebasing: bytes.prefix(PushLimits.answerBytes))
        reason = Self.string(after: "reason", in: text).map(APNsReason.init(text:)) ?? .other
        timestampMilliseconds = Self.integer(after: "timestamp", in: text)
    }

    private static func string(after key: StaticString, in text: UnsafeRawBufferPointer) -> String? {
        guard let start = valueStart(of: key, in: text), text[start] == UInt8(ascii: "\""),
            let end = text[(start + 1)...].firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        return String(decoding: text[(start + 1)..<end], as: UTF8.self)
    }

    private static func integer(after key: StaticString, in text: UnsafeRawBufferPointer) -> Int64? {
        guard let start = valueStart(of: key, in: text) else { return nil }
        let digits = text[start...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int64(String(decoding: digits, as: UTF8.self))
    }

    /// Index of the value of `"key":`; nil if the key or its value is missing.
    private static func valueStart(of key: StaticString, in text: UnsafeRawBufferPointer) -> Int? {
        let quote = UInt8(ascii: "\"")
        let length = key.utf8CodeUnitCount
        var index = 0
        while index + length + 2 < text.count {
            defer { index += 1 }
            guard text[index] == quote, text[index + length + 1] == quote else { continue }
            let name = text[(index + 1)..<(index + 1 + length)]
            guard key.withUTF8Buffer({ name.elementsEqual($0) }) else { continue }
            var cursor = index + length + 2
            while cursor < text.count, isSpace(text[cursor]) { cursor += 1 }
            guard cursor < text.count, text[cursor] == UInt8(ascii: ":") else { continue }
            cursor += 1
            while cursor < text.count, isSpace(text[cursor]) { cursor += 1 }
            return cursor < text.count ? cursor : nil
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 }
}
