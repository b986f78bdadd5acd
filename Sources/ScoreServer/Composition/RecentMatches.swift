// After a restart the list of results is complete: matches that ended lately are loaded from the journal.

import Logging
import MatchJournal
import ScoreTypes

/// Loads matches into the cache that ended before the start of this process.
struct RecentMatches: Sendable {
    /// Matches to load, the latest first; the fullest week of recorded cricket had 79.
    static let matchesMax = 500
    /// Real time between two rounds, since a full cache may have dropped some.
    static let roundInterval = Duration.seconds(3600)
    /// Real time before the next round after a failure.
    static let retryPause = Duration.seconds(60)
    /// Real time between two checks whether the matches in play are recovered, which comes first.
    static let recoveryCheckPause = Duration.milliseconds(200)

    let journal: Journal
    let matches: MatchCache
    let publications: PublicationCache
    private static let logger = Logger(label: "score.matches")

    /// Loads matches until cancelled.
    func run() async {
        while !publications.isRecovered, !Task.isCancelled { try? await Task.sleep(for: Self.recoveryCheckPause) }
        while !Task.isCancelled {
            let isComplete = await fill()
            try? await Task.sleep(for: isComplete ? Self.roundInterval : Self.retryPause)
        }
    }

    /// Loads missing matches one after the other; false when some could not be loaded.
    private func fill() async -> Bool {
        do {
            var isComplete = true
            for match in try await journal.finished(within: ServerLimits.finishedMatchAge, limit: Self.matchesMax) {
                if Task.isCancelled { return false }
                do { _ = try await matches.view(of: match) } catch {
                    isComplete = false
                    Self.logger.warning("match not loaded", metadata: ["match.id": "\(match)", "error": "\(error)"])
                }
            }
            return isComplete
        } catch {
            Self.logger.warning("finished matches not listed", metadata: ["error": "\(error)"])
            return false
        }
    }
}
