// A payload as iOS reads it before any app does; the same bytes are decoded once for all phones.

import Foundation
import LiveSurface
import Synchronization

/// A payload as a phone reads it.
enum PhonePush: Sendable {
    case activity(ActivityPush)
    case notification(NotificationPush)
    case background
    /// A reload of the widgets.
    case widgets
    /// Not a payload that iOS knows.
    case unreadable
}

/// The payload of a Live Activity.
struct ActivityPush: Sendable {
    enum Event: String, Sendable { case start, update, end }

    /// The members that only a start has.
    struct Start: Sendable {
        let attributesType: String?
        /// Nil when they do not decode.
        let attributes: LiveActivityAttributes?
        let wantsToken: Bool
        /// The channel that the system joins; an app sees only the one that the attributes name.
        let channel: String?
    }

    let event: Event
    /// Seconds since 1970.
    let timestamp: Int64
    /// Nil when it does not decode: the app's type is then left as it was.
    let content: LiveActivityAttributes.ContentState?
    /// Whether it decodes as the content state of an app that knows the first layout only.
    let isInFirstLayout: Bool
    let alert: AlertText?
    /// Seconds since 1970.
    let staleDate: Int64?
    /// Seconds since 1970.
    let dismissalDate: Int64?
    let start: Start
}

/// The texts of an alert, formatted with the English table.
struct AlertText: Sendable, Hashable {
    var title: String?
    var subtitle: String?
    var body: String?
    /// Whether a text is a key, so that an app without the table has no text for it.
    var hasKeys = false
}

extension AlertText: Decodable {
    private enum Key: String, CodingKey {
        case title, subtitle, body
        case titleKey = "title-loc-key"
        case titleArguments = "title-loc-args"
        case subtitleKey = "subtitle-loc-key"
        case subtitleArguments = "subtitle-loc-args"
        case bodyKey = "loc-key"
        case bodyArguments = "loc-args"
    }

    /// A text, or the key of one: Live Activities have the key inside of the member, notifications beside it.
    private struct Text: Decodable {
        let text: NotificationText

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self.text = .literal(text)
                return
            }
            let keys = try decoder.container(keyedBy: Key.self)
            let arguments = try keys.decodeIfPresent([String].self, forKey: .bodyArguments) ?? []
            text = .key(try keys.decode(String.self, forKey: .bodyKey), arguments: arguments)
        }
    }

    init(from decoder: any Decoder) throws {
        if let body = try? decoder.singleValueContainer().decode(String.self) {
            self.init(title: nil, subtitle: nil, body: body)
            return
        }
        let keys = try decoder.container(keyedBy: Key.self)
        func text(_ plain: Key, _ key: Key, _ arguments: Key) throws -> NotificationText? {
            if let text = try keys.decodeIfPresent(Text.self, forKey: plain) { return text.text }
            guard let key = try keys.decodeIfPresent(String.self, forKey: key) else { return nil }
            return .key(key, arguments: try keys.decodeIfPresent([String].self, forKey: arguments) ?? [])
        }
        let texts = [
            try text(.title, .titleKey, .titleArguments), try text(.subtitle, .subtitleKey, .subtitleArguments),
            try text(.body, .bodyKey, .bodyArguments),
        ]
        self.init(
            title: texts[0]?.english,
            subtitle: texts[1]?.english,
            body: texts[2]?.english,
            hasKeys: texts.compactMap { $0 }.contains { if case .key = $0 { true } else { false } }
        )
    }
}

/// The payload of an ordinary notification.
struct NotificationPush: Sendable {
    let alert: AlertText
    let thread: String?
    /// The match of its deep link or thread.
    let match: String?
    /// Whether it lights the screen; a passive one is only listed.
    let isActive: Bool
    let hasSound: Bool
    let wakesApp: Bool
}

extension PhonePush {
    /// Decodes a body with the decoder that iOS uses for content states.
    init(_ body: [UInt8]) {
        guard let payload = try? JSONDecoder().decode(PushDocument.self, from: Data(body)) else {
            self = .unreadable
            return
        }
        let aps = payload.aps
        if let event = aps.event {
            guard let event = ActivityPush.Event(rawValue: event), let timestamp = aps.timestamp else {
                self = .unreadable
                return
            }
            let start = ActivityPush.Start(
                attributesType: aps.attributesType,
                attributes: aps.attributes?.value,
                wantsToken: aps.inputPushToken == 1,
                channel: aps.inputPushChannel
            )
            self = .activity(
                ActivityPush(
                    event: event,
                    timestamp: timestamp,
                    content: aps.contentState?.newest,
                    isInFirstLayout: aps.contentState?.isInFirstLayout ?? false,
                    alert: aps.alert,
                    staleDate: aps.staleDate,
                    dismissalDate: aps.dismissalDate,
                    start: start
                )
            )
        } else if let alert = aps.alert {
            self = .notification(
                NotificationPush(
                    alert: alert,
                    thread: aps.threadID,
                    match: payload.match,
                    isActive: aps.interruptionLevel != "passive",
                    hasSound: aps.sound != nil,
                    wakesApp: aps.contentAvailable == 1
                )
            )
        } else if aps.contentChanged == true {
            self = .widgets
        } else {
            self = aps.contentAvailable == 1 ? .background : .unreadable
        }
    }
}

/// The JSON of a push.
private struct PushDocument: Decodable {
    struct Aps: Decodable {
        let timestamp: Int64?
        let event: String?
        let contentState: Content?
        let attributesType: String?
        let attributes: Attempt<LiveActivityAttributes>?
        let inputPushToken: Int?
        let inputPushChannel: String?
        let staleDate: Int64?
        let dismissalDate: Int64?
        let alert: AlertText?
        let sound: String?
        let threadID: String?
        let interruptionLevel: String?
        let contentAvailable: Int?
        let contentChanged: Bool?

        enum CodingKeys: String, CodingKey {
            case timestamp, event, attributes, alert, sound
            case contentState = "content-state"
            case attributesType = "attributes-type"
            case inputPushToken = "input-push-token"
            case inputPushChannel = "input-push-channel"
            case staleDate = "stale-date"
            case dismissalDate = "dismissal-date"
            case threadID = "thread-id"
            case interruptionLevel = "interruption-level"
            case contentAvailable = "content-available"
            case contentChanged = "content-changed"
        }
    }

    /// A value, or nil when it does not decode.
    struct Attempt<Value: Decodable>: Decodable {
        let value: Value?
        init(from decoder: any Decoder) { value = try? Value(from: decoder) }
    }

    /// A content state as an up-to-date app and an app one version older decode it.
    struct Content: Decodable {
        let newest: LiveActivityAttributes.ContentState?
        let isInFirstLayout: Bool

        init(from decoder: any Decoder) {
            newest = try? LiveActivityAttributes.ContentState(from: decoder)
            isInFirstLayout = (try? FirstContentState(from: decoder)) != nil
        }
    }

    struct SideCar: Decodable { let deepLink: String? }

    let aps: Aps
    let liveSurface: SideCar?

    /// The last part of the deep link `<scheme>://match/<id>`, else of the thread `match-<id>`.
    var match: String? {
        let link = liveSurface?.deepLink?.split(separator: "/").last
        let thread = aps.threadID.flatMap { $0.hasPrefix("match-") ? $0.dropFirst("match-".count) : nil }
        return (link ?? thread).map(String.init)
    }
}

/// Decodes each payload once for all the phones that receive it.
final class PhonePushReader: Sendable {
    private let kept = Mutex<[(body: [UInt8], push: PhonePush)]>([])

    func read(_ body: [UInt8]) -> PhonePush {
        kept.withLock { kept in
            if let known = kept.last(where: { $0.body == body }) { return known.push }
            let push = PhonePush(body)
            if kept.count >= SimulatorLimits.checkedBodies { kept.removeFirst() }
            kept.append((body, push))
            return push
        }
    }
}
