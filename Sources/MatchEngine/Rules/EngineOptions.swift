// An operator's choices: which moments are announced, how prominently, and how a score is written.

/// Choices for all matches of a server; every node must have the same, or their publications would differ.
public struct EngineOptions: Sendable, Hashable {
    /// Which moments are announced, and how prominently.
    public var moments: MomentPolicy
    /// How runs and wickets are written.
    public var scoreStyle: ScoreStyle

    /// Makes the options.
    public init(moments: MomentPolicy = .standard, scoreStyle: ScoreStyle = .runsWickets) {
        self.moments = moments
        self.scoreStyle = scoreStyle
    }
}
