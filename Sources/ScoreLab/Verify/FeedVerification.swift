// Every provider times every match is an hour of cricket a second: all cores share the list.

import Foundation
import Providers
import ScoreTypes
import Simulators
import Synchronization

/// Plays match files through the feeds of providers, side by side.
struct FeedVerification: Sendable {
    /// The default seed.
    static let seed: UInt64 = 20_261_121

    let files: [String]
    let providers: [Provider]
    let seed: UInt64
    let pace: ProofPace
    let workers: Int

    /// Picks files evenly from a list: the same for the same list.
    ///
    /// - Parameters:
    ///   - count: How many; at least 1.
    ///   - files: The list.
    /// - Returns: The files, all of them when there are no more than wanted.
    static func sample(_ count: Int, of files: [String]) -> [String] {
        guard count < files.count else { return files }
        return (0..<count).map { files[$0 * files.count / count] }
    }

    /// Plays all; `heard` receives each result.
    ///
    /// - Returns: The sums by provider.
    func run(_ heard: @escaping @Sendable (FeedVerdict) -> Void) async -> [Provider: FeedVerdictSum] {
        let ledger = Ledger()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<max(1, workers) { group.addTask { work(ledger, heard) } }
        }
        return ledger.sums
    }

    private func work(_ ledger: Ledger, _ heard: @Sendable (FeedVerdict) -> Void) {
        while true {
            let index = ledger.take()
            // Providers one after the other, so that what is printed stands together.
            guard index < files.count * providers.count else { return }
            let verdict = verdict(providers[index / files.count], files[index % files.count])
            ledger.add(verdict)
            heard(verdict)
        }
    }

    private func verdict(_ provider: Provider, _ path: String) -> FeedVerdict {
        let name = path.split(separator: "/").last ?? Substring(path)
        let proof = FeedProof(
            provider: provider,
            id: ProviderMatchID(unchecked: String(name.hasSuffix(".json") ? name.dropLast(5) : name)),
            seed: seed,
            pace: pace
        )
        guard let data = FileManager.default.contents(atPath: path), data.count <= VerifyRun.fileBytesMax else {
            return proof.failed("cannot be read, or is larger than \(VerifyRun.fileBytesMax >> 20) MiB")
        }
        do throws(AdapterError) {
            return proof.run(try CricsheetDocument(json: Array(data)))
        } catch {
            return proof.failed("\(error)")
        }
    }
}

/// The next proof that no worker has taken, and what came of those that were.
private final class Ledger: Sendable {
    private let next = Mutex(0)
    private let found = Mutex<[Provider: FeedVerdictSum]>([:])

    var sums: [Provider: FeedVerdictSum] { found.withLock { $0 } }

    func take() -> Int {
        next.withLock { index in
            defer { index += 1 }
            return index
        }
    }

    func add(_ verdict: FeedVerdict) {
        found.withLock { $0[verdict.proof.provider, default: FeedVerdictSum()].add(verdict.sum) }
    }
}
