// Stubs of the protocols by which operators help one person.

import FollowService
import LiveActivities
import MatchSamples
import ScoreTypes
import Testing

@testable import PushDispatcher
@testable import ScoreServer

struct StubPeople: DeviceControl {
    static let id = DeviceID(high: 0x1111_2222_3333_4444, low: 0x8888_9999_aaaa_bbbb)
    static let print = "0123456789ab"

    typealias List =
        @Sendable (ActivityChoice, ActivityChoice.Cursor?, Int) async throws -> ActivityPage<ActivityView>

    /// The devices that the server knows.
    var known: [DeviceID: DeviceView] = [:]
    var searched = DeviceSearch(found: [FoundToken(device: id, kind: .alert)])
    var listed: List = { _, _, _ in ActivityPage([], next: nil) }
    /// Called with the name of each order.
    var onOrder: @Sendable (String) async throws -> Void = { try unexpected($0) }

    func search(_ fingerprint: Fingerprint, from bucket: Int16) async throws -> DeviceSearch { searched }
    func view(of device: DeviceID) async throws -> DeviceView? { known[device] }
    func activities(
        _ choice: ActivityChoice,
        after cursor: ActivityChoice.Cursor?,
        limit: Int
    ) async throws -> ActivityPage<ActivityView> { try await listed(choice, cursor, limit) }
    func block(_ device: DeviceID) async throws -> Bool { try await order("block", device) }
    func unblock(_ device: DeviceID) async throws -> Bool { try await order("unblock", device) }
    func revoke(_ device: DeviceID) async throws -> Bool { try await order("revoke", device) }
    func erase(_ device: DeviceID) async throws -> Bool { try await order("erase", device) }
    func setTester(_ device: DeviceID, _ isTester: Bool) async throws -> Bool {
        try await order("tester \(isTester)", device)
    }
    func endActivity(of match: MatchID, on device: DeviceID) async throws -> Bool {
        try await order("end \(match)", device)
    }
    func testRecipient(_ device: DeviceID) async throws -> PushRecipient? {
        guard known[device] != nil, let token = PushToken(bytes: [1]) else { return nil }
        return PushRecipient(device: device, generation: 1, environment: .sandbox, token: token)
    }
    func test(_ recipient: PushRecipient) async throws -> TestAnswer {
        try await onOrder("test")
        return TestAnswer(outcome: .accepted, status: 200, reason: .none, requestID: "id")
    }

    private func order(_ name: String, _ device: DeviceID) async throws -> Bool {
        guard known[device] != nil else { return false }
        try await onOrder(name)
        return true
    }
}

extension DeviceView {
    /// A device without follows.
    static func sample(
        profile: String = #"{"appBuild":"42","model":"iPhone17,1"}"#,
        activities: [ActivityView] = []
    ) -> DeviceView {
        DeviceView(
            detail: DeviceDetail(of: StubPeople.id, profile: profile),
            follows: [],
            activities: activities,
            streams: 0
        )
    }
}

extension ActivityView {
    /// An active activity on a token, with the revision that its phone shows.
    static func sample(
        _ number: UInt64 = 1,
        match: MatchID = Samples.match,
        accepted: Int64 = 7,
        shown: Int64? = nil
    ) -> ActivityView {
        let activity = ListedActivity(
            of: DeviceID(high: 1, low: number),
            match: match,
            id: "secret-\(number)",
            accepted: accepted
        )
        let receipt = shown.map { KnownReceipt(shown: $0, observedAt: Instant(milliseconds: 1_800_000_000_000)) }
        return ActivityView(activity: activity, receipt: receipt)
    }
}

struct StubStreams: StreamControl {
    var list: [StreamView] = []
    var onOrder: @Sendable (StreamChoice, Int64?, Bool) async throws -> StreamOrderAnswers = { _, _, _ in
        try unexpected("order")
    }

    func streams(_ choice: StreamChoice) async throws -> [StreamView] { list.filter(choice.includes) }
    func order(_ choice: StreamChoice, spread: Int64?, everywhere: Bool) async throws -> StreamOrderAnswers {
        try await onOrder(choice, spread, everywhere)
    }
}
