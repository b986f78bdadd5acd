// The HTTP answers and phones of the tests, beside the match of all tests.

import MatchEngine
import MatchSamples
import Providers
import ScoreTypes
import Testing

@testable import MatchJournal
@testable import ScoreServer

extension Samples {
    static func revision(_ number: Int64, epoch: String = "Abcd1234") throws -> Revision {
        Revision(epoch: try #require(Epoch(epoch)), number: number)
    }

    static func view(
        _ number: Int64,
        balls: Int = 7,
        status: MatchStatus = .live,
        result: ProviderResult? = nil,
        match: MatchID = match,
        epoch: String = "Abcd1234",
        first: String = "Mumbai Indians",
        info facts: MatchInfo? = nil,
        attributes: [UInt8] = []
    ) throws -> MatchView {
        var replica = replica(balls: balls, status: status, result: result, first: first)
        if let facts { replica.apply(.info(facts)) }
        let (state, info) = (replica.state, facts ?? info(first))
        let content = ContentStateRenderer.render(state, info: info, revision: number)
        let committedAt = Instant(milliseconds: 1_772_370_000_040)
        let context = SurfaceContext(match: match, revision: number, updatedAt: committedAt, scheme: "score")
        let publication = Publication(
            match: match,
            revision: try revision(number, epoch: epoch),
            feed: FeedID(unchecked: "main"),
            apnsTimestamp: committedAt.seconds,
            contentState: ContentStateRenderer.bytes(of: content),
            stateHash: 0,
            priority: .five,
            relevance: 0,
            alert: nil,
            alertKey: nil,
            alertRevision: nil,
            alertMoment: nil,
            standingAlerts: [],
            announced: [],
            corrections: [],
            phase: state.phase,
            dayEndedAt: nil,
            isFinal: result != nil,
            cause: .reply,
            seenAt: Instant(milliseconds: 1_772_370_000_000),
            committedAt: committedAt,
            state: state,
            info: info,
            attributes: attributes,
            other: OtherContent(beside: content, of: state, info: info, in: context)
        )
        return MatchView(MatchNews(publication: publication))
    }

    static let registration = """
        {"platform":"ios","bundleId":"com.example.scores","appBuild":"42","osVersion":"18.2",
        "apnsEnvironment":"sandbox","contentSchemaVersions":[1],"frequentPushesEnabled":true,
        "channelsSupported":true}
        """

    /// A phone with its credential, and the directory that contains it.
    static func device() -> (
        id: DeviceID, headers: [String: String], hash: @Sendable (DeviceID) async throws -> [UInt8]?
    ) {
        let id = DeviceID(high: 0x1111_2222_3333_4444, low: 0x8888_9999_aaaa_bbbb)
        let credential = BearerCredential(new: .device, id: id.description)
        let hash = credential.digest.bytes
        return (id, ["Authorization": "Bearer \(credential.text)"], { $0 == id ? hash : nil })
    }
}
