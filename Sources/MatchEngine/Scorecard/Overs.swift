// Overs and balls; a count of overs is no decimal number (cricket.md C.3).

/// A count of overs and balls.
public struct Overs: Sendable, Hashable {
    /// Complete overs.
    public let overs: Int
    /// Balls of the incomplete over.
    public let balls: Int
    /// Balls of a complete over, at least 1.
    public let ballsPerOver: Int

    /// Splits a number of balls.
    ///
    /// - Parameters:
    ///   - balls: Legal balls; a negative number counts as 0.
    ///   - ballsPerOver: Legal balls of an over; a number below 1 counts as 1.
    public init(balls: Int, ballsPerOver: Int) {
        self.ballsPerOver = max(1, ballsPerOver)
        overs = max(0, balls) / self.ballsPerOver
        self.balls = max(0, balls) % self.ballsPerOver
    }

    /// All balls.
    public var totalBalls: Int { overs * ballsPerOver + balls }

    /// `12.3`, or `20` without an incomplete over.
    public var text: String { balls == 0 ? String(overs) : "\(overs).\(balls)" }

    /// Overs as the format displays them; in The Hundred balls, `63`.
    public func text(in rules: RuleSet) -> String { rules.countsBalls ? String(totalBalls) : text }

    /// A length in brackets: `12.3 ov`; in The Hundred `63 balls`.
    func shortLength(in rules: RuleSet) -> String { "\(text(in: rules)) \(rules.countsBalls ? "balls" : "ov")" }

    /// A length in a sentence: `12.3 overs`, `1 over`; in The Hundred `63 balls`.
    func length(in rules: RuleSet) -> String {
        let number = text(in: rules)
        return "\(number) \(rules.countsBalls ? "ball" : "over")\(number == "1" ? "" : "s")"
    }
}

/// Rates in whole numbers, rounded half up to two decimals (cricket.md C.4).
public enum Rate {
    /// Runs an over.
    ///
    /// - Parameters:
    ///   - runs: Runs; a number below 1 gives `0.00`.
    ///   - balls: Legal balls; a number below 1 gives `0.00`.
    ///   - ballsPerOver: Legal balls of an over.
    /// - Returns: Two decimals, `6.96`.
    public static func text(runs: Int, balls: Int, ballsPerOver: Int) -> String {
        guard balls > 0, runs > 0, ballsPerOver > 0 else { return "0.00" }
        let (scaled, overflow) = runs.multipliedReportingOverflow(by: ballsPerOver.multipliedClamped(by: 200))
        guard !overflow, balls < Int.max / 2 else { return "0.00" }
        let hundredths = (scaled / balls + 1) / 2
        let cents = hundredths % 100
        return "\(hundredths / 100).\(cents < 10 ? "0" : "")\(cents)"
    }
}

extension Int {
    /// The product; `Int.max` when it overflows.
    func multipliedClamped(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
