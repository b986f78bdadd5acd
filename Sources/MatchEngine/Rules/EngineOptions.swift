// What an operator may choose of how matches are told: which moments, how loudly, and how a score is written.

/// Choices that hold for all matches of a server; the same on every node, or their publications would differ.
public struct EngineOptions: Sendable, Hashable {
    /// Which moments are told, and how loudly.
    public var moments: MomentPolicy
    /// How runs and wickets are written.
    public var scoreStyle: ScoreStyle

    /// Makes the options; the standard ones where nothing is given.
    public init(moments: MomentPolicy = .standard, scoreStyle: ScoreStyle = .runsWickets) {
        self.moments = moments
        self.scoreStyle = scoreStyle
    }
}
