// A ball that is put in late has an id above those bowled after it, and its label may be wrong: one tells on the other.

internal import MatchEngine

/// The order in which the rows of one over were played.
///
/// Ids order them. Only when the labels count the balls of the over out, each once and without a gap, and say another
/// order than the ids do, a ball was put in late, and the labels are believed.
struct SportmonksOverOrder {
    /// A row as far as its place goes.
    struct Row {
        /// The place in the over that the label says, from 1; the same for a ball that did not count and its successor.
        let place: Int
        /// false for what happened without a ball; it stays behind the ball before it.
        let isBall: Bool
        let isLegal: Bool
    }

    /// Finds the order.
    ///
    /// - Parameter rows: The rows of an over in the order of their ids.
    /// - Returns: Indices of the rows in order of play; nil when that is the order of the ids.
    static func byLabels(_ rows: [Row]) -> [Int]? {
        let balls = rows.filter(\.isBall)
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
        groups.sort { (one, other) in
            let (left, right) = (rows[one.lowerBound], rows[other.lowerBound])
            return left < right || !(right < left) && one.lowerBound < other.lowerBound
        }
        var counted = 0
        for group in groups {
            let row = rows[group.lowerBound]
            guard row.place == counted + 1 else { return nil }
            if row.isLegal { counted += 1 }
        }
        return Array(0..<first) + groups.flatMap { Array($0) }
    }
}

extension SportmonksOverOrder.Row {
    /// A ball that does not count comes before the one that does and takes its label.
    fileprivate static func < (left: Self, right: Self) -> Bool {
        (left.place, left.isLegal ? 1 : 0) < (right.place, right.isLegal ? 1 : 0)
    }
}
