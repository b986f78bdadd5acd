// The fuzzer's seeds are valid replies about the project's own match, written by the shapes.

import AdapterProbes
import Foundation
import MatchEngine
import Providers
import ScoreTypes
import Simulators

/// An input of a fuzzer.
struct FuzzSeed {
    /// Its file, without the ending.
    let name: String
    /// The replies, as `AdapterProbe` writes them.
    let text: [UInt8]
    /// The expected snapshot; a seed that the adapter refuses is useless to a fuzzer.
    let snapshot: MatchSnapshot
}

/// The seeds of `Fuzzing/Corpus`, one folder for each provider.
enum FuzzSeeds {
    /// Numbers of balls: before the first ball, in the first innings, in the second.
    private static let balls = [0, 9, 134]

    private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../..").standardized
    static let folder = project.appendingPathComponent("Fuzzing/Corpus")
    /// The project and keys that the probe signs in with.
    static let credentials = ProviderCredentials(
        project: FeedShapes.project,
        key: Secret("key"),
        secret: Secret("key")
    )

    /// Most bytes of an input, from the script that starts the fuzzers.
    ///
    /// The fuzzers truncate longer seeds, which are then no JSON.
    static func inputBytesMax() throws -> Int? {
        let script = try String(contentsOf: project.appendingPathComponent("deploy/run-fuzzers.sh"), encoding: .utf8)
        return script.firstMatch(of: #/(?m)^input_bytes_max=([0-9]+)$/#).flatMap { Int($0.1) }
    }

    /// The stored seeds.
    static func stored(_ provider: Provider) throws -> [[UInt8]] {
        let folder = folder.appendingPathComponent(provider.rawValue)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            Array(try Data(contentsOf: folder.appendingPathComponent(name)))
        }
    }

    /// The current output of the shapes: sign-in, tables, lists and states of the match.
    static func made(_ provider: Provider) throws -> [FuzzSeed] {
        let document = try CricsheetDocument(json: DemoMatch.document)
        var seeds: [FuzzSeed] = []
        for count in balls {
            seeds.append(
                try seed("balls-\(count)", provider, document.cut(to: count).short, count == 0 ? .toss : .live)
            )
        }
        var done = document.cut(to: 20).short
        done.info.outcome = document.info.outcome
        seeds.append(try seed("done", provider, done, .result))
        switch provider {
        case .sportmonks:
            // Without a line-up the squads name the players.
            seeds.append(try seed("ahead", provider, document.cut(to: 0), .scheduled))
        case .roanuz:
            let live = document.cut(to: 9)
            seeds.append(try seed("push-notice", provider, live, .live, pushed: notice))
            seeds.append(try seed("push-match", provider, live, .live) { $0[.match] ?? [] })
        case .entitySport, .cricketData, .cricsheet: break
        }
        return seeds
    }

    /// Roanuz' webhook body at the correction of the first ball of the match (cricket.md B.3).
    private static func notice(_ replies: ProviderReplies) -> [UInt8] {
        Array(
            """
            {"sport":"cricket","data_kind":"match-entry-update","data":{"matchkey":"1","ball":{"ball_key":524352,\
            "over":0,"batting_order":1,"is_delete":false},"push_reason":"Update","match_push_kind":"Ball",\
            "ts":1700000000}}
            """.utf8
        )
    }

    private static func seed(
        _ name: String,
        _ provider: Provider,
        _ document: CricsheetDocument,
        _ status: MatchStatus,
        pushed: ((ProviderReplies) -> [UInt8])? = nil
    ) throws -> FuzzSeed {
        let adapter = AdapterRegistry.adapter(for: provider)
        let shape = FeedShapes.shape(of: provider, key: "key")
        let match = ShownMatch(
            document: document,
            id: ProviderMatchID(unchecked: "1"),
            status: status,
            startsAt: 1_700_000_000
        )
        let talk = try Conversation(adapter, shape, credentials, of: match)
        var replies = ProviderReplies()
        let snapshot = try talk.poll(match, &replies)
        let lists = adapter.listRequests(talk.session, at: talk.now(match), replies: ProviderReplies()).prefix(3)
        for request in adapter.opening(credentials) + lists {
            replies[request.part] = shape.answer(ShapeRequest(request), of: match)?.body
        }
        if provider == .sportmonks { try keepUsedScores(&replies) }
        if let pushed { replies["push"] = pushed(replies) }
        return FuzzSeed(name: name, text: AdapterProbe.text(replies), snapshot: snapshot)
    }

    /// Keeps the rows of Sportmonks' table that the match uses: the whole table is larger than the limit of an input.
    private static func keepUsedScores(_ replies: inout ProviderReplies) throws {
        let match = String(decoding: try replies.required("match"), as: UTF8.self)
        let used = Set(match.matches(of: #/"(?:score_id|wicket_id)":([0-9]+)/#).compactMap { Int($0.1) })
        let body = try JSONSerialization.jsonObject(with: Data(replies.required("scores")))
        let rows = (body as? [String: Any])?["data"] as? [[String: Any]] ?? []
        let kept = rows.filter { ($0["id"] as? Int).map(used.contains) ?? false }
        replies["scores"] = Array(try JSONSerialization.data(withJSONObject: ["data": kept], options: .sortedKeys))
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
    /// The start of the match, and the time of the requests.
    func now(_ match: ShownMatch) -> Instant { Instant(milliseconds: match.startsAt * 1_000) }
}
