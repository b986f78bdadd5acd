// The push publication of a publication: a content state for each variant, and the content of starts.

import FollowService
import Foundation
import LiveSurface
import MatchEngine
import PushDispatcher
import ScoreTypes
import Testing

@testable import LiveActivities
@testable import MatchJournal

@Suite struct PublicationPushTests {
    private static let ownType = "LiveActivityAttributes"

    @Test func everyVariantHasItsOwnContentState() throws {
        let publication = try Self.publication()
        let push = publication.push
        let states = [push.contentState] + push.otherStates
        #expect(states.count == ActivityVariant.allCases.count)
        func text(_ variant: ActivityVariant) -> String {
            String(decoding: states[Int(variant.rawValue)], as: UTF8.self)
        }
        #expect(text(.own).hasPrefix(#"{"v":1,"#) && !text(.own).contains("progress"))
        #expect(text(.ownNewest).hasPrefix(#"{"v":2,"#) && text(.ownNewest).contains(#""progress":"#))
        #expect(text(.portable).hasPrefix(#"{"headline":"#) && text(.portable).contains(#""stage":"prompted""#))
    }

    @Test func anOlderNewestLayoutIsSentToAppsThatKnowMore() throws {
        let publication = try Self.publication(upTo: .one)
        #expect(publication.contentState(for: .ownNewest) == publication.contentState)
        let last = Farewell(of: publication)
        #expect(last.contentState(for: .ownNewest) == last.contentState)
        #expect(last.contentState != publication.contentState)
        let newest = try Self.publication(upTo: .two)
        #expect(newest.contentState == publication.contentState && newest.stateHash == publication.stateHash)
        #expect(newest.contentState(for: .ownNewest) != newest.contentState)
    }

    @Test func aStartContainsTheTypeOfTheApp() throws {
        let publication = try Self.publication()
        let now = ServiceClock().wall
        let own = publication.startContent(StartForm(variant: .ownNewest), ownType: Self.ownType, at: now)
        #expect(own.attributesType == Self.ownType && own.attributes == publication.attributes)
        #expect(own.contentState == publication.other.newestLayout)
        let portable = publication.startContent(StartForm(variant: .portable), ownType: Self.ownType, at: now)
        #expect(portable.attributesType == SurfaceRenderer.attributesType)
        #expect(String(decoding: portable.attributes, as: UTF8.self).contains(#""surfaceId":"match-mi-csk""#))
        #expect(portable.contentState == publication.other.portable?.contentState)
    }

    @Test func aStartOnAChannelNamesItInTheAttributes() throws {
        let publication = try Self.publication()
        let channel = try #require(ChannelID("dHN0LXNyY2gvY2hubA=="))
        let start = publication.startContent(
            StartForm(variant: .own, channel: channel),
            ownType: Self.ownType,
            at: ServiceClock().wall
        )
        let plain = try JSONDecoder().decode(LiveActivityAttributes.self, from: Data(publication.attributes))
        var expected = plain
        expected.channelId = channel.text
        #expect(plain.channelId == nil)
        #expect(try JSONDecoder().decode(LiveActivityAttributes.self, from: Data(start.attributes)) == expected)
    }

    private static func publication(upTo layout: ContentStateVersion = .newest) throws -> Publication {
        let info = MatchInfo(
            format: .t20,
            ballLimit: 120,
            teams: [
                TeamInfo(id: "MI", name: "Mumbai Indians", abbreviation: "MI"),
                TeamInfo(id: "CSK", name: "Chennai Super Kings", abbreviation: "CSK"),
            ]
        )
        let snapshot = MatchSnapshot(
            info: info,
            innings: [],
            deliveries: [],
            status: StatusReport(status: .scheduled),
            result: nil
        )
        var replica = MatchReplica()
        replica.apply(Differ.changes(from: MatchRecord(), to: snapshot))
        let row = PublicationRow(
            revision: 3,
            apnsTimestamp: 1_700_000_000,
            at: Instant(milliseconds: 1_700_000_000_000),
            seenAt: Instant(milliseconds: 1_700_000_000_000),
            priority: 5,
            alertKey: nil,
            cause: .reply,
            announced: []
        )
        let batch = try #require(PublicationBatch([row], confirmed: [:], now: row.at))
        let epoch = try #require(Epoch("abcdEFG1"))
        let renderer = PublicationRenderer(scheme: "score", newestLayout: layout)
        return try #require(renderer.render(batch, of: replica, match: MatchID(unchecked: "mi-csk"), epoch: epoch))
    }
}
