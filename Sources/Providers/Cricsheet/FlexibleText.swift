// Seasons and groups are `2021` in one file and `"2020/21"` in the next.

internal import ScoreTypes

/// A text that files also hold as a whole number; written in the form it was read in.
public enum FlexibleText: Sendable, Hashable {
    case text(String)
    case number(Int)

    /// The characters.
    public var characters: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }
}

extension FlexibleText: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        self = try feed.isText ? .text(String(feed: feed)) : .number(Int(feed: feed))
    }

    func write(to json: inout JSONWriter) {
        switch self {
        case .text(let text): json.string(text)
        case .number(let number): json.integer(number)
        }
    }
}
