// A phone to which no node can push must learn it when it registers, not by missing every notification.

import ScoreTypes

/// The app and the APNs environments to which this deployment pushes.
struct ServedApp: Sendable, Hashable {
    let environments: Set<PushEnvironment>
    /// The app's bundle id; nil accepts any, since none is configured.
    let bundleID: String?

    /// Checks that pushes reach a device; a nil bundle id is that of a body without one.
    ///
    /// - Throws: The problem `app-not-served`, which names what is served.
    func check(_ environment: PushEnvironment, bundleID: String? = nil) throws(ServiceProblem) {
        let isSameApp = self.bundleID.flatMap { served in bundleID.map { $0 == served } } ?? true
        guard !environments.contains(environment) || !isSameApp else { return }
        throw ServiceProblem(
            .appNotServed,
            isSameApp
                ? "No push can reach a device of the APNs environment \(environment.rawValue)."
                : "No push can reach an app with this bundle id.",
            extras: [
                "servedEnvironments": .array(environments.map(\.rawValue).sorted().map { .text($0) }),
                "servedBundleId": self.bundleID.map { .text($0) },
            ]
        )
    }
}
