// Objects of a loop cannot leave its thread; a key that names one can.

/// Names an object of one loop.
///
/// It may be sent to any thread; only that loop's context resolves it.
public struct LoopKey<Object: AnyObject>: Sendable, Hashable {
    let id: UInt64
}

extension LoopContext {
    /// Keeps an object on this loop until `drop`, and returns its key.
    public func keep<Object: AnyObject>(_ object: Object) -> LoopKey<Object> {
        let key = LoopKey<Object>(id: nextKey)
        nextKey &+= 1
        kept[key.id] = object
        return key
    }

    /// The object of a key; nil once it was dropped.
    public subscript<Object: AnyObject>(key: LoopKey<Object>) -> Object? { kept[key.id] as? Object }

    /// Releases a kept object.
    public func drop<Object: AnyObject>(_ key: LoopKey<Object>) { kept[key.id] = nil }
}
