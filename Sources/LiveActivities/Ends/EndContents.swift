// Thousands of activities end with the same last state, so each form of it is rendered once.

internal import MatchJournal
internal import PushDispatcher
internal import ScoreTypes

/// The last states of a match's activities, each rendered when first needed.
struct EndContents {
    /// The properties that distinguish the last states.
    struct Form: Hashable {
        let variant: ActivityVariant
        /// Whether the state says that following continues in the app.
        var isFarewell = false
    }

    private let newest: Publication
    /// Time after which the phone removes the activity.
    private let dismissAfter: Duration
    private var rendered: [Form: EndContent] = [:]

    /// Renders nothing yet.
    init(of newest: Publication, dismissAfter: Duration = PushLimits.dismissAfter) {
        self.newest = newest
        self.dismissAfter = dismissAfter
    }

    subscript(form: Form) -> EndContent {
        mutating get {
            if let known = rendered[form] { return known }
            let content = EndContent(
                match: newest.match,
                revision: newest.revision,
                apnsTimestamp: newest.apnsTimestamp,
                contentState: form.isFarewell
                    ? Farewell(of: newest).contentState(for: form.variant) : newest.contentState(for: form.variant),
                dismissAfter: dismissAfter
            )
            rendered[form] = content
            return content
        }
    }
}
