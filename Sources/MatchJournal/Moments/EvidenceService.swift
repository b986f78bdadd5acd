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
        await Task { await exchange() }.value
    }

    /// Stores and reads once; what could not be stored waits for the next call.
    public func exchange() async {
        let news = evidence.takeNews()
        do {
            if !news.isEmpty { try await records.add(news) }
        } catch {
            evidence.returnNews(news)
            log.warning("counts of corrections not stored", metadata: ["error": "\(error)"])
            return
        }
        do { evidence.load(try await records.curves()) } catch {
            log.warning("counts of corrections not read", metadata: ["error": "\(error)"])
        }
    }
}
