// Feeds write one number as 20, 20.0, "20" or true from one reply to the next.

/// A number that may also be written as a text.
struct FlexibleNumber: FeedReadable, Hashable {
    /// Longest text that is taken for a number, in bytes.
    private static let textMax = 24

    let value: Double

    init(_ value: Double) { self.value = value }

    init(feed: FeedValue) throws(AdapterError) {
        let (json, node) = (feed.json, feed.node)
        guard let number = json.double(node) ?? json.digits(node) ?? json.text(node).flatMap(Self.number) else {
            throw feed.unlike("a number")
        }
        value = number
    }

    private static func number(in text: String) -> Double? {
        guard text.utf8.count <= textMax, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// The number when it is whole.
    var whole: Int? { Int(exactly: value) }
}

/// A yes or no that may also be written as 1 or 0, or as a text; a text that is neither is refused.
struct FlexibleBool: FeedReadable, Hashable {
    let value: Bool

    init(_ value: Bool) { self.value = value }

    init(feed: FeedValue) throws(AdapterError) {
        switch feed.plain {
        case .flag(let flag): value = flag
        case .number(0): value = false
        case .number(1): value = true
        case .text(let text): value = try Self.flag(of: text, feed)
        default: throw feed.unlike("true or false")
        }
    }

    private static func flag(of text: String, _ feed: FeedValue) throws(AdapterError) -> Bool {
        switch text.lowercased() {
        case "true", "1", "yes": true
        case "false", "0", "no": false
        default: throw feed.unlike("true or false")
        }
    }
}
