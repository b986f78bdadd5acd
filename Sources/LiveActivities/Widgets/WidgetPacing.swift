// iOS reloads a widget some dozens of times a day, so the changes of a match wait for one another.

internal import FollowService
internal import LiveSurface
internal import MatchEngine
internal import MatchJournal
internal import ScoreTypes

/// A publication as the widgets of a match show it.
struct WidgetChange: Sendable {
    /// Everything that a widget of any size draws.
    struct Content: Sendable, Hashable {
        let state: SurfaceSnapshot.State
        let slice: SurfaceSnapshot.Slice
    }

    let match: MatchID
    let revision: Revision
    let content: Content
    /// Whether it announces a wicket, the end of an innings or a result, which are shown sooner.
    let hasMoment: Bool
    /// Whether it is the last of its match.
    let isFinal: Bool
}

extension WidgetChange {
    /// The change of a publication; nil if its snapshot cannot be rendered.
    init?(_ publication: Publication, scheme: String) {
        let context = SurfaceContext(
            match: publication.match,
            revision: publication.revision.number,
            updatedAt: publication.committedAt,
            scheme: scheme
        )
        // The large form has all the texts of the smaller ones.
        let snapshot = try? SurfaceRenderer.snapshot(
            .widget(.systemLarge),
            of: publication.state,
            info: publication.info,
            in: context
        )
        guard let snapshot else { return nil }
        self.init(
            match: publication.match,
            revision: publication.revision,
            content: Content(state: snapshot.state, slice: snapshot.slice),
            hasMoment: publication.announced.compactMap(SelectableMoment.init).contains {
                $0.kind == .wicket || $0.kind == .result
            },
            isFinal: publication.isFinal
        )
    }
}

/// When the widgets of each match are reloaded; times are domain time.
struct WidgetPacing {
    /// A reload that is due.
    struct Reload: Sendable, Hashable {
        let match: MatchID
        let revision: Revision
        let hasMoment: Bool
        /// Other matches whose widgets were reloaded a moment ago; their followers are left out.
        let recent: [MatchID]
    }

    private struct Entry {
        var newest: WidgetChange
        /// Whether a change that waits has a moment.
        var hasMoment: Bool
        /// The content for which the widgets were last reloaded; nil before, and after a reload that failed.
        var shown: WidgetChange.Content?
        /// When the last reload began.
        var reloadedAt: Duration?

        /// When it is due; nil while the widgets show the newest content.
        func due(at now: Duration) -> Duration? {
            guard shown != newest.content else { return nil }
            let spacing = hasMoment ? LiveActivityLimits.widgetMomentSpacing : LiveActivityLimits.widgetSpacing
            return reloadedAt.map { $0 + spacing } ?? now
        }
    }

    private let matchesMax: Int
    private var entries: [MatchID: Entry] = [:]

    init(matchesMax: Int = LiveActivityLimits.widgetMatches) { self.matchesMax = matchesMax }

    /// Notes a publication; one that is older than the newest, or that no widget shows differently, changes nothing.
    mutating func note(_ change: WidgetChange) {
        guard var entry = entries[change.match] else {
            if entries.count >= matchesMax { forgetOldest() }
            entries[change.match] = Entry(newest: change, hasMoment: change.hasMoment)
            return
        }
        guard change.revision.number >= entry.newest.revision.number else { return }
        entry.newest = change
        entry.hasMoment = change.content != entry.shown && (entry.hasMoment || change.hasMoment)
        entries[change.match] = entry
    }

    /// Begins the reloads that are due; changes from now on wait for the next one.
    mutating func begin(at now: Duration) -> [Reload] {
        var reloads: [Reload] = []
        let due = entries.filter { $0.value.due(at: now).map { $0 <= now } ?? false }
        for (match, entry) in due.sorted(by: { $0.key < $1.key }) {
            let recent = entries.filter { other, entry in
                other != match
                    && entry.reloadedAt.map { now - $0 < LiveActivityLimits.widgetMomentSpacing } ?? false
            }
            reloads.append(
                Reload(
                    match: match,
                    revision: entry.newest.revision,
                    hasMoment: entry.hasMoment,
                    // No later reload would show a result.
                    recent: entry.newest.isFinal ? [] : recent.keys.sorted()
                )
            )
            entries[match]?.shown = entry.newest.content
            entries[match]?.reloadedAt = now
            entries[match]?.hasMoment = false
        }
        return reloads
    }

    /// Lets a match wait for its next reload, since this one was not completed.
    mutating func failed(_ reload: Reload) {
        entries[reload.match]?.shown = nil
        entries[reload.match]?.hasMoment = reload.hasMoment
    }

    /// Forgets the match that was reloaded first; one that was never reloaded is kept before all others.
    private mutating func forgetOldest() {
        let oldest = entries.min { left, right in
            (left.value.reloadedAt ?? .seconds(Int64.max)) < (right.value.reloadedAt ?? .seconds(Int64.max))
        }
        if let oldest { entries[oldest.key] = nil }
    }
}
