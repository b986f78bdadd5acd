// Most parts of a match are the same from one poll to the next; decoding them again would be most of the work.

internal import ScoreTypes
internal import Synchronization

/// The decoded bodies of the parts of one match, shared by the copies of its replies.
///
/// They save time and change nothing: what is decoded follows from the bytes alone.
final class DecodedReplies: Sendable {
    private struct Entry: Sendable {
        let body: [UInt8]
        let value: any Sendable
        let rows: JSONRows?
    }

    /// At most one of each for each part, of `AdapterLimits.parts`; all are dropped when there are more.
    private struct Kept: Sendable {
        var entries: [ReplyPart: Entry] = [:]
        var derived: [ReplyPart: any Sendable] = [:]
        var once: [ReplyPart: (state: RepliesState, value: any Sendable)] = [:]
    }

    private let kept = Mutex(Kept())

    /// The decoded body of a part: the value from before while its bytes are the same.
    ///
    /// `decode` may take unchanged rows from the body before.
    func value<Value: Sendable>(
        of part: ReplyPart,
        _ body: [UInt8],
        decode: ([UInt8], JSONRows?) throws(AdapterError) -> (value: Value, rows: JSONRows?)
    ) throws(AdapterError) -> Value {
        let known = kept.withLock { $0.entries[part] }
        // Bodies that share their memory, as those of a part that was not requested again, compare at once.
        if let known, let value = known.value as? Value, known.body == body { return value }
        let (value, rows) = try decode(body, known?.rows)
        kept.withLock { kept in
            if kept.entries.count >= AdapterLimits.parts { kept = Kept() }
            kept.entries[part] = Entry(body: body, value: value, rows: rows)
        }
        return value
    }

    /// Makes a value from the one that was kept under a part, nil at first, and keeps it for the next time.
    func derived<Value: Sendable>(
        _ part: ReplyPart,
        _ make: (Value?) throws(AdapterError) -> Value
    ) throws(AdapterError) -> Value {
        let value = try make(kept.withLock { $0.derived[part] } as? Value)
        kept.withLock { kept in
            if kept.derived.count >= AdapterLimits.parts { kept.derived.removeAll() }
            kept.derived[part] = value
        }
        return value
    }

    /// Makes a value once for a state of the bodies, and keeps it under a part.
    func once<Value: Sendable>(
        _ part: ReplyPart,
        of state: RepliesState,
        _ make: () throws(AdapterError) -> Value
    ) throws(AdapterError) -> Value {
        if let known = kept.withLock({ $0.once[part] }), known.state === state, let value = known.value as? Value {
            return value
        }
        let value = try make()
        kept.withLock { kept in
            if kept.once.count >= AdapterLimits.parts { kept.once.removeAll() }
            kept.once[part] = (state, value)
        }
        return value
    }
}

/// The identity of the bodies of some replies; while it is held, no other bodies have it.
final class RepliesState: Sendable {}
