// Keys encode the place of a ball in its match, and of an innings in its side.

internal import MatchEngine

/// The key of a ball: innings × 2^19 + over × 2^9 + ball × 2^6 + repeat; sorting keys sorts the match.
struct RoanuzBallKey: Sendable, Hashable {
    let number: Int64

    /// Reads a key; nil for another text.
    init?(_ text: String) {
        guard let number = Int64(text), (0...AdapterLimits.ballKey).contains(number) else { return nil }
        self.number = number
    }

    /// The innings, from 1.
    var innings: Int { Int(number >> 19) }
    /// Over and ball together: from the eighth ball of an over on, the ball carries into the number of the over.
    var place: Int { Int(number >> 6 & 0x1fff) }

    /// The number of the ball in its over, from 1.
    func number(in over: Int) -> Int { place - over * 8 }

    /// Whether it is a key of a ball with this label, whose numbers may be of any size.
    func isOf(over: Int, ball: Int) -> Bool {
        guard (0...place).contains(ball) else { return false }
        let (whole, rest) = (place - ball).quotientAndRemainder(dividingBy: 8)
        return whole == over && rest == 0
    }
}

/// The key of an innings: `a_1` is the first innings of side a, `b_superover` a super over.
struct RoanuzInningsKey: Sendable, Hashable {
    let side: Side
    let isSuperOver: Bool
    /// The number of the side's innings; the scores of players are keyed by it.
    let number: String

    /// Reads a key; nil for another text.
    init?(_ text: String) {
        let parts = text.split(separator: "_", maxSplits: 1).map(String.init)
        guard parts.count == 2, let side = Side(roanuz: parts[0]) else { return nil }
        self.side = side
        number = parts[1]
        isSuperOver = parts[1].hasPrefix("super")
        guard isSuperOver || Int(parts[1]).map({ (1...9).contains($0) }) == true else { return nil }
    }
}

extension Side {
    /// The side; `a` is the first, `b` the second.
    init?(roanuz letter: String) {
        switch letter {
        case "a": self = .first
        case "b": self = .second
        default: return nil
        }
    }
}
