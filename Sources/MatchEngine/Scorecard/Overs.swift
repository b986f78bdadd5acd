// Overs are not decimals: whole overs and balls are kept apart and only printed together (cricket.md C.3).

/// A count of overs and balls.
public struct Overs: Sendable, Hashable {
    /// Whole overs.
    public let overs: Int
    /// Balls of the over begun.
    public let balls: Int
    /// Balls of a whole over, at least 1.
    public let ballsPerOver: Int

    /// Splits a number of balls.
    public init(balls: Int, ballsPerOver: Int) {
        self.ballsPerOver = max(1, ballsPerOver)
        overs = max(0, balls) / self.ballsPerOver
        self.balls = max(0, balls) % self.ballsPerOver
    }

    /// All balls.
    public var totalBalls: Int { overs * ballsPerOver + balls }

    /// `12.3`, or `20` when no over is begun.
    public var text: String { balls == 0 ? String(overs) : "\(overs).\(balls)" }

    /// Overs as a format prints them: The Hundred counts balls, `63`.
    public func text(in rules: RuleSet) -> String { rules.countsBalls ? String(totalBalls) : text }

    /// The length of an innings in a sentence: `18 overs`, `1 over`; The Hundred counts balls, `63 balls`.
    func length(in rules: RuleSet) -> String {
        let isOne = rules.countsBalls ? totalBalls == 1 : overs == 1 && balls == 0
        return "\(text(in: rules)) \(rules.countsBalls ? "ball" : "over")\(isOne ? "" : "s")"
    }
}

/// Rates in whole numbers, rounded half up to two decimals (cricket.md C.4).
public enum Rate {
    /// Runs an over as `6.96`; `0.00` before the first ball.
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
    /// The product, or the largest number that there is.
    fileprivate func multipliedClamped(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
