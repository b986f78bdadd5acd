// Most parts of a picture are the same from one poll to the next; decoding them anew would be most of the work.

internal import Synchronization

/// What the bodies of parts were decoded to, beside the replies of one match and shared by their copies.
final class ReplyMemo: Sendable {
    /// A body and what was made of it.
    private struct Entry: Sendable {
        let body: [UInt8]
        let value: any Sendable
    }

    /// At most one for each part that replies may have, `ProviderReplies.partsMax`; beyond it all are forgotten.
    private let kept = Mutex<[ReplyPart: Entry]>([:])

    /// What a body holds: as it was decoded before when its bytes are the same.
    func value<Value: Sendable>(
        of part: ReplyPart,
        _ body: [UInt8],
        decode: ([UInt8]) throws(AdapterError) -> Value
    ) throws(AdapterError) -> Value {
        // Bodies that share their memory, as those of a part that was not asked for again, compare at once.
        if let known = kept.withLock({ $0[part] }), let value = known.value as? Value, known.body == body {
            return value
        }
        let value = try decode(body)
        kept.withLock { kept in
            if kept.count >= ProviderReplies.partsMax { kept.removeAll() }
            kept[part] = Entry(body: body, value: value)
        }
        return value
    }
}
