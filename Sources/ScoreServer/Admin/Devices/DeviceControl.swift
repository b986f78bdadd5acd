// The routes and pages about one person's device read and control it through this protocol.

import FollowService
import LiveActivities
import PushDispatcher
import ScoreTypes

/// A device with everything that operators see of it.
struct DeviceView: Sendable, Hashable {
    let detail: DeviceDetail
    let follows: [Follow]
    let activities: [ActivityView]
    /// Its open streams at this node.
    let streams: Int
}

/// An activity with its newest receipt.
struct ActivityView: Sendable, Hashable {
    let activity: ListedActivity
    /// nil when this node knows of none: there was none since its start, or another node owns the bucket.
    let receipt: KnownReceipt?

    /// Revisions that APNs accepted and the phone does not show; nil without a receipt.
    var lag: Int64? { receipt.map { max(0, activity.accepted - $0.shown) } }

    /// Its place in lists.
    var cursor: ActivityChoice.Cursor { activity.cursor }
}

/// The result of a search by fingerprint.
struct DeviceSearch: Sendable, Hashable {
    let found: [FoundToken]
    /// The bucket where the next search continues; nil at the end.
    var next: Int16?
}

/// Reads and controls single devices.
protocol DeviceControl: Sendable {
    /// Devices of a token of this fingerprint; activities are searched from a bucket on, for a second or two.
    func search(_ fingerprint: Fingerprint, from bucket: Int16) async throws -> DeviceSearch
    /// nil for an unknown device.
    func view(of device: DeviceID) async throws -> DeviceView?
    /// A page; a short or an empty one may have a next page.
    func activities(_ choice: ActivityChoice, after cursor: ActivityChoice.Cursor?, limit: Int) async throws
        -> ActivityPage<ActivityView>
    /// Each returns false for an unknown device.
    func block(_ device: DeviceID) async throws -> Bool
    func unblock(_ device: DeviceID) async throws -> Bool
    func revoke(_ device: DeviceID) async throws -> Bool
    func erase(_ device: DeviceID) async throws -> Bool
    func setTester(_ device: DeviceID, _ isTester: Bool) async throws -> Bool
    /// False when the device has no activity of the match, or it has ended.
    func endActivity(of match: MatchID, on device: DeviceID) async throws -> Bool
    /// The token for a test; nil for an unknown device, and `conflict` for one that may not or cannot receive it.
    func testRecipient(_ device: DeviceID) async throws -> PushRecipient?
    func test(_ recipient: PushRecipient) async throws -> TestAnswer
}
