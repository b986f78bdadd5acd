// The state of one phone with the time of a test, and the effects that it had.

import LiveSurface
import ScoreClient
import ScoreTypes

@testable import Simulators

/// A phone without threads, network or app: the test feeds events and reads effects.
struct PhoneStateRig {
    static let type = "LiveActivityAttributes"
    static let wall: Int64 = 1_780_000_000

    var state: PhoneSystemState
    var now: PhoneTime
    private(set) var events: [ActivityEvent] = []
    private(set) var signals: [AppSignal] = []
    private(set) var widgets: [WidgetSignal] = []
    private(set) var registered: [(token: PushToken, kind: PhoneTokenKind)] = []
    private(set) var retired: [PushToken] = []
    private(set) var joined: [ChannelID] = []
    private(set) var left: [ChannelID] = []
    private(set) var redelivered: [(PushToken, DeliveredPush)] = []

    init(
        _ release: IOSRelease = .ios18,
        faults: PhoneFaultPlan = .none,
        knowsNewestLayout: Bool = true,
        seed: UInt64 = 1
    ) {
        now = PhoneTime(wall: Self.wall * 1000, domain: .zero, real: .zero)
        let model = PhoneModel(
            release: release,
            faults: faults,
            attributesType: Self.type,
            knowsNewestLayout: knowsNewestLayout,
            speed: 1
        )
        state = PhoneSystemState(model, seed: seed)
    }

    // MARK: Events

    mutating func run(_ event: (inout PhoneSystemState, PhoneTime) -> [PhoneEffect]) {
        for effect in event(&state, now) {
            switch effect {
            case .register(let token, let kind): registered.append((token, kind))
            case .retire(let token): retired.append(token)
            case .subscribe(let channel): joined.append(channel)
            case .unsubscribe(let channel): left.append(channel)
            case .emit(let event): events.append(event)
            case .widget(let signal): widgets.append(signal)
            case .redeliver(let pushes): redelivered += pushes
            case .signal(let signal):
                signals.append(signal)
                // The app reads its activities as soon as it runs.
                if case .launched = signal { events += state.beginReading() }
            }
        }
    }

    /// Moves all clocks, and lets the phone handle everything that is due on the way.
    mutating func advance(_ span: Duration) {
        let end = now.real + span
        run { $0.pass($1) }
        while let wait = state.nextDue(from: now), now.real + wait <= end {
            move(max(wait, .milliseconds(1)))
            run { $0.pass($1) }
        }
        if now.real < end { move(end - now.real) }
    }

    private mutating func move(_ span: Duration) {
        now.wall += span.milliseconds
        now.domain += span
        now.real += span
    }

    /// Opens the app, waits for its tokens, and leaves it.
    mutating func openOnce() {
        run { $0.openApp(at: $1) }
        advance(.seconds(5))
        run { $0.leaveApp(at: $1) }
        advance(SimulatorLimits.backgroundTime)
    }

    // MARK: Pushes

    /// The seconds of the right clock.
    var seconds: Int64 { now.wall / 1000 }

    mutating func push(_ body: String, to token: PushToken?, priority: Int = 5, expiration: Int64? = 0) {
        receive(Self.delivered(body, priority: priority, expiration: expiration), for: token)
    }

    mutating func broadcast(_ body: String, on channel: ChannelID, priority: Int = 5) {
        receive(Self.delivered(body, priority: priority, channel: channel), for: nil)
    }

    mutating func receive(_ push: DeliveredPush, for token: PushToken?) {
        run { $0.receive(push, PhonePush(push.body), for: token, at: $1) }
    }

    /// Starts an activity by push, with a token unless a channel is named.
    mutating func start(match: String = "m1", rev: Int64 = 1, channel: String? = nil, alert: Bool = true) {
        let body = PushBody.start(match: match, rev: rev, timestamp: seconds, channel: channel, alert: alert)
        push(body, to: state.startToken, priority: 10)
    }

    /// An update with the present timestamp for the newest activity's token.
    mutating func update(rev: Int64, timestamp: Int64? = nil, priority: Int = 5, alert: String? = nil) {
        let body = PushBody.update(rev: rev, timestamp: timestamp ?? seconds, alert: alert)
        push(body, to: state.activities.last?.token, priority: priority)
    }

    mutating func end(rev: Int64, timestamp: Int64? = nil, dismissal: Int64? = nil) {
        let body = PushBody.end(rev: rev, timestamp: timestamp ?? seconds, dismissal: dismissal)
        push(body, to: state.activities.last?.token, priority: 10)
    }

    static func delivered(
        _ body: String,
        priority: Int = 5,
        channel: ChannelID? = nil,
        expiration: Int64? = 0,
        collapseID: String? = nil,
        acceptedAt: Instant = Instant(milliseconds: 0)
    ) -> DeliveredPush {
        DeliveredPush(
            event: .update,
            timestamp: 0,
            body: Array(body.utf8),
            priority: priority,
            hasAlert: false,
            revision: nil,
            channel: channel,
            expiration: expiration,
            collapseID: collapseID,
            acceptedAt: acceptedAt
        )
    }

    // MARK: Looks

    var drops: [PhoneDrop: Int] { state.journal.drops }
    var phases: [ObservedActivity.Phase] { state.activities.map(\.phase) }
    /// The revisions of the drawings.
    var drawings: [Int64] { state.activities.map(\.content.rev) }
    var activityTokens: [PushToken] { registered.filter { $0.kind == .activity }.map(\.token) }
    var launches: [AppLaunchReason] {
        signals.compactMap { if case .launched(let reason) = $0 { reason } else { nil } }
    }
}

/// The JSON bodies of pushes.
enum PushBody {
    static func content(_ rev: Int64, score: String = "87/6", progress: Double? = nil) -> String {
        let progress = progress.map { #","progress":\#($0)"# } ?? ""
        return """
            {"v":2,"rev":\(rev),"matchDisplayState":"live","compactLeading":{"teamAbbr":"MI","score":"\(score)"},\
            "compactTrailing":{"text":"12.3 ov"},"minimal":{"text":"87/6"},"expanded":{"teams":[],"line":"x"},\
            "lockScreen":{"line":"x"},"small":{"top":"a","bottom":"b","line":"c"}\(progress)}
            """
    }

    static func attributes(_ match: String) -> String {
        #"{"matchId":"\#(match)","teams":[],"format":"t20","deepLink":"cric://match/\#(match)"}"#
    }

    static func start(
        match: String,
        rev: Int64,
        timestamp: Int64,
        channel: String? = nil,
        wantsToken: Bool? = nil,
        alert: Bool = true,
        type: String = PhoneStateRig.type
    ) -> String {
        let origin =
            channel.map { #""input-push-channel":"\#($0)","# }
            ?? (wantsToken == false ? "" : #""input-push-token":1,"#)
        let alert = alert ? #""alert":{"title":"Toss","body":"Live now"},"# : ""
        return """
            {"aps":{"timestamp":\(timestamp),"event":"start",\(origin)\(alert)"attributes-type":"\(type)",\
            "attributes":\(attributes(match)),"stale-date":\(timestamp + 1800),"content-state":\(content(rev))}}
            """
    }

    static func update(
        rev: Int64,
        timestamp: Int64,
        content: String? = nil,
        alert: String? = nil,
        stale: Int64? = nil
    ) -> String {
        let alert = alert.map { #""alert":{"title":"\#($0)","body":"out","sound":"default"},"# } ?? ""
        return """
            {"aps":{"timestamp":\(timestamp),"event":"update",\(alert)"stale-date":\(stale ?? timestamp + 1800),\
            "content-state":\(content ?? self.content(rev))}}
            """
    }

    static func end(rev: Int64, timestamp: Int64, dismissal: Int64? = nil) -> String {
        let date = dismissal.map { #""dismissal-date":\#($0),"# } ?? ""
        return #"{"aps":{"timestamp":\#(timestamp),"event":"end",\#(date)"content-state":\#(content(rev))}}"#
    }

    static func notification(_ title: String, match: String, level: String = "active", wakes: Bool = false) -> String {
        """
        {"aps":{"alert":{"title":"\(title)","subtitle":"MI 87/6","body":"out"},"thread-id":"match-\(match)",\
        "interruption-level":"\(level)"\(wakes ? #","content-available":1"# : "")}}
        """
    }

    static let background = #"{"aps":{"content-available":1}}"#
    static let widgets = #"{"aps":{"content-changed":true}}"#
}
