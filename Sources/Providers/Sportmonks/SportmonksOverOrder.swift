// A ball that is put in late has an id above those bowled after it, and its label may be wrong: one tells on the other.

internal import MatchEngine

/// The order in which the rows of one over were played.
///
/// Ids order them. Only when the labels count the balls of the over out, each once and without a gap, and say another
/// order than the ids do, a ball was put in late, and the labels are believed. Balls that do not count share a label:
/// of these who was out on one tells which came before it, with that batter at the crease, and which after it.
struct SportmonksOverOrder {
    /// Most rows of an over whose labels are looked at, each beside all others: many times what was ever bowled in one.
    static let rowsMax = 200

    /// A row as far as its place goes.
    struct Row {
        /// The place in the over that the label says, from 1; the same for a ball that did not count and its successor.
        let place: Int
        /// false for what happened without a ball; it stays behind the ball before it.
        let isBall: Bool
        let isLegal: Bool
        /// Who was out on it; nil for nobody.
        var out: Int?
        /// Both batters; nil when one of them is not told.
        var crease: [Int]?
    }

    /// Where a ball stands among those of its over; equal for balls whose order only their ids tell.
    private struct Rank: Comparable {
        let place: Int
        /// A ball that does not count comes before the one that does and takes its label.
        let isLegal: Bool
        /// Before, at or after the wicket that fell on a ball of this label which did not count.
        let phase: Int

        static func < (left: Rank, right: Rank) -> Bool {
            (left.place, left.isLegal ? 1 : 0, left.phase) < (right.place, right.isLegal ? 1 : 0, right.phase)
        }
    }

    /// Finds the order.
    ///
    /// - Parameter rows: The rows of an over in the order of their ids.
    /// - Returns: Indices of the rows in order of play; nil when that is the order of the ids.
    static func byLabels(_ rows: [Row]) -> [Int]? {
        guard rows.count <= rowsMax else { return nil }
        let ranks = rows.indices.map { rank(of: $0, in: rows) }
        let balls = rows.indices.filter { rows[$0].isBall }.map { ranks[$0] }
        guard zip(balls, balls.dropFirst()).contains(where: { $1 < $0 }) else { return nil }
        let first = rows.firstIndex(where: \.isBall) ?? rows.count
        // Each ball with what follows it.
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
        let wickets = rows.indices.filter { other in
            rows[other].isBall && !rows[other].isLegal && rows[other].place == row.place && rows[other].out != nil
        }
        guard row.isBall, !row.isLegal, wickets.count == 1, let wicket = wickets.first, let out = rows[wicket].out,
            wicket != index
        else { return Rank(place: row.place, isLegal: row.isLegal, phase: 0) }
        let isBefore = row.crease.map { $0.contains(out) } ?? (index < wicket)
        return Rank(place: row.place, isLegal: row.isLegal, phase: isBefore ? -1 : 1)
    }
}
