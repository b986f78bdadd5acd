// Every provider times every match is an hour of cricket a second: all cores share the list.

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

    /// Picks files evenly from a list, the same for the same list; all of them when there are no more than wanted.
    static func sample(_ count: Int, of files: [String]) -> [String] {
        guard count < files.count else { return files }
        return (0..<count).map { files[$0 * files.count / count] }
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
        let proof = FeedProof(provider: provider, id: id, seed: seed, pace: pace)
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
