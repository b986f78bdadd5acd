// A fuzzer starts from replies that are right; these are of the project's own match, told by the shapes.

import Foundation
import MatchEngine
import ScoreIngest
import ScoreTypes
import Simulators

/// The seeds of `Fuzzing/Corpus`, one folder for each provider.
enum FuzzSeeds {
    /// Balls of the pictures: before the first ball, in the first innings, in the second.
    private static let balls = [0, 9, 134]

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../Fuzzing/Corpus").standardized

    /// What is stored.
    static func stored(_ provider: Provider) throws -> [[UInt8]] {
        let folder = folder.appendingPathComponent(provider.rawValue)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            Array(try Data(contentsOf: folder.appendingPathComponent(name)))
        }
    }

    /// What the shapes tell now: sign-in, tables, lists and pictures of the match.
    static func made(_ provider: Provider) throws -> [(name: String, text: [UInt8])] {
        let document = try CricsheetDocument(json: DemoMatch.load().document)
        var seeds: [(String, [UInt8])] = []
        for count in balls {
            seeds.append(
                ("balls-\(count)", try text(provider, document.cut(to: count).short, count == 0 ? .toss : .live))
            )
        }
        var done = document.cut(to: 20).short
        done.info.outcome = document.info.outcome
        seeds.append(("done", try text(provider, done, .result)))
        return seeds
    }

    private static func text(
        _ provider: Provider,
        _ document: CricsheetDocument,
        _ status: MatchStatus
    ) throws -> [UInt8] {
        let adapter = FeedProof.adapter(of: provider)
        let shape = FeedShapes.shape(of: provider, key: "key")
        let match = ShownMatch(
            document: document,
            id: ProviderMatchID(unchecked: "1"),
            status: status,
            startsAt: 1_700_000_000
        )
        let credentials = ProviderCredentials(project: FeedShapes.project, key: Secret("key"), secret: Secret("key"))
        let talk = try Conversation(adapter, shape, credentials, of: match)
        var replies = ProviderReplies()
        _ = try talk.poll(match, &replies)
        let lists = adapter.listRequests(talk.session, at: talk.now(match), replies: ProviderReplies()).prefix(3)
        for request in adapter.opening(credentials) + lists {
            replies[request.part] = shape.answer(ShapeRequest(request), of: match)?.body
        }
        return AdapterProbe.text(replies)
    }
}

extension CricsheetDocument {
    /// With few balls in each innings but the last, so that a seed stays small.
    fileprivate var short: CricsheetDocument {
        var document = self
        for index in document.innings.indices {
            document.innings[index].overs = document.innings[index].overs.map { Array($0.prefix(2)) }
        }
        return document
    }
}

extension Conversation {
    /// When the match starts, which is when its feed is asked.
    func now(_ match: ShownMatch) -> Instant { Instant(milliseconds: match.startsAt * 1_000) }
}
