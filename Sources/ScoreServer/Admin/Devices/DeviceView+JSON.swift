// The objects of devices and activities; texts that a device sent may not control how they are drawn.

import FollowService
import LiveActivities
import PushDispatcher
import ScoreTypes

extension DeviceView {
    /// The newest receipt of any of its activities.
    var lastReceipt: Instant? { activities.compactMap { $0.receipt?.observedAt }.max() }

    /// The device for operators, without a secret.
    var json: JSONValue {
        let (device, profile) = (detail.device, detail.device.profile)
        func text(_ text: String?) -> JSONValue? { text.map { .text(SafeText.clean($0)) } }
        func time(_ time: Instant?) -> JSONValue { time.map { .text($0.rfc3339) } ?? .null }
        func may(_ ability: DeviceAbilities) -> JSONValue { .bool(device.abilities.contains(ability)) }
        return .record([
            "id": .text(device.device.description), "bucket": .whole(Bucket(of: device.device).number),
            "createdAt": time(device.createdAt), "lastSeenAt": time(detail.seenAt),
            "lastReconcileAt": time(detail.reconciledAt), "lastReceiptAt": time(lastReceipt),
            "blockedAt": time(detail.blockedAt), "testerSince": time(detail.testerAt),
            "revoked": .bool(detail.isRevoked),
            "environment": .text(device.environment.rawValue), "bundleId": text(device.bundleID),
            "platform": text(profile.platform), "appBuild": text(profile.appBuild),
            "osVersion": text(profile.osVersion), "model": text(profile.model), "timeZone": text(profile.timeZone),
            "schemaVersion": .whole(device.schemaVersion),
            "permissions": .record([
                "activities": may(.activities), "frequentPushes": may(.frequentPushes), "alerts": may(.alerts),
                "channels": may(.channels),
            ]),
            "quietHours": device.quietHours.map { hours in
                .record(["fromMinute": .whole(hours.from), "untilMinute": .whole(hours.until)])
            } ?? .null,
            "tokens": .array(DeviceTokenKind.allCases.map(token)),
            "follows": .array(follows.sorted { $0.match < $1.match }.map(\.adminJSON)),
            "activities": .array(activities.map(\.json)), "streams": .whole(streams),
        ])
    }

    /// A token is active, none, or lost: another device or a block took it, or Apple rejected it, and the app has not
    /// sent it again.
    private func token(_ kind: DeviceTokenKind) -> JSONValue {
        let (token, isMoved) = (detail.device.token(kind), detail.device.movedTokens.contains(kind))
        return .record([
            "kind": .text(kind.rawValue), "state": .text(token != nil ? "active" : isMoved ? "lost" : "none"),
            "fingerprint": token?.token.fingerprint.map { .text($0.text) },
            "generation": token.map { .whole($0.generation) },
            "registeredAt": token.map { .text($0.at.rfc3339) },
        ])
    }
}

extension Follow {
    /// The follow for operators.
    fileprivate var adminJSON: JSONValue {
        .record([
            "match": .text(match.text), "followed": .bool(isFollowed), "dismissed": .bool(isDismissed),
            "team": .whole(settings.teamIntent.rawValue), "wantsActivity": .bool(settings.wantsActivity),
            "alerts": .array(settings.alerts.choices.map { .text($0.rawValue) }), "changedAt": .text(changedAt.rfc3339),
        ])
    }
}

extension ActivityView {
    /// The activity for operators; ids and tokens by their fingerprints.
    var json: JSONValue {
        let (channel, token): (Fingerprint?, Fingerprint?) =
            switch activity.route {
            case .channel(let channel): (Fingerprint(over: channel.text), nil)
            case .token(let token): (nil, token.fingerprint)
            case nil: (nil, nil)
            }
        return .record([
            "device": .text(activity.device.description), "match": .text(activity.match.text),
            "activity": Fingerprint(over: activity.activityID.text).map { .text($0.text) },
            "state": .text("\(activity.state)"), "endReason": activity.endReason.map { .text($0.rawValue) },
            "environment": .text(activity.environment.rawValue), "variant": .text("\(activity.variant)"),
            "channel": channel.map { .text($0.text) }, "token": token.map { .text($0.text) },
            "generation": .whole(activity.generation), "startedBy": .text(activity.startedBy.rawValue),
            "startedAt": .text(activity.startedAt.rfc3339), "registeredAt": .text(activity.tokenAt.rfc3339),
            "endingAt": activity.endingAt.map { .text($0.rfc3339) }, "knownRevision": .integer(activity.knownRev),
            "accepted": .integer(activity.accepted), "confirmed": receipt.map { .integer($0.shown) } ?? .null,
            "confirmedAt": receipt.map { .text($0.observedAt.rfc3339) } ?? .null,
            "lag": lag.map { .integer($0) } ?? .null, "stuck": .bool(receipt?.isStuck ?? false),
        ])
    }
}

extension FoundToken {
    /// The device of a token.
    var json: JSONValue {
        .record([
            "device": .text(device.description), "kind": kind.map { .text($0.rawValue) },
            "match": match.map { .text($0.text) },
        ])
    }
}

extension TestAnswer {
    /// The answer for operators.
    var json: JSONValue {
        .record([
            "done": .bool(outcome == .accepted), "outcome": .text(outcome.label), "status": .whole(status),
            "reason": .text(status == 0 ? "noAnswer" : reason.rawValue), "apnsId": .text(requestID),
        ])
    }
}

extension Fingerprint {
    /// The fingerprint of an id, over its UTF-8 bytes.
    fileprivate init?(over id: String) { self.init(sha256: SecretDigest(of: Array(id.utf8)).bytes) }
}

extension ActivityChoice.Cursor {
    /// Reads `<device>.<match>`.
    init?(_ text: String) {
        let dot = text.utf8.index(text.startIndex, offsetBy: 36, limitedBy: text.endIndex)
        guard let dot, dot < text.endIndex, text[dot] == ".", let device = DeviceID(String(text[..<dot])),
            let match = MatchID(String(text[text.index(after: dot)...]))
        else { return nil }
        self.init(device: device, match: match)
    }

    /// `<device>.<match>`.
    var text: String { "\(device).\(match)" }
}
