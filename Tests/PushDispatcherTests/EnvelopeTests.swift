// The exact bodies of pushes.

import HTTP2
import ScoreTypes
import Testing

@testable import PushDispatcher

@Suite struct EnvelopeTests {
    @Test func updateCarriesStateTimesAndRelevance() throws {
        var publication = Fixture.publication(7)
        publication.contentState = Array(#"{"v":1,"rev":7}"#.utf8)
        let body = try Envelope.update(publication, alert: nil)
        #expect(
            text(body)
                == #"{"aps":{"timestamp":1800000007,"event":"update","content-state":{"v":1,"rev":7},"#
                + #""stale-date":1800001807,"relevance-score":50}}"#
        )
    }

    @Test func anAlertIsEscapedAndHasASound() throws {
        let body = try Envelope.update(Fixture.publication(7), alert: PushAlert(title: "A \"b\"", body: "c\nd"))
        #expect(text(body).contains(#""alert":{"title":"A \"b\"","body":"c\u000ad","sound":"default"}}}"#))
    }

    @Test func finalPublicationEndsWithDismissalInFourHours() throws {
        let body = text(try Envelope.update(Fixture.publication(7, isFinal: true), alert: nil))
        #expect(body.contains(#""event":"end""#))
        #expect(body.contains(#""dismissal-date":1800014407"#))
        #expect(!body.contains("stale-date"))
    }

    @Test func aStartContainsTypeAttributesAndSubscription() throws {
        let content = StartContent(
            match: Fixture.match,
            revision: Revision(epoch: Fixture.epoch, number: 1),
            apnsTimestamp: 1_800_000_000,
            contentState: Array("{}".utf8),
            attributesType: "LiveActivityAttributes",
            attributes: Array(#"{"matchId":"m1"}"#.utf8),
            alert: PushAlert(title: "MI v CSK", body: "starts")
        )
        let channel = try #require(ChannelID("AAAA=="))
        let byChannel = text(try Envelope.start(content, subscription: .channel(channel)))
        #expect(byChannel.contains(#""event":"start""#))
        #expect(byChannel.contains(#""attributes-type":"LiveActivityAttributes","attributes":{"matchId":"m1"}"#))
        #expect(byChannel.contains(#""input-push-channel":"AAAA==""#))
        #expect(byChannel.contains(#""alert":{"title":"MI v CSK""#))
        #expect(text(try Envelope.start(content, subscription: .token)).contains(#""input-push-token":1"#))
    }

    @Test func aNotificationIsSentAsItWasRenderedUnlessItIsTooLarge() throws {
        let payload = Array(#"{"aps":{"alert":"b"}}"#.utf8)
        #expect(try Envelope.notification(payload) == payload)
        let large = [UInt8](repeating: 0x20, count: 4097)
        #expect(throws: PayloadError.tooLarge(kind: .alert, byteCount: 4097)) { try Envelope.notification(large) }
        #expect(text(try Envelope.background()) == #"{"aps":{"content-available":1}}"#)
        #expect(text(try Envelope.widgets()) == #"{"aps":{"content-changed":true}}"#)
    }

    @Test("A14: no payload exceeds the limit", arguments: [3_990, 3_991, 3_992, 3_993, 4_500])
    func noPayloadExceedsTheLimit(stateByteCount: Int) throws {
        var publication = Fixture.publication(7)
        publication.contentState = Array(("\"" + String(repeating: "x", count: stateByteCount - 2) + "\"").utf8)
        let envelopeByteCount =
            try Envelope.update(Fixture.publication(7), alert: nil).count
            - Fixture.publication(7).contentState.count
        let due = stateByteCount + envelopeByteCount
        if due <= 4096 {
            #expect(try Envelope.update(publication, alert: nil).count == due)
        } else {
            #expect(throws: PayloadError.tooLarge(kind: .update, byteCount: due)) {
                try Envelope.update(publication, alert: nil)
            }
        }
    }

    @Test func anAlertThatDoesNotFitIsOmitted() throws {
        var publication = Fixture.publication(7, alert: "w1")
        publication.contentState = Array(("\"" + String(repeating: "x", count: 3_950) + "\"").utf8)
        let activeAlert = ActiveAlert(
            key: "w1",
            alert: PushAlert(title: "Wicket", body: String(repeating: "y", count: 100)),
            reach: .everybody,
            revision: 7,
            priority: .ten,
            at: .zero
        )
        let encoded = try EncodedPublication(
            plan: PublicationPlan(publication: publication, priority: .ten, activeAlert: activeAlert)
        )
        #expect(encoded.body(withAlert: true) === encoded.body(withAlert: false))
        #expect(encoded.activeAlert == nil)
        #expect(encoded.body(withAlert: false).count <= 4096)
    }

    @Test func eachVariantHasItsOwnBody() throws {
        var publication = Fixture.publication(7)
        publication.otherStates = [Array(#"{"headline":"MI 87/6"}"#.utf8), Array(#"{"v":2}"#.utf8)]
        let encoded = try EncodedPublication(
            plan: PublicationPlan(publication: publication, priority: .five, activeAlert: nil)
        )
        let bodies = (0...3).map { encoded.body(variant: UInt8($0), withAlert: false) }
        #expect(bodies[0] === encoded.body(withAlert: false))
        #expect(bodies[1] !== bodies[0] && bodies[2] !== bodies[0] && bodies[1] !== bodies[2])
        #expect(bodies[3] === bodies[0], "a variant without content gets the standard content")
    }

    private func text(_ body: [UInt8]) -> String { String(decoding: body, as: UTF8.self) }
}
