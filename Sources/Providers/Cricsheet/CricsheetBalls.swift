// A document grows by one ball at a time; the balls of unchanged overs are not converted again.

internal import MatchEngine

/// The balls of a document, and the overs that they were made of.
public struct CricsheetBalls: Sendable {
    /// The deliveries of all innings, in order.
    let deliveries: [Delivery]
    private let sides: CricsheetSides
    private let innings: [[CricsheetOver]]
    /// Where the balls of each innings begin; nil when its overs were not in the order of play.
    private let starts: [Int?]

    /// Makes the balls; those of unchanged overs are taken from an earlier state of the document.
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

    /// The number of leading overs of an innings that have not changed, and their balls.
    private func known(_ overs: [CricsheetOver], at index: Int) -> (overs: Int, deliveries: ArraySlice<Delivery>)? {
        guard innings.indices.contains(index), let start = starts[index] else { return nil }
        var (count, balls) = (0, 0)
        // Overs that were not decoded again share their memory and compare at once.
        while count < min(overs.count, innings[index].count), overs[count] == innings[index][count] {
            balls += overs[count].deliveries.count
            count += 1
        }
        return (count, deliveries[start..<start + balls])
    }
}
