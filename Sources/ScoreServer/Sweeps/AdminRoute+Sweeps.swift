// The routes of sweeps: for a scheduler on the internal path, for operators in the admin API.

import HTTPTypes

extension AdminRoute {
    /// A scheduler sends no reason.
    static let slotSweep = AdminRoute(
        method: .post,
        path: "/internal/v1/sweeps/{id}",
        action: "sweep.slot",
        permission: .sweep,
        needsReason: false,
        readsBody: true
    )
    static let sweeps = read("sweeps.read", "/sweeps")
    static let runSweep = write("sweep.run", "/sweeps/{id}/run", .operate).withBody

    /// All of them.
    static let sweepRoutes = [slotSweep, sweeps, runSweep]
}
