// Most parts of a picture are the same from one poll to the next; decoding them anew would be most of the work.

internal import ScoreTypes
internal import Synchronization

/// What the bodies of parts were decoded to, beside the replies of one match and shared by their copies.
///
/// Whatever it holds saves time only: what is read of a body follows from its bytes alone.
final class ReplyMemo: Sendable {
    /// Bytes of all bodies together whose places are kept: a day's play of one match, which takes three times as much.
    static let tracedMax = 4 << 20

    /// A body and what was made of it; places only of a part that has changed before, as most pages never do.
    private struct Entry: Sendable {
        let body: [UInt8]
        let value: any Sendable
        var trace: FeedTrace?
    }

    /// At most one of each for each part, of which there are `ProviderReplies.partsMax`; beyond it all are forgotten.
    private struct Kept: Sendable {
        var entries: [ReplyPart: Entry] = [:]
        var carried: [ReplyPart: any Sendable] = [:]

        /// Forgets the places of other parts, or of this one, when all together take too much.
        mutating func forgetTraces(but newest: ReplyPart) {
            let sum = entries.values.reduce(0) { $0 + ($1.trace?.bytes.count ?? 0) }
            guard sum > ReplyMemo.tracedMax else { return }
            let own = entries[newest]?.trace?.bytes.count ?? 0
            for part in entries.keys where part != newest || own > ReplyMemo.tracedMax { entries[part]?.trace = nil }
        }
    }

    private let kept = Mutex(Kept())

    /// What a body holds: as it was decoded before when its bytes are the same.
    func value<Value: Sendable>(
        of part: ReplyPart,
        _ body: [UInt8],
        decode: ([UInt8]) throws(AdapterError) -> Value
    ) throws(AdapterError) -> Value {
        try value(of: part, body) { body, _ throws(AdapterError) in (try decode(body), nil) }
    }

    /// What a body holds, decoded with what was kept of the last one when that had other bytes.
    func value<Value: Sendable>(
        of part: ReplyPart,
        _ body: [UInt8],
        decode: ([UInt8], FeedTrace?) throws(AdapterError) -> (value: Value, trace: FeedTrace?)
    ) throws(AdapterError) -> Value {
        let known = kept.withLock { $0.entries[part] }
        // Bodies that share their memory, as those of a part that was not asked for again, compare at once.
        if let known, let value = known.value as? Value, known.body == body { return value }
        let (value, trace) = try decode(body, known?.trace)
        let entry = Entry(body: body, value: value, trace: known == nil ? nil : trace)
        kept.withLock { kept in
            if kept.entries.count >= ProviderReplies.partsMax { kept = Kept() }
            kept.entries[part] = entry
            kept.forgetTraces(but: part)
        }
        return value
    }

    /// Makes something of what was made of a part last time, and keeps it for the next time.
    func carried<Value: Sendable>(
        _ part: ReplyPart,
        _ make: (Value?) throws(AdapterError) -> Value
    ) throws(AdapterError) -> Value {
        let value = try make(kept.withLock { $0.carried[part] } as? Value)
        kept.withLock { kept in
            if kept.carried.count >= ProviderReplies.partsMax { kept.carried.removeAll() }
            kept.carried[part] = value
        }
        return value
    }
}
