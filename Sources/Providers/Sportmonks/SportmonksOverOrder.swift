// A ball that is inserted late has a higher id than later balls, and its label may be wrong; each checks the other.

internal import MatchEngine

/// The order in which the rows of one over were played.
///
/// Ids order them. Only when the labels count the balls of the over completely, each once, and in another order than
/// the ids, a ball was inserted late, and the labels decide. Balls that do not count share a label: after a wicket on
/// one of them, the batters at the crease show which came before it and which after.
struct SportmonksOverOrder {
    /// The parts of a row that decide its place.
    struct Row: Sendable {
        /// The place in the over by the label, from 1; the same for a ball that did not count and its successor.
        let place: Int
        /// False for an event without a ball; it stays after the ball before it.
        let isBall: Bool
        let isLegal: Bool
        /// The batter who was out on it; nil for none.
        var out: Int?
        /// Both batters; nil when one of them is unknown.
        var crease: [Int]?
    }

    /// The place of a ball in its over; equal for balls that only their ids order.
    private struct Rank: Comparable {
        let place: Int
        /// A ball that does not count comes before the one that does and has its label.
        let isLegal: Bool
        /// Before, at or after the wicket on an uncounted ball of this label.
        let phase: Int

        static func < (left: Rank, right: Rank) -> Bool {
            (left.place, left.isLegal ? 1 : 0, left.phase) < (right.place, right.isLegal ? 1 : 0, right.phase)
        }
    }

    /// Indices of an over's rows in order of play; nil when that is the order of `rows`, which is that of their ids.
    static func byLabels(_ rows: [Row]) -> [Int]? {
        guard rows.count <= AdapterLimits.rowsOfOver else { return nil }
        let ranks = rows.indices.map { rank(of: $0, in: rows) }
        let balls = rows.indices.filter { rows[$0].isBall }.map { ranks[$0] }
        guard zip(balls, balls.dropFirst()).contains(where: { $1 < $0 }) else { return nil }
        let first = rows.firstIndex(where: \.isBall) ?? rows.count
        // Each ball with the events after it.
        var groups: [Range<Int>] = []
        for index in first..<rows.count {
            if rows[index].isBall {
                groups.append(index..<index + 1)
            } else if let last = groups.popLast() {
                groups.append(last.lowerBound..<index + 1)
            }
        }
        groups.sort { one, other in
            let (left, right) = (ranks[one.lowerBound], ranks[other.lowerBound])
            return left == right ? one.lowerBound < other.lowerBound : left < right
        }
        var counted = 0
        for group in groups {
            let row = rows[group.lowerBound]
            guard row.place == counted + 1 else { return nil }
            if row.isLegal { counted += 1 }
        }
        return Array(0..<first) + groups.flatMap { Array($0) }
    }

    private static func rank(of index: Int, in rows: [Row]) -> Rank {
        let row = rows[index]
        let unphased = Rank(place: row.place, isLegal: row.isLegal, phase: 0)
        guard row.isBall, !row.isLegal else { return unphased }
        let wickets = rows.indices.filter { other in
            rows[other].isBall && !rows[other].isLegal && rows[other].place == row.place && rows[other].out != nil
        }
        guard wickets.count == 1, let wicket = wickets.first, let out = rows[wicket].out, wicket != index else {
            return unphased
        }
        let isBefore = row.crease.map { $0.contains(out) } ?? (index < wicket)
        return Rank(place: row.place, isLegal: row.isLegal, phase: isBefore ? -1 : 1)
    }
}
