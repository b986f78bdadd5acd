// Alerts and their corrections are drawn in the same way, from the match at their revision.

internal import LiveSurface
internal import Logging
internal import MatchEngine
internal import MatchJournal
internal import PushDispatcher
internal import ScoreTypes

/// A match at the revision of a notice.
struct NotifiedRevision: Sendable {
    let match: MatchID
    let number: Int64
    /// When it was committed.
    let at: Instant
    let state: MatchState
    let info: MatchInfo

    /// The notification of a moment, which is the payload of its snapshot; nil if that cannot be rendered.
    ///
    /// - `hasTable`: Whether the app has the table of the texts, so that keys of it are sent.
    func payload(
        of moment: Moment,
        isQuiet: Bool,
        hasTable: Bool,
        form: NotificationForm,
        log: Logger
    ) -> NotificationPayload? {
        let context = SurfaceContext(
            match: match,
            revision: number,
            updatedAt: at,
            scheme: form.scheme,
            event: moment,
            isQuiet: isQuiet
        )
        do throws(SurfaceError) {
            return try SurfaceRenderer.notification(
                of: state,
                info: info,
                in: context,
                category: form.category,
                hasKeys: hasTable
            )
        } catch {
            log.error("notification not rendered", metadata: ["match.id": "\(match)", "error": "\(error)"])
            return nil
        }
    }
}

/// The settings of an operator for notifications.
struct NotificationForm: Sendable {
    /// The URL scheme of the app, for deep links.
    let scheme: String
    /// The category that the app registers; nil for that of the contract.
    var category: String?
}
