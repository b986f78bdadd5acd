// The widget extension works without the app: it stores its push token for the app, and reads snapshots itself.

public import LiveSurface

extension SharedSurfaces {
    private static let widgetTokenKey = "surface.widget.pushToken"

    /// The token for reloads of the widgets by push, hexadecimal digits; nil while no widget is on a screen.
    ///
    /// The extension sets it in its `WidgetPushHandler` (iOS 26): the token with widgets, nil without them.
    /// ``LiveScoreClient`` reports it at its next start, foreground or background push.
    public var widgetToken: String? {
        get { store.text(Self.widgetTokenKey) }
        nonmutating set { store.set(newValue, for: Self.widgetTokenKey) }
    }

    /// Reads the stored snapshots of a kind again, for a timeline provider; one that cannot be read stays.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - transport: The network of the extension.
    ///   - clock: The time.
    /// - Returns: Whether one of them has changed.
    @discardableResult
    public func reload(
        _ kind: SurfaceSnapshot.Kind,
        over transport: any ClientTransport,
        clock: any ClientClock = SystemClock()
    ) async -> Bool {
        let reads = MatchReads(transport: transport, clock: clock)
        var hasChanged = false
        for match in matches(of: kind) {
            guard let snapshot = try? await reads.surface(SurfaceForm(kind), of: match) else { continue }
            // The app may have removed the match meanwhile.
            guard matches(of: kind).contains(match) else { continue }
            if write(snapshot, at: clock.now.wall / 1000)?.isNew == true { hasChanged = true }
        }
        return hasChanged
    }

    /// The matches of the stored snapshots of a kind, as ``write(_:at:)`` names them.
    private func matches(of kind: SurfaceSnapshot.Kind) -> [String] {
        let (prefix, suffix) = ("match-", ".\(kind.rawValue)")
        return ids.filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
            .map { String($0.dropFirst(prefix.count).dropLast(suffix.count)) }
    }
}
