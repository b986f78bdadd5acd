// Operators help one person through the stores and services that own the device.

import FollowService
import LiveActivities
import PushDispatcher
import ScoreTypes

/// The devices of the admin API.
struct DeviceOperations: DeviceControl {
    /// A test belongs to no match.
    private static let testMatch = MatchID(unchecked: "test-push")

    /// Over the node's own connections.
    let stores: FollowerStores
    let receipts: ReceiptMonitor
    let hub: StreamHub
    let credentials: DeviceAuthenticator
    /// nil on a node that pushes nothing.
    let push: LiveActivityServices?

    func search(_ fingerprint: Fingerprint, from bucket: Int16) async throws -> DeviceSearch {
        // The index of the devices' own tokens is read first, and only then every activity.
        if bucket == 0 {
            let owners = try await stores.devices.owners(of: fingerprint)
            if !owners.isEmpty { return DeviceSearch(found: owners) }
        }
        let (found, next) = try await stores.activities.search(
            fingerprint,
            from: bucket,
            within: ServerLimits.fingerprintSearch
        )
        return DeviceSearch(found: found, next: next)
    }

    func view(of device: DeviceID) async throws -> DeviceView? {
        guard let detail = try await stores.devices.detail(of: device) else { return nil }
        return DeviceView(
            detail: detail,
            follows: try await stores.follows.list(device),
            activities: try await activities(of: device),
            streams: hub.streamCount(of: device)
        )
    }

    func activities(
        _ choice: ActivityChoice,
        after cursor: ActivityChoice.Cursor?,
        limit: Int
    ) async throws -> ActivityPage<ActivityView> {
        let page = try await stores.activities.list(choice, after: cursor, limit: limit)
        let views = page.activities.map { activity in
            let receipt = receipts.receipt(of: activity.activityID, match: activity.match, on: activity.device)
            return ActivityView(activity: activity, receipt: receipt)
        }
        return ActivityPage(views, next: page.next)
    }

    func block(_ device: DeviceID) async throws -> Bool {
        let shown = try await activities(of: device)
        return try await close(device, shown, try await stores.devices.block(device))
    }

    func erase(_ device: DeviceID) async throws -> Bool {
        let shown = try await activities(of: device)
        return try await close(device, shown, try await stores.devices.erase(device))
    }

    func unblock(_ device: DeviceID) async throws -> Bool {
        guard try await stores.devices.unblock(device) else { return false }
        credentials.forget(device)
        return true
    }

    func revoke(_ device: DeviceID) async throws -> Bool {
        guard try await stores.devices.revoke(device) else { return false }
        credentials.forget(device)
        hub.revoke(device)
        return true
    }

    func setTester(_ device: DeviceID, _ isTester: Bool) async throws -> Bool {
        try await stores.devices.setTester(device, isTester)
    }

    func endActivity(of match: MatchID, on device: DeviceID) async throws -> Bool {
        let shown = try await activities(of: device).filter { $0.activity.match == match }
        guard let ending = try await stores.activities.beginEnd(match: match, device: device, reason: .operator) else {
            return false
        }
        receipts.forget(shown.map(\.activity.activityID), of: device)
        await push?.ending.end([ending])
        return true
    }

    func testRecipient(_ device: DeviceID) async throws -> PushRecipient? {
        guard let detail = try await stores.devices.detail(of: device) else { return nil }
        guard detail.testerAt != nil else {
            throw ServiceProblem(.conflict, "The device is not a tester's: its person has to agree to tests first.")
        }
        guard let token = detail.device.alertToken else {
            throw ServiceProblem(.conflict, "The device has no token for notifications.")
        }
        return PushRecipient(
            device: device,
            generation: token.generation,
            environment: detail.device.environment,
            token: token.token
        )
    }

    func test(_ recipient: PushRecipient) async throws -> TestAnswer {
        let payload = JSONWriter.document { json in
            json.object("aps") { aps in
                aps.object("alert") { alert in
                    alert.field("title", "Test notification")
                    alert.field("body", "An operator of this app tests the way to your phone. Nothing has happened.")
                }
                aps.field("sound", "default")
            }
        }
        guard let answer = try await push?.dispatcher.test(recipient, of: Self.testMatch, payload) else {
            throw ServiceProblem(.conflict, "This node pushes nothing to the environment of the device.")
        }
        return answer
    }

    private func activities(of device: DeviceID) async throws -> [ActivityView] {
        try await activities(
            ActivityChoice(.device(device)),
            after: nil,
            limit: Int(ServerLimits.activitiesPerPage)
        ).activities
    }

    /// Applies a block or an erasure to this node; the others read it within a second.
    private func close(_ device: DeviceID, _ shown: [ActivityView], _ ended: [EndingActivity]?) async throws -> Bool {
        credentials.forget(device)
        guard let ended else { return false }
        hub.revoke(device)
        receipts.forget(shown.map(\.activity.activityID), of: device)
        await push?.ending.end(ended)
        return true
    }
}
