// A restart must not empty the list of results: what ended lately is read back from the journal.

import Logging
import MatchJournal
import ScoreTypes

/// Puts matches on the shelf that ended before this process began.
struct RecentMatches: Sendable {
    /// Most matches read back, the latest first: the fullest week of recorded cricket had 79.
    static let matchesMax = 500
    /// Real time between two looks while all is on the shelf: nothing is missed but by a full shelf.
    static let lookInterval = Duration.seconds(3600)
    /// Real time until the next look when something could not be read.
    static let retryInterval = Duration.seconds(60)
    /// Real time between two questions whether the matches that are on are back: those come first.
    static let patience = Duration.milliseconds(200)

    let journal: Journal
    let shelf: MatchCache
    let publisher: Publisher
    private let logger = Logger(label: "score.matches")

    init(journal: Journal, shelf: MatchCache, publisher: Publisher) {
        self.journal = journal
        self.shelf = shelf
        self.publisher = publisher
    }

    /// Reads back until cancelled.
    func run() async {
        while await !publisher.isRecovered, !Task.isCancelled { try? await Task.sleep(for: Self.patience) }
        while !Task.isCancelled {
            let isComplete = await fill()
            try? await Task.sleep(for: isComplete ? Self.lookInterval : Self.retryInterval)
        }
    }

    /// Reads what is not on the shelf, one match after the other; false when some could not be read.
    private func fill() async -> Bool {
        do {
            var isComplete = true
            for match in try await journal.finished(within: ServerLimits.finishedMatchAge, limit: Self.matchesMax) {
                if Task.isCancelled { return false }
                do { _ = try await shelf.view(of: match) } catch {
                    isComplete = false
                    logger.warning("match not read back", metadata: ["match.id": "\(match)", "error": "\(error)"])
                }
            }
            return isComplete
        } catch {
            logger.warning("finished matches not looked for", metadata: ["error": "\(error)"])
            return false
        }
    }
}
