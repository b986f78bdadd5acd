// Every provider times every match is an hour of cricket a second: all cores share the list.

import MatchJournal
import Providers
import ScoreTypes

/// Plays match files through the feeds of providers, side by side.
struct FeedVerification: Sendable {
    /// The default seed.
    static let seed: UInt64 = 20_261_121

    let files: [String]
    let providers: [Provider]
    let seed: UInt64
    let pace: ProofPace
    let workers: Int
    /// Seconds that moments wait, by class; a provider that is missing is an unknown feed.
    var waits: [Provider: [MomentClass: Int]] = [:]

    /// Picks files evenly from a list, the same for the same list; all of them when there are no more than wanted.
    static func sample(_ count: Int, of files: [String]) -> [String] {
        guard count < files.count else { return files }
        return (0..<count).map { files[$0 * files.count / count] }
    }

    /// Plays so many of the files with an unknown feed first; returns the waits that a server has learned then.
    func learned(from count: Int) async -> [Provider: [MomentClass: Int]] {
        let evidence = CorrectionEvidence()
        let first = FeedVerification(
            files: Self.sample(count, of: files),
            providers: providers,
            // Another seed: the mistakes of the proof itself must not be known.
            seed: seed &+ 1,
            pace: pace,
            workers: workers
        )
        _ = await first.run { verdict in
            let feed = FeedID(unchecked: verdict.proof.provider.rawValue)
            evidence.take(verdict.observations, of: MatchID(unchecked: verdict.proof.id.text), from: feed)
        }
        return Dictionary(
            uniqueKeysWithValues: providers.map {
                ($0, evidence.seconds(evidence.curves[FeedID(unchecked: $0.rawValue)] ?? [:]))
            }
        )
    }

    /// Plays all and sums by provider; `receive` receives each result.
    func run(_ receive: @escaping @Sendable (FeedVerdict) -> Void) async -> [Provider: FeedVerdictSum] {
        var sums: [Provider: FeedVerdictSum] = [:]
        await MatchFile.work(on: files.count * providers.count, workers: workers) { index in
            // Providers one after the other, so that what is printed stands together.
            let verdict = verdict(providers[index / files.count], files[index % files.count])
            receive(verdict)
            return verdict
        } join: { verdict in
            sums[verdict.proof.provider, default: FeedVerdictSum()].add(verdict.sum)
        }
        return sums
    }

    private func verdict(_ provider: Provider, _ path: String) -> FeedVerdict {
        let id = ProviderMatchID(unchecked: MatchFile.id(path))
        let proof = FeedProof(provider: provider, id: id, seed: seed, pace: pace, waits: waits[provider] ?? [:])
        guard let bytes = MatchFile.bytes(path) else {
            return FeedVerdict(proof: proof, failures: [MatchFile.unreadable])
        }
        do throws(AdapterError) {
            return proof.run(try CricsheetDocument(json: bytes))
        } catch {
            return FeedVerdict(proof: proof, failures: ["\(error)"])
        }
    }
}
