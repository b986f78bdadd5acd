// Every provider times every match is an hour of cricket a second: all cores share the list.

import Foundation
import ScoreIngest
import Simulators
import Synchronization

/// Plays match files through the feeds of providers, side by side.
struct FeedVerification: Sendable {
    /// What is drawn from unless another seed is asked for.
    static let seed: UInt64 = 20_261_121

    let files: [String]
    let providers: [Provider]
    let seed: UInt64
    let workers: Int

    /// Plays all; `heard` gets each verdict as it comes.
    ///
    /// - Returns: The sums by provider.
    func run(_ heard: @escaping @Sendable (FeedVerdict) -> Void) async -> [Provider: FeedVerdictSum] {
        let cursor = Mutex(0)
        let sums = Mutex<[Provider: FeedVerdictSum]>([:])
        let count = files.count * providers.count
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<max(1, workers) {
                group.addTask {
                    while true {
                        let index = cursor.withLock { next in
                            defer { next += 1 }
                            return next
                        }
                        guard index < count else { return }
                        // Providers one after the other, so that what is printed stands together.
                        let provider = providers[index / files.count]
                        let verdict = verdict(provider, files[index % files.count])
                        sums.withLock { $0[provider, default: FeedVerdictSum()].add(verdict) }
                        heard(verdict)
                    }
                }
            }
        }
        return sums.withLock { $0 }
    }

    private func verdict(_ provider: Provider, _ path: String) -> FeedVerdict {
        let name = path.split(separator: "/").last ?? Substring(path)
        let proof = FeedProof(
            provider: provider,
            id: ProviderMatchID(unchecked: String(name.hasSuffix(".json") ? name.dropLast(5) : name)),
            seed: seed
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
