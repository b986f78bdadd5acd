// An operator's choices: which moments are announced, how prominently, and how a score is written and laid out.

/// Choices for all matches of a server; every node must have the same, or their publications would differ.
public struct EngineOptions: Sendable, Hashable {
    /// Which moments are announced, and how prominently.
    public var moments: MomentPolicy
    /// How runs and wickets are written.
    public var scoreStyle: ScoreStyle
    /// The newest layout of the content state that is rendered.
    ///
    /// Nodes may differ while the setting changes: every app decodes the layouts that are older than its own, and
    /// ignores the keys of newer ones.
    public var newestLayout: ContentStateVersion

    /// Makes the options.
    public init(
        moments: MomentPolicy = .standard,
        scoreStyle: ScoreStyle = .runsWickets,
        newestLayout: ContentStateVersion = .newest
    ) {
        self.moments = moments
        self.scoreStyle = scoreStyle
        self.newestLayout = newestLayout
    }
}
