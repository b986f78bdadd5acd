// A row that has not changed is not read again: it is the value that was read of it before.

/// The elements of a list of rows, and where they stand.
struct FeedRows<Row: FeedReadable>: Sendable {
    let values: [Row]
    /// Nodes of the elements, counted from that of the list.
    private let places: [Int]

    /// Reads a list; elements that stood in its earlier form are taken from there.
    init(feed: FeedValue) throws(AdapterError) {
        let (json, list) = (feed.json, feed.node)
        let link = json.link(of: list)
        let earlier = link.flatMap { json.earlierRows[$0.earlier] as? FeedRows }
        var (values, places): ([Row], [Int]) = ([], [])
        if let earlier, let link, link.same > 0 {
            (values, places) = (earlier.values, earlier.places)
        } else {
            let count = Int(json.nodes[list].count)
            values.reserveCapacity(count)
            places.reserveCapacity(count)
            var (node, index) = (list + 1, 0)
            for _ in 0..<count {
                if let earlier, let link, let old = json.same(as: node),
                    let known = earlier.value(at: old - link.earlier, from: &index)
                {
                    values.append(known)
                } else {
                    values.append(try Row(feed: FeedValue(json: json, node: node)))
                }
                places.append(node - list)
                node = Int(json.nodes[node].next)
            }
        }
        (self.values, self.places) = (values, places)
        json.keep(self, of: list)
    }

    /// The element at a place; those that are the same stand in the same order in both lists.
    private func value(at place: Int, from index: inout Int) -> Row? {
        while index < places.count, places[index] < place { index += 1 }
        return index < places.count && places[index] == place ? values[index] : nil
    }
}
