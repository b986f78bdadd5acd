// The snapshots that the widgets of the device need, and the times at which they are read.

internal import LiveSurface

extension ClientState {
    /// Requests the snapshots when a store for them exists.
    mutating func needSurfaces() {
        if sharesSurfaces { needs.insert(.surfaces) }
    }

    /// The refresh that is due when nothing else is to be sent; the report of the listed activities comes first.
    mutating func surfaceRefresh() -> [ClientAction] {
        guard !isRefreshing, !isListing, needs.remove(.surfaces) != nil else { return [] }
        isRefreshing = true
        return [.refreshSurfaces(surfaceTargets)]
    }

    /// The chosen surfaces of the followed matches: matches with an activity first, then the newest follows.
    private var surfaceTargets: [SurfaceTarget] {
        let running = Set(record.activities.values.map(\.matchID))
        let order = record.follows.sorted { left, right in
            let (first, second) = (running.contains(left.key), running.contains(right.key))
            if first != second { return first }
            return (right.value.confirmed, left.key) < (left.value.confirmed, right.key)
        }
        return order.prefix(ClientLimits.sharedMatches).flatMap { match, follow in
            FollowChoices.Surface.allCases.filter { follow.choices.surfaces.contains($0) }.map {
                SurfaceTarget(match: match, kind: $0.kind)
            }
        }
    }
}

extension FollowChoices.Surface {
    /// The kind of its snapshot.
    fileprivate var kind: SurfaceSnapshot.Kind {
        switch self {
        case .widget: .widget
        case .control: .control
        case .lockAccessory: .lockAccessory
        case .standby: .standby
        }
    }
}
