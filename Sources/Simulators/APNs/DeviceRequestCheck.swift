// The rules for a push to one token, in the order in which Apple seems to look.

import HTTP2
import ScoreTypes

/// Checks the headers of a push to a device; pure.
struct DeviceRequestCheck {
    /// Longest payload, in bytes.
    static let payloadMax = 4_096
    /// Longest collapse id, in bytes.
    static let collapseMax = 64
    static let pathPrefix = "/3/device/"

    let bundleID: String
    let liveActivityTopic: String

    init(bundleID: String) {
        self.bundleID = bundleID
        liveActivityTopic = bundleID + ".push-type.liveactivity"
    }

    /// What a request asks for.
    struct Wanted {
        let isLiveActivity: Bool
        let priority: Int
    }

    func check(_ headers: HeaderBlock, body: [UInt8]) throws(PushRefusal) -> Wanted {
        if let id = headers.text("apns-id"), DeviceID(id) == nil || id != id.lowercased() { throw .badMessageID }
        guard let topic = headers.text("apns-topic") else { throw .missingTopic }
        let type = headers.text("apns-push-type") ?? "alert"
        let isLiveActivity = type == "liveactivity"
        guard isLiveActivity || type == "alert" || type == "background" else { throw .invalidPushType }
        guard topic == (isLiveActivity ? liveActivityTopic : bundleID) else { throw .topicDisallowed }
        let priority = try Self.priority(headers)
        try Self.checkExpiration(headers)
        if let collapse = headers.text("apns-collapse-id"), collapse.utf8.count > Self.collapseMax {
            throw .badCollapseID
        }
        guard !body.isEmpty else { throw .payloadEmpty }
        guard body.count <= Self.payloadMax else { throw .payloadTooLarge }
        return Wanted(isLiveActivity: isLiveActivity, priority: priority)
    }

    static func priority(_ headers: HeaderBlock) throws(PushRefusal) -> Int {
        guard let text = headers.text("apns-priority") else { return 10 }
        guard let priority = Int(text), [1, 5, 10].contains(priority) else { throw .badPriority }
        return priority
    }

    static func checkExpiration(_ headers: HeaderBlock) throws(PushRefusal) {
        guard let text = headers.text("apns-expiration") else { return }
        guard let seconds = Int64(text), seconds >= 0, seconds < 100_000_000_000 else { throw .badExpiration }
    }
}
