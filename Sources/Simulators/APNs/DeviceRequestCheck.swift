// The rules for the header fields of a push to one token, in the order in which Apple seems to look.

import ScoreTypes

/// Checks the header fields of a push to a device; pure.
struct DeviceRequestCheck {
    /// The start of the path of a push to a token.
    static let pathPrefix = Array("/3/device/".utf8)

    private let topic: [UInt8]
    private let liveActivityTopic: [UInt8]
    private let widgetTopic: [UInt8]

    init(bundleID: String) {
        topic = Array(bundleID.utf8)
        liveActivityTopic = Array((bundleID + ".push-type.liveactivity").utf8)
        widgetTopic = Array((bundleID + ".push-type.widgets").utf8)
    }

    /// The checked header fields of a request.
    struct Wanted: Equatable {
        enum Kind { case liveActivity, alert, background, widgets }
        let kind: Kind
        let priority: Int
    }

    func check(_ headers: PushHeaders, bodyCount: Int) throws(PushRefusal) -> Wanted {
        guard !headers.hasDuplicates else { throw .duplicateHeaders }
        if let id = headers.id, !id.isCanonicalUUID { throw .badMessageID }
        guard let topic = headers.topic else { throw .missingTopic }
        let kind = try Self.kind(headers.pushType)
        guard topic.equals(self.topic(of: kind)) else { throw .topicDisallowed }
        let priority = try Self.priority(headers)
        guard kind != .background || priority == 5 else { throw .badPriority }
        if let expiration = headers.expiration, expiration.wholeNumber == nil { throw .badExpiration }
        if let collapse = headers.collapseID, collapse.count > SimulatorLimits.collapseIDBytes { throw .badCollapseID }
        guard bodyCount > 0 else { throw .payloadEmpty }
        guard bodyCount <= SimulatorLimits.devicePayloadBytes else { throw .payloadTooLarge }
        return Wanted(kind: kind, priority: priority)
    }

    private func topic(of kind: Wanted.Kind) -> [UInt8] {
        switch kind {
        case .liveActivity: liveActivityTopic
        case .widgets: widgetTopic
        case .alert, .background: topic
        }
    }

    static func priority(_ headers: PushHeaders) throws(PushRefusal) -> Int {
        guard let priority = headers.priority else { return 10 }
        guard let number = priority.wholeNumber, priority.count <= 2, [1, 5, 10].contains(number) else {
            throw .badPriority
        }
        return Int(number)
    }

    private static func kind(_ type: UnsafeRawBufferPointer?) throws(PushRefusal) -> Wanted.Kind {
        guard let type else { throw .invalidPushType }
        if type.equals("liveactivity") { return .liveActivity }
        if type.equals("alert") { return .alert }
        if type.equals("background") { return .background }
        if type.equals("widgets") { return .widgets }
        throw .invalidPushType
    }
}
