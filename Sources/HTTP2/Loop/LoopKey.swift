// A loop's objects cannot leave its thread, but the key to one can.

/// Names an object that lives on one loop; may be sent anywhere, opens only with that loop's context.
public struct LoopKey<Object: AnyObject>: Sendable, Hashable {
    let id: UInt64
}

extension LoopContext {
    /// Keeps an object on this loop until `drop`, and names it.
    public func keep<Object: AnyObject>(_ object: Object) -> LoopKey<Object> {
        let key = LoopKey<Object>(id: nextKey)
        nextKey &+= 1
        kept[key.id] = object
        return key
    }

    /// The object that was kept under the key; nil once it was dropped.
    public subscript<Object: AnyObject>(key: LoopKey<Object>) -> Object? { kept[key.id] as? Object }

    /// Lets go of a kept object.
    public func drop<Object: AnyObject>(_ key: LoopKey<Object>) { kept[key.id] = nil }
}
