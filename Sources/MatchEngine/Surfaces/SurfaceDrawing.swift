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

    private var line: String { Clip.text(content.lockScreen.line, Limit.body) }
    private var sides: String { "\(state.abbreviations.first) v \(state.abbreviations.second)" }
    private var surface: String { "match-\(context.match.text)" }
    private var deepLink: String {
        "\(Clip.text(context.scheme, EngineLimits.Text.scheme))://match/\(context.match.text)"
    }

    // MARK: Slices

    func slice(_ kind: SurfaceSnapshot.Kind) throws(SurfaceError) -> SurfaceSnapshot.Slice {
        switch kind {
        case .liveActivity: .liveActivity(try activity())
        case .widget:
            .widget(
                try .init(
                    title: title,
                    body: line,
                    progress: state.progress,
                    deepLink: deepLink,
                    family: .systemMedium,
                    reloadPolicy: state.phase == .over ? .manual : .afterDate
                )
            )
        case .control:
            .control(try .init(label: Clip.text(sides, Limit.label), deepLink: deepLink, controlKind: .deepLink))
        case .lockAccessory:
            .lockAccessory(
                try .init(
                    title: title,
                    deepLink: deepLink,
                    family: .accessoryRectangular,
                    gaugeValue: state.progress,
                    shortText: content.minimal.text
                )
            )
        case .standby:
            .standby(
                try .init(
                    title: title,
                    body: line,
                    progress: state.progress,
                    deepLink: deepLink,
                    presentation: context.isQuiet ? .night : .card
                )
            )
        case .notification: .notification(try notification())
        }
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
