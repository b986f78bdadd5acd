// A part of `make fuzz` with a fixed seed: valid replies, changed thousands of times.

import AdapterProbes
import Foundation
import Providers
import ScoreTypes
import Simulators
import Testing

@Suite(.timeLimit(.minutes(5))) struct AdapterFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// The seed of all changes; FUZZ_SEED sets another.
    private static let seed = environment["FUZZ_SEED"].flatMap(UInt64.init) ?? 20_261_121
    /// Changed texts for each provider: a few seconds.
    private static let count = environment["FUZZ_COUNT"].flatMap(Int.init) ?? 300

    /// FUZZ_WRITE=1 writes the seeds again, after a change of a shape.
    @Test(arguments: Provider.allCases) func storedSeedsEqualTheShapes(provider: Provider) throws {
        let folder = FuzzSeeds.folder.appendingPathComponent(provider.rawValue)
        let seeds = try FuzzSeeds.made(provider)
        if Self.environment["FUZZ_WRITE"] != nil {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for seed in seeds { try Data(seed.text).write(to: folder.appendingPathComponent("\(seed.name).txt")) }
        }
        for seed in seeds {
            let path = folder.appendingPathComponent("\(seed.name).txt")
            #expect(
                try Data(contentsOf: path) == Data(seed.text),
                "\(path.path) differs from the shape; FUZZ_WRITE=1"
            )
            let adapter = AdapterRegistry.adapter(for: provider)
            let replies = AdapterProbe.replies(seed.text)
            #expect(AdapterProbe.text(replies) == seed.text)
            #expect(AdapterProbe.faults(of: replies, read: adapter) == [])
        }
        #expect(try FuzzSeeds.stored(provider).count == seeds.count, "a seed without a shape")
    }

    /// Input that a fuzzer truncates, or an adapter refuses, does not reach the code under test.
    @Test(arguments: Provider.allCases) func aSeedIsReadByTheAdapter(provider: Provider) throws {
        let bytesMax = try #require(try FuzzSeeds.inputBytesMax())
        let adapter = AdapterRegistry.adapter(for: provider)
        for seed in try FuzzSeeds.made(provider) {
            // The other half is for insertions of a fuzzer.
            #expect(seed.text.count <= bytesMax / 2, "\(provider.rawValue)/\(seed.name)")
            let replies = AdapterProbe.replies(Array(seed.text.prefix(bytesMax)))
            let session = try adapter.session(replies, FuzzSeeds.credentials, at: Instant(milliseconds: 0))
            #expect(try adapter.snapshot(replies, session) == seed.snapshot, "\(provider.rawValue)/\(seed.name)")
        }
    }

    @Test func webhookBodiesAreAmongTheSeeds() throws {
        var kinds: Set<String> = []
        for text in try FuzzSeeds.stored(.roanuz) {
            guard let body = AdapterProbe.replies(text)["push"] else { continue }
            switch try RoanuzPush.read(body) {
            case .notice(let notice): kinds.insert(notice.ball == nil ? "notice" : "notice of a ball")
            case .replies: kinds.insert("match")
            }
        }
        #expect(kinds == ["notice of a ball", "match"])
        let squads = try FuzzSeeds.stored(.sportmonks).flatMap { AdapterProbe.replies($0).parts }
            .filter { $0.rawValue.hasPrefix("squad.") }
        #expect(squads.count == 2)
    }

    /// Each text of a reply in turn contains a mark that changes the direction of what follows it.
    @Test("S28: no text of a feed controls how a phone draws it", arguments: Provider.allCases)
    func marksOfDirectionAreRemoved(provider: Provider) throws {
        let adapter = AdapterRegistry.adapter(for: provider)
        var readCount = 0
        for seed in try FuzzSeeds.stored(provider) {
            let text = String(decoding: seed, as: UTF8.self)
            let texts = Set(text.matches(of: #/"[^"\\]*[A-Za-z][^"\\]*"/#).map { String($0.output) })
            for quoted in texts.sorted() {
                let marked = text.replacingOccurrences(of: quoted, with: #"\#(quoted.dropLast())\u202e""#)
                let replies = AdapterProbe.replies(Array(marked.utf8))
                guard let session = try? adapter.session(replies, FuzzSeeds.credentials, at: Instant(milliseconds: 0)),
                    let snapshot = try? adapter.snapshot(replies, session)
                else { continue }
                readCount += 1
                let fixtures = (try? adapter.fixtures(replies, session)).map { "\($0)" } ?? ""
                let shown = String(decoding: try JSONEncoder().encode(snapshot), as: UTF8.self) + fixtures
                #expect(!shown.unicodeScalars.contains("\u{202e}"), "\(provider.rawValue): \(quoted)")
            }
        }
        #expect(readCount > 20, "\(readCount) replies were read")
    }

    @Test(arguments: Provider.allCases) func changedRepliesAreReadOrRefused(provider: Provider) throws {
        let seeds = try FuzzSeeds.stored(provider)
        let adapter = AdapterRegistry.adapter(for: provider)
        var mutator = ReplyMutator(seed: Self.seed)
        print("fuzz \(provider.rawValue): \(Self.count) texts, seed \(Self.seed)")
        for index in 0..<Self.count {
            let seed = seeds[index % seeds.count]
            let text = mutator.mutate(seed)
            // A poller has read the valid reply before the changed one.
            let before = AdapterProbe.replies(seed)
            let faults = AdapterProbe.faults(of: AdapterProbe.replies(text), read: adapter, after: before)
            if !faults.isEmpty { Issue.record("\(provider), seed \(Self.seed), text \(index): \(faults)") }
        }
    }
}
