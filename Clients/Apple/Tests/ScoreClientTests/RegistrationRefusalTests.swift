// A refused registration: the app is informed once, and the client keeps trying.

import Foundation
import Testing

@testable import ScoreClient

@Suite struct RegistrationRefusalTests {
    /// A client whose registration is in flight.
    private static func rig() -> ClientRig {
        var rig = ClientRig(seed: 1)
        rig.launch()
        advance(&rig)
        return rig
    }

    /// Answers other requests, and waits, until the registration is in flight.
    private static func advance(_ rig: inout ClientRig) {
        for _ in 0..<10 where rig.flight?.request.path != "/v1/devices" {
            if rig.flight != nil { rig.deliver() } else { rig.pass(ClientLimits.longestWait * 2) }
        }
    }

    private static func refuse(_ rig: inout ClientRig, _ status: Int = 422, _ slug: String = "app-not-served") {
        #expect(rig.flight?.request.path == "/v1/devices")
        let body = Data("{\"type\":\"/v1/problems/\(slug)\",\"status\":\(status)}".utf8)
        rig.answer(ClientResponse(status: status, body: body))
        advance(&rig)
    }

    private static func refusals(_ rig: ClientRig) -> [ClientNotice] {
        rig.notices.filter { if case .registrationRefused = $0 { true } else { false } }
    }

    @Test func theSameRefusalIsReportedOnceAndTheClientKeepsTrying() {
        var rig = Self.rig()
        for _ in 0..<3 { Self.refuse(&rig) }
        let first = ClientNotice.registrationRefused(status: 422, slug: "app-not-served")
        #expect(Self.refusals(rig) == [first])
        Self.refuse(&rig, 400, "invalid-request")
        #expect(Self.refusals(rig) == [first, .registrationRefused(status: 400, slug: "invalid-request")])
        rig.settleOrFail()
        #expect(rig.server.credentials.count == 1 && rig.notices.contains(.registered))
    }

    @Test func aNewDescriptionIsReportedAgain() {
        var rig = Self.rig()
        Self.refuse(&rig)
        rig.feed(.described(ClientRig.device))
        Self.refuse(&rig)
        #expect(Self.refusals(rig).count == 1, "the description is the same")
        var device = ClientRig.device
        device.bundleId = "example.other"
        rig.feed(.described(device))
        Self.refuse(&rig)
        #expect(Self.refusals(rig).count == 2)
    }

    @Test func aMismatchOfTheKeyIsNoRefusal() {
        var rig = Self.rig()
        Self.refuse(&rig, 422, "idempotency-mismatch")
        #expect(Self.refusals(rig).isEmpty)
    }
}
