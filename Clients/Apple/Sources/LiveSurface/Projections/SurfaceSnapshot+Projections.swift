// Converts a snapshot to the data of its surface; each conversion accepts one kind.

extension SurfaceSnapshot {
    /// The content state of `MobileSurfacesActivityAttributes`.
    ///
    /// - Throws: `SurfaceError` unless the kind is `liveActivity`.
    public func contentState() throws(SurfaceError) -> MobileSurfacesActivityAttributes.ContentState {
        guard case .liveActivity(let slice) = slice else { throw wrongKind(.liveActivity) }
        return .init(headline: slice.title, subhead: slice.body, progress: slice.progress, stage: slice.stage)
    }

    /// The attributes to start an activity with.
    ///
    /// - Throws: `SurfaceError` unless the kind is `liveActivity`.
    public func activityAttributes() throws(SurfaceError) -> MobileSurfacesActivityAttributes {
        guard case .liveActivity(let slice) = slice else { throw wrongKind(.liveActivity) }
        return .init(surfaceId: surfaceId, modeLabel: slice.modeLabel)
    }

    /// The alert that replaces a Live Activity.
    ///
    /// - Throws: `SurfaceError` unless the kind is `liveActivity`.
    public func alertFallback() throws(SurfaceError) -> AlertFallback {
        guard case .liveActivity(let slice) = slice else { throw wrongKind(.liveActivity) }
        let alert = NotificationPayload.Alert(title: .literal(slice.title), body: .literal(slice.body))
        return AlertFallback(aps: .init(alert: alert), liveSurface: .init(self))
    }

    /// The data of a widget.
    ///
    /// - Throws: `SurfaceError` unless the kind is `widget`.
    public func widgetEntry() throws(SurfaceError) -> WidgetEntry {
        guard case .widget(let slice) = slice else { throw wrongKind(.widget) }
        return WidgetEntry(
            snapshotId: id,
            surfaceId: surfaceId,
            state: state,
            family: slice.family,
            reloadPolicy: slice.reloadPolicy,
            headline: slice.title,
            subhead: slice.body,
            progress: slice.progress,
            deepLink: slice.deepLink
        )
    }

    /// The data of a control.
    ///
    /// - Throws: `SurfaceError` unless the kind is `control`.
    public func controlValue() throws(SurfaceError) -> ControlValue {
        guard case .control(let slice) = slice else { throw wrongKind(.control) }
        return ControlValue(
            snapshotId: id,
            surfaceId: surfaceId,
            controlKind: slice.controlKind,
            value: slice.state,
            intent: slice.intent,
            label: slice.label,
            deepLink: slice.deepLink
        )
    }

    /// The data of a Lock Screen accessory.
    ///
    /// - Throws: `SurfaceError` unless the kind is `lockAccessory`.
    public func lockAccessoryEntry() throws(SurfaceError) -> LockAccessoryEntry {
        guard case .lockAccessory(let slice) = slice else { throw wrongKind(.lockAccessory) }
        return LockAccessoryEntry(
            snapshotId: id,
            surfaceId: surfaceId,
            state: state,
            family: slice.family,
            headline: slice.title,
            shortText: slice.shortText,
            gaugeValue: slice.gaugeValue,
            deepLink: slice.deepLink
        )
    }

    /// The data of a StandBy card.
    ///
    /// - Throws: `SurfaceError` unless the kind is `standby`.
    public func standbyEntry() throws(SurfaceError) -> StandbyEntry {
        guard case .standby(let slice) = slice else { throw wrongKind(.standby) }
        return StandbyEntry(
            snapshotId: id,
            surfaceId: surfaceId,
            state: state,
            presentation: slice.presentation,
            tint: slice.tint,
            headline: slice.title,
            subhead: slice.body,
            progress: slice.progress,
            deepLink: slice.deepLink
        )
    }

    /// The payload of a notification.
    ///
    /// - Parameters:
    ///   - category: A category that the app registers itself; nil for that of the snapshot.
    ///   - alert: The texts as keys of the app's table; nil for the texts of the snapshot.
    /// - Returns: The payload.
    /// - Throws: `SurfaceError` unless the kind is `notification`.
    public func notificationPayload(
        category: String? = nil,
        alert: NotificationPayload.Alert? = nil
    ) throws(SurfaceError) -> NotificationPayload {
        guard case .notification(let slice) = slice else { throw wrongKind(.notification) }
        let category = category ?? slice.category?.rawValue
        let own = NotificationPayload.Alert(
            title: .literal(slice.title),
            subtitle: slice.subtitle.map { .literal($0) },
            body: .literal(slice.body)
        )
        let aps = NotificationPayload.Aps(
            alert: alert ?? own,
            category: category,
            threadId: slice.threadId,
            interruptionLevel: slice.interruptionLevel?.apnsWord,
            relevanceScore: slice.relevanceScore,
            targetContentId: slice.targetContentId
        )
        let sideCar = NotificationPayload.SideCar(self, category: category, schemaVersion: .init())
        return NotificationPayload(aps: aps, liveSurface: sideCar)
    }

    private func wrongKind(_ wanted: Kind) -> SurfaceError {
        SurfaceError(path: "kind", problem: .wrongKind, expected: "`\(wanted.rawValue)`, not `\(kind.rawValue)`")
    }
}
