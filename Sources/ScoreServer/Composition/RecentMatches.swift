// After a restart the list of results is complete: matches that ended lately are loaded from the journal.

import Logging
import MatchJournal
import ScoreTypes

/// Loads matches into the cache that ended before the start of this process.
struct RecentMatches: Sendable {
    let journal: Journal
    let matches: MatchCache
    let publications: PublicationCache
    private static let logger = Logger(label: "score.matches")

    /// Loads matches until cancelled.
    func run() async {
        while !publications.isRecovered, !Task.isCancelled {
            try? await Task.sleep(for: ServerLimits.recoveryCheckInterval)
        }
        while !Task.isCancelled {
            let pause = await fill() ? ServerLimits.recentMatchesInterval : ServerLimits.recentMatchesRetry
            try? await Task.sleep(for: pause)
        }
    }

    /// Loads missing matches one after the other; false when some could not be loaded.
    private func fill() async -> Bool {
        do {
            var isComplete = true
            let limit = ServerLimits.recentMatches
            for match in try await journal.finished(within: ServerLimits.finishedMatchAge, limit: limit) {
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
