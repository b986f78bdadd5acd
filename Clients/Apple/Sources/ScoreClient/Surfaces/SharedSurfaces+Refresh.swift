// Reads the snapshots of the followed matches and stores them for the extensions.

public import LiveSurface

/// One snapshot to keep in the App Group.
public struct SurfaceTarget: Sendable, Hashable {
    /// The match.
    public var match: String
    /// The kind of surface.
    public var kind: SurfaceSnapshot.Kind
}

extension SharedSurfaces {
    /// Reads all targets and stores what the server has; a target that cannot be read keeps its stored snapshot.
    ///
    /// - Returns: The kinds whose extensions have something new to draw.
    func refresh(
        _ targets: [SurfaceTarget],
        by reads: MatchReads,
        clock: any ClientClock
    ) async -> Set<SurfaceSnapshot.Kind> {
        var (kept, changed) = await read(targets, by: reads, clock: clock)
        // A cancelled refresh has not read all targets.
        if !Task.isCancelled { changed.formUnion(retain(kept)) }
        return changed
    }

    /// Reads the stored snapshots of a notification's match again, for a notification service extension.
    ///
    /// The server sends a notification after the state that it announces, so that widgets show that state although the
    /// app does not run.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - transport: The network.
    ///   - clock: The time.
    /// - Returns: The kinds whose extensions have something new to draw.
    public func refresh(
        after notification: NotificationPayload,
        over transport: any ClientTransport,
        clock: any ClientClock = SystemClock()
    ) async -> Set<SurfaceSnapshot.Kind> {
        guard let match = notification.link?.match else { return [] }
        let stored = SurfaceSnapshot.Kind.allCases.filter { ids.contains(Self.id($0, of: match)) }
        let targets = stored.map { SurfaceTarget(match: match, kind: $0) }
        return await read(targets, by: MatchReads(transport: transport, clock: clock), clock: clock).changed
    }

    private func read(
        _ targets: [SurfaceTarget],
        by reads: MatchReads,
        clock: any ClientClock
    ) async -> (kept: [String], changed: Set<SurfaceSnapshot.Kind>) {
        var changed: Set<SurfaceSnapshot.Kind> = []
        var kept: [String] = []
        for target in targets {
            do throws(ClientError) {
                let snapshot = try await reads.surface(SurfaceForm(target.kind), of: target.match)
                guard let (id, isNew) = write(snapshot, at: clock.now.wall / 1000) else { continue }
                kept.append(id)
                if isNew { changed.insert(target.kind) }
            } catch {
                guard error.advice != .removeMatch else { continue }
                kept += ids.filter { $0 == Self.id(target.kind, of: target.match) }
            }
        }
        return (kept, changed)
    }
}
