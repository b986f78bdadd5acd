// Older replies name only the striker of a ball; who stood at the other end follows from the order of coming in.

/// Who is in, ball by ball.
struct EntitySportCrease {
    private var waiting: [Int]
    private var pair: [Int] = []

    /// Takes the batting card in the order of coming in; those who could not bat are left out.
    init(_ inning: EntitySportInning) {
        waiting = (inning.batsmen ?? []).filter { !$0.isAbsent }.compactMap { $0.id.whole }
        fill()
    }

    /// The one at the other end while `striker` faces; nil when nobody can tell.
    mutating func partner(of striker: Int) -> Int? {
        if !pair.contains(striker) {
            waiting.removeAll { $0 == striker }
            // Somebody who came back after a retirement stands in no order: he or she took the newest one's place.
            if pair.count == 2, let newest = pair.popLast() { waiting.insert(newest, at: 0) }
            pair.append(striker)
        }
        return pair.first { $0 != striker }
    }

    /// Takes in what a ball says itself.
    mutating func place(_ striker: Int, _ nonStriker: Int) {
        pair.removeAll(keepingCapacity: true)
        pair.append(striker)
        pair.append(nonStriker)
        waiting.removeAll { $0 == striker || $0 == nonStriker }
    }

    /// Somebody has left.
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
    /// Whether he or she could not bat at all.
    var isAbsent: Bool {
        let words = ["absent", "absent hurt", "absenthurt", "absent ill"]
        return words.contains((dismissal ?? "").lowercased()) || words.contains((howOut ?? "").lowercased())
    }
}
