// The plain forms that values of replies have.

extension String: FeedReadable {
    init(feed: FeedValue) throws(AdapterError) {
        guard let text = feed.json.text(feed.node) else { throw feed.unlike("a string") }
        self = text
    }
}

extension Bool: FeedReadable {
    init(feed: FeedValue) throws(AdapterError) {
        switch feed.json.nodes[feed.node].form {
        case .yes: self = true
        case .no: self = false
        default: throw feed.unlike("true or false")
        }
    }
}

extension Int: FeedReadable {
    init(feed: FeedValue) throws(AdapterError) { self = try Int(truncatingIfNeeded: Int64(feed: feed)) }
}

extension Int64: FeedReadable {
    init(feed: FeedValue) throws(AdapterError) {
        guard let number = feed.json.integer(feed.node) else { throw feed.unlike("a whole number") }
        self = number
    }
}

extension Double: FeedReadable {
    init(feed: FeedValue) throws(AdapterError) {
        guard let number = feed.json.double(feed.node) else { throw feed.unlike("a number") }
        self = number
    }
}

extension Array: FeedReadable where Element: FeedReadable {
    init(feed: FeedValue) throws(AdapterError) {
        guard feed.isList else { throw feed.unlike("an array") }
        if Element.isRow, feed.json.keepsRows {
            self = try FeedRows<Element>(feed: feed).values
            return
        }
        self = []
        let count = Int(feed.json.nodes[feed.node].count)
        reserveCapacity(count)
        var node = feed.node + 1
        for _ in 0..<count {
            append(try Element(feed: FeedValue(json: feed.json, node: node)))
            node = Int(feed.json.nodes[node].next)
        }
    }
}

extension Dictionary: FeedReadable where Key == String, Value: FeedReadable {
    /// Of a key that stands twice the first value counts.
    init(feed: FeedValue) throws(AdapterError) {
        let object = feed.json.nodes[feed.node]
        guard object.form == .object else { throw feed.unlike("an object") }
        self = Dictionary(minimumCapacity: Int(object.count))
        var name = feed.node + 1
        for _ in 0..<object.count {
            guard let key = feed.json.text(name) else { throw feed.unlike("an object") }
            let value = try Value(feed: FeedValue(json: feed.json, node: name + 1))
            if self[key] == nil { self[key] = value }
            name = Int(feed.json.nodes[name].next)
        }
    }
}
