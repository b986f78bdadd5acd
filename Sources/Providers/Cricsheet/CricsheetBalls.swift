// A document grows by a ball at a time; the balls of overs that have not changed are not made anew.

internal import MatchEngine

/// The balls of a document, and what they were made of.
struct CricsheetBalls: Sendable {
    /// Of all innings, in order.
    let deliveries: [Delivery]
    private let sides: CricsheetSides
    private let innings: [[CricsheetOver]]
    /// Where the balls of each innings begin; nil when its overs came in another order than they were bowled in.
    private let starts: [Int?]

    /// Makes the balls; those of an earlier state of the document are taken where they were made of the same.
    init(
        _ document: CricsheetDocument,
        sides: CricsheetSides,
        after earlier: CricsheetBalls?
    ) throws(AdapterError) {
        let earlier = earlier.flatMap { $0.sides == sides ? $0 : nil }
        var reader = CricsheetDeliveryReader(sides: sides)
        var found: [Delivery] = []
        found.reserveCapacity(document.innings.reduce(0) { $0 + 7 * ($1.overs?.count ?? 0) })
        var starts: [Int?] = []
        for (index, entry) in document.innings.enumerated() {
            let start = found.count
            let overs = entry.overs ?? []
            let known = earlier?.known(overs, at: index)
            if let known { found.append(contentsOf: known.deliveries) }
            let isInOrder = try reader.append(overs, from: known?.overs ?? 0, at: index, to: &found, start: start)
            starts.append(isInOrder ? start : nil)
        }
        deliveries = found
        self.starts = starts
        self.sides = sides
        innings = document.innings.map { $0.overs ?? [] }
    }

    /// How many overs an innings has in common with what it was, and their balls.
    private func known(_ overs: [CricsheetOver], at index: Int) -> (overs: Int, deliveries: ArraySlice<Delivery>)? {
        guard innings.indices.contains(index), let start = starts[index] else { return nil }
        var (count, balls) = (0, 0)
        // Overs that were not read again share their memory, and compare at once.
        while count < min(overs.count, innings[index].count), overs[count] == innings[index][count] {
            balls += overs[count].deliveries.count
            count += 1
        }
        return (count, deliveries[start..<start + balls])
    }
}
