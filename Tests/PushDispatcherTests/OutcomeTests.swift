// The table of answers is total: every status and reason has an outcome, unknown ones too.

import Testing

@testable import PushDispatcher

@Suite struct OutcomeTests {
    static let rows: [(Int, String, PushOutcome)] = [
        (400, "BadCollapseId", .rejected(.dropRequest)), (400, "BadExpirationDate", .rejected(.dropRequest)),
        (400, "BadMessageId", .rejected(.dropRequest)), (400, "BadPriority", .rejected(.dropRequest)),
        (400, "DuplicateHeaders", .rejected(.dropRequest)), (400, "PayloadEmpty", .rejected(.dropRequest)),
        (400, "InvalidPushType", .rejected(.dropRequest)), (400, "MissingDeviceToken", .rejected(.dropRequest)),
        (400, "BadDeviceToken", .rejected(.quarantine)), (400, "DeviceTokenNotForTopic", .rejected(.evict)),
        (400, "MissingTopic", .rejected(.stopEnvironment)), (400, "BadTopic", .rejected(.stopEnvironment)),
        (400, "TopicDisallowed", .rejected(.stopEnvironment)), (400, "IdleTimeout", .failed(.newConnection)),
        (403, "BadCertificate", .rejected(.stopEnvironment)),
        (403, "BadCertificateEnvironment", .rejected(.stopEnvironment)),
        (403, "ExpiredProviderToken", .failed(.renewedToken)),
        (403, "InvalidProviderToken", .rejected(.stopEnvironment)),
        (403, "MissingProviderToken", .rejected(.stopEnvironment)), (403, "Forbidden", .rejected(.stopEnvironment)),
        (403, "UnrelatedKeyIdInToken", .failed(.newConnection)),
        (403, "BadEnvironmentKeyIdInToken", .rejected(.stopEnvironment)),
        (403, "BadEnvironmentKeyInToken", .rejected(.stopEnvironment)),
        (403, "TopicMismatch", .rejected(.stopEnvironment)), (404, "BadPath", .rejected(.dropRequest)),
        (405, "MethodNotAllowed", .rejected(.dropRequest)), (410, "Unregistered", .rejected(.evict)),
        (410, "ExpiredToken", .rejected(.evict)), (413, "PayloadTooLarge", .rejected(.dropRequest)),
        (429, "TooManyProviderTokenUpdates", .failed(.sameToken)), (429, "TooManyRequests", .failed(.throttled)),
        (500, "InternalServerError", .failed(.server)), (503, "ServiceUnavailable", .failed(.server)),
        (503, "Service Unavailable", .failed(.server)), (503, "Shutdown", .failed(.draining)),
        (400, "FeatureNotEnabled", .rejected(.stopChannels)), (400, "BadChannelId", .rejected(.dropRequest)),
        (400, "ChannelNotRegistered", .rejected(.recreateChannel)),
        (400, "CannotCreateChannelConfig", .rejected(.stopChannels)),
        (400, "MissingChannelId", .rejected(.dropRequest)),
        (400, "SomethingNew", .rejected(.dropRequest)), (418, "", .rejected(.dropRequest)),
        (410, "SomethingNew", .rejected(.evict)), (429, "", .failed(.throttled)),
        (500, "SomethingNew", .failed(.server)), (599, "", .failed(.server)), (302, "", .failed(.server)),
    ]

    @Test("A9, A13, A19: every answer of APNs has its outcome", arguments: rows)
    func answer(status: Int, reason: String, outcome: PushOutcome) {
        let body = reason.isEmpty ? "" : #"{"reason":"\#(reason)"}"#
        #expect(read(body, status: status).outcome == outcome)
    }

    @Test("A19: every pair of reason and status has an outcome") func everyReasonAndStatusHasAnOutcome() {
        for status in [200, 201, 204, 400, 403, 404, 405, 410, 413, 429, 500, 503] {
            for reason in APNsReason.allCases {
                let outcome = PushOutcome(status: status, reason: reason)
                #expect((outcome == .accepted) == (200..<300).contains(status))
            }
        }
        #expect(Set(APNsReason.allCases.map(\.index)) == Set(APNsReason.allCases.indices))
    }

    @Test("A19: any body of an answer is parsed") func anyBodyIsParsed() {
        let dead = read(#"{"timestamp": 1700000000123, "reason" : "Unregistered"}"#)
        #expect(dead.reason == .unregistered)
        #expect(dead.deadSince == 1_700_000_000_123)
        #expect(read("").reason == .none)
        for text in [
            "null", "{", #"{"reason":}"#, #"{"reason":"#, #"{"reason":7}"#, #"{"reason":"x"#, #""reason""#, "\u{0}",
            #"{"reason":"\#(String(repeating: "a", count: 5000))"}"#,
        ] {
            #expect(read(text).reason == .other)
        }
        #expect(read(#"{"reason":"Unregistered","timestamp":99999999999999999999}"#).deadSince == nil)
    }

    private func read(_ text: String, status: Int = 410) -> RequestResult {
        Array(text.utf8).withUnsafeBytes { RequestResult(status: status, body: $0) }
    }
}
