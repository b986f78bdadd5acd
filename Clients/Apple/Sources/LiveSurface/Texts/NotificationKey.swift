// The keys of the texts that an app translates; `Localization` in this package has the tables to copy into the app.

/// A key of an app's `Localizable.strings`.
///
/// Moments that a follower can choose have keys. A text without words, such as `J Bumrah 3/17`, has none, nor has a
/// rare text such as a tie by the DLS method: these are sent as they are.
public enum NotificationKey: String, CaseIterable, Hashable, Sendable {
    // Match and score.
    case match, score, scoreWithOvers

    // Titles.
    case wicket, hatTrick, fourInFour, fiveInFive, manyInMany, fiveWickets, manyWickets, tenInMatch
    case fifty, hundred, doubleHundred, tripleHundred, quadrupleHundred, batterRuns, sixSixes
    case teamRuns, partnershipRuns
    case allOut, declared, forfeited, inningsEnd, superOverInnings, superOver, anotherSuperOver, result
    case toss, start, resumption

    // Sentences of wickets and milestones.
    case out, outDuck, outGoldenDuck, outPair, outKingPair
    case batterInnings, bowlerOfMatch, partnership, partnershipWithExtras
    case teamAfterOvers, teamAfterBalls
    case wicketsInOvers, wicketsInOver, wicketsInBalls

    // Corrections.
    case correction, notOut

    // Sentences of the start, a pause and a super over.
    case batFirst, fieldFirst, fieldFirstWithoutToss
    case afterRain, afterBadLight, afterWetOutfield, afterFloodlightFailure, afterCrowdTrouble, afterUnfitPitch
    case afterSuspension, afterDelayedStart, afterDelayedToss
    case superOverAfterTie, superOverAgain

    // Sentences of a result.
    case wonByRun, wonByRunMethod, wonByRuns, wonByRunsMethod
    case wonByWicket, wonByWicketBall, wonByWicketBalls
    case wonByWicketMethod, wonByWicketBallMethod, wonByWicketBallsMethod
    case wonByWickets, wonByWicketsBall, wonByWicketsBalls
    case wonByWicketsMethod, wonByWicketsBallMethod, wonByWicketsBallsMethod
    case wonByInningsAndRun, wonByInningsAndRuns
    case wonByFewerWickets, won, over, awarded, awardedTo
    case tied, tiedSuperOver, tiedBowlOut, tiedBoundaryCount, drawn
    case noResult, abandoned, abandonedWithoutBall, cancelled, postponed

    /// The version of the table: it grows when a key is added or its arguments change.
    public static let version = 2
    /// The entry of an app's `Localizable.strings` that has the version of the table.
    public static let versionName = "score.version"

    private static let prefix = "score."
    private static let entries = patterns.mapValues(NotificationFormat.named)
    private static let names = Dictionary(uniqueKeysWithValues: allCases.map { ($0, prefix + $0.rawValue) })
    /// The English formats by name.
    static let englishTable = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0.english) })
    private static let byName = Dictionary(uniqueKeysWithValues: names.map { ($1, $0) })

    /// The key of a name in `Localizable.strings`; nil for another name.
    public init?(name: String) {
        guard let key = Self.byName[name] else { return nil }
        self = key
    }

    /// The name in `Localizable.strings`, such as `score.wicket`.
    public var name: String { Self.names[self] ?? Self.prefix + rawValue }
    /// The English format, such as `%1$@ won by %2$@ runs`.
    public var english: String { Self.entries[self]?.format ?? name }
    /// The meaning of each argument, in order.
    public var argumentNames: [String] { Self.entries[self]?.names ?? [] }
}
