// Matches and phones that the tests talk about.

import MatchEngine
import MatchJournal
import Providers
import ScoreTypes
import Testing

@testable import ScoreServer

enum Samples {
    static let match = MatchID(unchecked: "ipl-final")
    /// A match that lies in the journal alone.
    static let finished = MatchID(unchecked: "old-final")

    static func revision(_ number: Int64, epoch: String = "Abcd1234") throws -> Revision {
        Revision(epoch: try #require(Epoch(epoch)), number: number)
    }

    static func info(_ first: String = "Mumbai Indians") -> MatchInfo {
        MatchInfo(
            format: .t20,
            competition: "IPL",
            ballLimit: 120,
            teams: [
                TeamInfo(id: "mi", name: first, abbreviation: "MI"),
                TeamInfo(id: "csk", name: "Chennai Super Kings", abbreviation: "CSK"),
            ],
            startsAt: 1_772_366_400
        )
    }

    /// A match in which `balls` ones were run.
    static func replica(
        balls: Int,
        status: MatchStatus = .live,
        result: ProviderResult? = nil,
        first: String = "Mumbai Indians"
    ) -> MatchReplica {
        var replica = MatchReplica()
        var changes: [Change] = [.info(info(first)), .status(StatusReport(status: status))]
        if balls > 0 { changes.append(.innings(InningsInfo(ordinal: 1, batting: .first))) }
        changes += deliveries(balls).map { .inserted($0) }
        if let result { changes.append(.result(result)) }
        replica.apply(changes)
        return replica
    }

    /// Balls of the first innings, one run off each.
    static func deliveries(_ count: Int) -> [Delivery] {
        (0..<count).map { index in
            Delivery(
                key: DeliveryKey("1.\(index)"),
                order: OrderKey(Int64(index)),
                innings: 1,
                over: index / 6,
                striker: Player(id: "rohit", name: "Rohit Sharma"),
                nonStriker: Player(id: "ishan", name: "Ishan Kishan"),
                bowler: Player(id: "chahar", name: "Deepak Chahar"),
                runs: DeliveryRuns(bat: 1)
            )
        }
    }

    static func view(
        _ number: Int64,
        balls: Int = 7,
        status: MatchStatus = .live,
        result: ProviderResult? = nil,
        match: MatchID = match,
        epoch: String = "Abcd1234",
        first: String = "Mumbai Indians"
    ) throws -> MatchView {
        let replica = replica(balls: balls, status: status, result: result, first: first)
        let content = ContentStateRenderer.render(replica.state, info: info(first), revision: number)
        return MatchView(
            MatchNews(
                match: match,
                revision: try revision(number, epoch: epoch),
                state: replica.state,
                info: info(first),
                contentState: ContentStateRenderer.bytes(of: content),
                isFinal: result != nil,
                feed: FeedID(unchecked: "main"),
                observedAt: Instant(milliseconds: 1_772_370_000_000),
                publishedAt: Instant(milliseconds: 1_772_370_000_040)
            )
        )
    }

    static let won = ProviderResult(kind: .runs(12), winner: .first)

    static let registration = """
        {"platform":"ios","bundleId":"com.example.scores","appBuild":"42","osVersion":"18.2",
        "apnsEnvironment":"sandbox","contentSchemaVersions":[1],"channelsSupported":true}
        """

    /// A phone with its credential, and the directory that knows it.
    static func device() -> (
        id: DeviceID, headers: [String: String], hash: @Sendable (DeviceID) async throws -> [UInt8]?
    ) {
        let id = DeviceID(high: 0x1111_2222_3333_4444, low: 0x8888_9999_aaaa_bbbb)
        let credential = BearerCredential(new: .device, id: id.description)
        let hash = credential.digest.bytes
        return (id, ["Authorization": "Bearer \(credential.text)"], { $0 == id ? hash : nil })
    }
}
