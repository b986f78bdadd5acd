// Entries of a list that stand for themselves are read one by one, as rows that make one picture must not be.

/// The entries of a list that can be read, and why the others cannot.
struct FeedEntries<Row: FeedReadable>: FeedReadable {
    /// Most entries that are left out; a list with more of them has another form, and is refused as a whole.
    static var refusedMax: Int { 100 }

    let rows: [Row]
    /// In the order of the list; each names its place.
    let refused: [AdapterError]

    init(feed: FeedValue) throws(AdapterError) {
        guard feed.isList else { throw feed.unlike("an array") }
        var (rows, refused): ([Row], [AdapterError]) = ([], [])
        var node = feed.node + 1
        for _ in 0..<feed.json.nodes[feed.node].count {
            do throws(AdapterError) {
                rows.append(try Row(feed: FeedValue(json: feed.json, node: node)))
            } catch {
                guard refused.count < Self.refusedMax else { throw error }
                refused.append(error)
            }
            node = Int(feed.json.nodes[node].next)
        }
        (self.rows, self.refused) = (rows, refused)
    }
}
