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
                kept += ids.filter { $0 == "match-\(target.match).\(target.kind.rawValue)" }
            }
        }
        // A cancelled refresh has not read all targets.
        if !Task.isCancelled { changed.formUnion(retain(kept)) }
        return changed
    }
}
