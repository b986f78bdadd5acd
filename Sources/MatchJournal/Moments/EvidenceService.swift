// Counts are stored in the background: a ball must not wait for statistics.

internal import Logging
internal import ScoreTypes

/// Stores what this node's matches show about their feeds, and reads what all nodes have stored.
public struct EvidenceService: Sendable {
    private let evidence: CorrectionEvidence
    private let records: EvidenceRecords
    private let log = Logger(label: "score.journal.evidence")

    /// Makes the service of a node.
    public init(_ evidence: CorrectionEvidence, records: EvidenceRecords) {
        (self.evidence, self.records) = (evidence, records)
    }

    /// Works until cancelled; what is new at the end is stored before it returns.
    public func run() async {
        while !Task.isCancelled {
            await exchange()
            try? await Task.sleep(for: JournalLimits.evidenceInterval)
        }
        // A task of its own is not cancelled.
        _ = await Task { await exchange() }.value
    }

    /// Reads what all nodes have stored, before the first match is loaded: a match keeps the waits that it takes then.
    ///
    /// A failure is repeated for a limited time, after which matches take the waits of a new feed.
    ///
    /// - Parameter span: Real time in which a further attempt begins.
    public func begin(within span: Duration = JournalLimits.evidenceStart) async {
        let start = ContinuousClock.now
        while await !exchange(), !Task.isCancelled, ContinuousClock.now - start < span {
            try? await Task.sleep(for: JournalLimits.evidenceStartPause)
        }
    }

    /// Stores and reads once; what could not be stored waits for the next call.
    ///
    /// - Returns: Whether the counts of all nodes were read.
    @discardableResult
    public func exchange() async -> Bool {
        let news = evidence.takeNews()
        do {
            if !news.isEmpty { try await records.add(news) }
        } catch {
            evidence.returnNews(news)
            log.warning("counts of corrections not stored", metadata: ["error": "\(error)"])
            return false
        }
        do { evidence.load(try await records.curves()) } catch {
            log.warning("counts of corrections not read", metadata: ["error": "\(error)"])
            return false
        }
        return true
    }
}
