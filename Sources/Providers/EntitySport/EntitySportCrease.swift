// Older replies name only the striker of a ball; the non-striker follows from the batting order.

internal import ScoreTypes

/// The batters at the crease, ball by ball.
struct EntitySportCrease {
    private var waiting: [Int]
    private var pair: [Int] = []

    /// Starts with the batting card in batting order; absent batters are left out.
    init(_ inning: EntitySportInning) {
        waiting = (inning.batsmen ?? []).filter { !$0.isAbsent }.compactMap { $0.batsmanId.whole }
        fill()
    }

    /// The non-striker while `striker` faces; nil when unknown.
    mutating func partner(of striker: Int) -> Int? {
        if !pair.contains(striker) {
            waiting.removeAll { $0 == striker }
            // A batter who returns after a retirement is outside the order and replaces the newest one.
            if pair.count == 2, let newest = pair.popLast() { waiting.insert(newest, at: 0) }
            pair.append(striker)
        }
        return pair.first { $0 != striker }
    }

    /// Records the batters that a ball names.
    mutating func place(_ striker: Int, _ nonStriker: Int) {
        pair.removeAll(keepingCapacity: true)
        pair.append(striker)
        pair.append(nonStriker)
        waiting.removeAll { $0 == striker || $0 == nonStriker }
    }

    /// Removes a batter who has left.
    mutating func leaves(_ batter: Int) {
        pair.removeAll { $0 == batter }
        waiting.removeAll { $0 == batter }
        fill()
    }

    private mutating func fill() {
        while pair.count < 2, !waiting.isEmpty { pair.append(waiting.removeFirst()) }
    }
}

extension EntitySportInning.Batsman {
    /// Whether the batter was absent.
    var isAbsent: Bool {
        let words = ["absent", "absent hurt", "absenthurt", "absent ill"]
        return words.contains((dismissal ?? "").lowercased()) || words.contains((howOut ?? "").lowercased())
    }
}
