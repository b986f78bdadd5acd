// A slice of what `make fuzz` does, the same each time: seeds of right replies, changed thousands of times.

import Foundation
import ScoreIngest
import Simulators
import Testing

@Suite(.timeLimit(.minutes(5))) struct AdapterFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// What all changes are drawn from; FUZZ_SEED asks for others.
    private static let seed = environment["FUZZ_SEED"].flatMap(UInt64.init) ?? 20_261_121
    /// Changed texts for each provider: a few seconds.
    private static let count = environment["FUZZ_COUNT"].flatMap(Int.init) ?? 300

    /// FUZZ_WRITE=1 writes the seeds anew, after a shape has learnt something.
    @Test(arguments: Provider.allCases) func seedsAreWhatTheShapesTell(provider: Provider) throws {
        let folder = FuzzSeeds.folder.appendingPathComponent(provider.rawValue)
        for (name, text) in try FuzzSeeds.made(provider) {
            let path = folder.appendingPathComponent("\(name).txt")
            if Self.environment["FUZZ_WRITE"] != nil {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try Data(text).write(to: path)
            }
            #expect(try Data(contentsOf: path) == Data(text), "\(path.path) is not what the shape tells; FUZZ_WRITE=1")
            let adapter = FeedProof.adapter(of: provider)
            let replies = AdapterProbe.replies(text)
            #expect(AdapterProbe.text(replies) == text)
            #expect(AdapterProbe.faults(of: replies, read: adapter) == [])
        }
    }

    @Test(arguments: Provider.allCases) func changedRepliesAreReadOrRefused(provider: Provider) throws {
        let seeds = try FuzzSeeds.stored(provider)
        let adapter = FeedProof.adapter(of: provider)
        var mutator = ReplyMutator(seed: Self.seed)
        print("fuzz \(provider.rawValue): \(Self.count) texts, seed \(Self.seed)")
        for index in 0..<Self.count {
            let seed = seeds[index % seeds.count]
            let text = mutator.mutate(seed)
            // A poller has read the right reply before the spoilt one.
            let before = AdapterProbe.replies(seed)
            let faults = AdapterProbe.faults(of: AdapterProbe.replies(text), read: adapter, after: before)
            if !faults.isEmpty { Issue.record("\(provider), seed \(Self.seed), text \(index): \(faults)") }
        }
    }
}
