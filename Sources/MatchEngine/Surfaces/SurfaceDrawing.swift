// Chooses what each surface displays, from the texts of the content state.

internal import LiveSurface
internal import ScoreTypes

/// The inputs of the slices of one match, and the texts derived from them.
struct SurfaceDrawing {
    private typealias Limit = EngineLimits.Surface

    let state: MatchState
    let context: SurfaceContext
    private let info: MatchInfo
    private let content: LiveActivityAttributes.ContentState

    init(state: MatchState, info: MatchInfo, context: SurfaceContext) {
        self.state = state
        self.info = info
        self.context = context
        content = ContentStateRenderer.render(state, info: info, revision: context.revision, event: context.event)
    }

    // MARK: State and stage

    /// The end has precedence over quiet hours, and quiet hours over a moment.
    var surfaceState: SurfaceSnapshot.State {
        if state.phase == .over { return .completed }
        if context.isQuiet { return .badTiming }
        if context.event?.isAlert == true { return .attention }
        switch state.phase {
        case .scheduled: return .queued
        case .onBreak: return .paused
        default: return .active
        }
    }

    var stage: SurfaceSnapshot.Stage {
        switch state.phase {
        case .scheduled: .prompted
        case .over: .completing
        default: .inProgress
        }
    }

    private var interruption: SurfaceSnapshot.InterruptionLevel {
        guard let event = context.event, event.isAlert, !context.isQuiet else { return .passive }
        return event.priority == .ten ? .timeSensitive : .active
    }

    // MARK: Texts

    /// `MI 87/6 (12.3)`, `MI v CSK`, `MI 169/9`.
    private var title: String {
        let leading = "\(content.compactLeading.teamAbbr) \(content.compactLeading.score)"
        let overs = content.compactTrailing.overs.map { " (\($0))" } ?? ""
        return Clip.text(leading + overs, Limit.title)
    }

    /// `MI 87/6 (12.3) v CSK`: the title with the other side, which a notification names nowhere else.
    private var matchAndScore: String {
        let names = [state.abbreviations.first, state.abbreviations.second]
        guard content.compactLeading.score.hasPrefix("v ") == false,
            let other = names.first(where: { $0 != content.compactLeading.teamAbbr })
        else { return title }
        return Clip.text("\(title) v \(other)", Limit.title)
    }

    /// `MI 87/6`, in the units of the contract; the score alone where the side's name is too long.
    private var teamAndScore: String {
        let text = "\(content.compactLeading.teamAbbr) \(content.compactLeading.score)"
        return text.utf16.count <= SurfaceLimits.shortTextUnits ? text : content.minimal.text
    }

    private var line: String { Clip.text(content.lockScreen.line, Limit.body) }
    private var sides: String { "\(state.abbreviations.first) v \(state.abbreviations.second)" }
    private var surface: String { "match-\(context.match.text)" }
    private var deepLink: String {
        "\(Clip.text(context.scheme, EngineLimits.Text.scheme))://match/\(context.match.text)"
    }

    // MARK: Slices

    func slice(_ form: SurfaceForm) throws(SurfaceError) -> SurfaceSnapshot.Slice {
        switch form {
        case .liveActivity: .liveActivity(try activity())
        case .widget(let family): .widget(try widget(family))
        case .control(let action, let isOn): .control(try control(action, isOn: isOn))
        case .lockAccessory(let family): .lockAccessory(try accessory(family))
        case .standby(let tint): .standby(try standby(tint))
        case .notification: .notification(try notification())
        }
    }

    private func widget(_ family: SurfaceSnapshot.WidgetFamily) throws(SurfaceError) -> SurfaceSnapshot.Widget {
        let body =
            switch family {
            case .systemSmall: content.small.line
            case .systemMedium: line
            case .systemLarge: Clip.text(content.lockScreen.sub.map { "\(line) · \($0)" } ?? line, Limit.body)
            }
        return try .init(
            title: title,
            body: body,
            progress: state.progress,
            deepLink: deepLink,
            family: family,
            reloadPolicy: state.phase == .over ? .manual : .afterDate
        )
    }

    private func control(
        _ action: SurfaceSnapshot.ControlKind,
        isOn: Bool?
    ) throws(SurfaceError) -> SurfaceSnapshot.Control {
        let intent: String? =
            switch action {
            case .toggle: SurfaceForm.toggleIntent
            case .button: SurfaceForm.buttonIntent
            case .deepLink: nil
            }
        return try .init(
            label: Clip.text(sides, Limit.label),
            deepLink: deepLink,
            controlKind: action,
            state: isOn,
            intent: intent
        )
    }

    /// The inline shape has one line of text and no gauge.
    private func accessory(
        _ family: SurfaceSnapshot.AccessoryFamily
    ) throws(SurfaceError) -> SurfaceSnapshot.LockAccessory {
        try .init(
            title: title,
            deepLink: deepLink,
            family: family,
            gaugeValue: family == .accessoryInline ? nil : state.progress,
            shortText: family == .accessoryInline ? teamAndScore : content.minimal.text
        )
    }

    /// At night iOS draws StandBy in one colour.
    private func standby(_ tint: SurfaceSnapshot.Tint?) throws(SurfaceError) -> SurfaceSnapshot.Standby {
        try .init(
            title: title,
            body: line,
            progress: state.progress,
            deepLink: deepLink,
            presentation: context.isQuiet ? .night : .card,
            tint: tint ?? (context.isQuiet ? .monochrome : nil)
        )
    }

    /// Sets every field that any published edition of the contract requires.
    private func activity() throws(SurfaceError) -> SurfaceSnapshot.LiveActivity {
        try .init(
            title: title,
            body: line,
            progress: state.progress,
            deepLink: deepLink,
            modeLabel: content.compactTrailing.text,
            contextLabel: Clip.text(info.competition ?? sides, Limit.title),
            statusLine: content.small.line,
            actionLabel: "Open match",
            stage: stage,
            estimatedSeconds: state.estimatedSeconds,
            morePartsCount: 0
        )
    }

    private func notification() throws(SurfaceError) -> SurfaceSnapshot.Notification {
        let relevance = context.event?.relevance ?? state.relevance
        let eventTitle = context.event.map { Clip.text($0.title, Limit.title) } ?? ""
        let body = context.event.map { Clip.text($0.body, Limit.body) } ?? line
        return try .init(
            title: eventTitle.isEmpty ? sides : eventTitle,
            subtitle: matchAndScore,
            body: body,
            deepLink: deepLink,
            category: .surfaceUpdate,
            threadId: surface,
            interruptionLevel: interruption,
            relevanceScore: Double(min(max(relevance, 0), 100)) / 100,
            targetContentId: surface
        )
    }

    // MARK: Texts as keys

    /// Match and score as a key of the app's table; literal where it was cut.
    private var keyedMatchAndScore: NotificationText {
        let (leading, names) = (content.compactLeading, [state.abbreviations.first, state.abbreviations.second])
        let other = names.first { $0 != leading.teamAbbr } ?? ""
        let overs = content.compactTrailing.overs
        let forms: [NotificationText] = [
            NotificationText(.match, names),
            NotificationText(.score, leading.teamAbbr, leading.score, other),
            NotificationText(.scoreWithOvers, leading.teamAbbr, leading.score, overs ?? "", other),
        ]
        return forms.first { $0.english == matchAndScore } ?? .literal(matchAndScore)
    }

    /// The texts of a notification as keys of the app's table; in English they equal those of the slice.
    var keyedAlert: NotificationPayload.Alert {
        let keyed = context.event?.keyed
        return NotificationPayload.Alert(
            title: keyed.flatMap { $0.title.english.isEmpty ? nil : $0.title }
                ?? NotificationText(.match, state.abbreviations.first, state.abbreviations.second),
            subtitle: keyedMatchAndScore,
            body: keyed?.body ?? .literal(line)
        )
    }
}
