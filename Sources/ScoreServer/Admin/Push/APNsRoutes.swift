// Operators see whether APNs accepts what this server sends, and stop, try or repair one environment.

import HTTPTypes
import Hummingbird
import PushDispatcher
import ScoreTypes

/// `/admin/api/v1/apns…`.
///
/// Pause and resume set the switch of the environment, which every node follows; everything else is about this node.
struct APNsRoutes: Sendable {
    let control: any PushControl
    let flags: any FlagStore
    let clock: ServiceClock

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.apns) { _ in Answer.json(AdminRoutes.items(try await environments())) }
        add(.pauseAPNs, isOn: false, to: router)
        add(.resumeAPNs, isOn: true, to: router)
        let isServed: AdminWrite.Count = { write in
            let environment = try write.environment
            return await control.status()?.environments.contains { $0.environment == environment } == true ? 1 : nil
        }
        router.write(.resetAPNs, wouldAffect: isServed) { write in
            try AdminRoutes.done(await control.resetBreaker(try write.environment))
        }
        router.write(.probeAPNs, wouldAffect: isServed) { write in
            guard let report = await control.probe(try write.environment) else { throw ServiceProblem(.notFound) }
            return report.json
        }
        let hasKey: AdminWrite.Count = { _ in await control.status() == nil ? nil : 1 }
        router.write(.reloadKey, wouldAffect: hasKey) { _ in
            let reload: KeyReload?
            do throws(SigningError) {
                reload = try await control.reloadKey()
            } catch { throw ServiceProblem(.conflict, error.description) }
            guard let reload else { throw ServiceProblem(.notFound) }
            return reload.json
        }
    }

    /// The environments that this node serves, with their switches.
    func environments() async throws -> [JSONValue] {
        guard let status = await control.status() else { return [] }
        let (flags, probes, samples) = (try await flags.all(), control.probes(), control.history.all)
        return status.environments.map { environment in
            let name = FlagName(of: environment.environment)
            return environment.apnsJSON(
                isOn: flags.isOn(name, at: clock.wall),
                flag: flags.json(name, at: clock.wall),
                errors: samples.errors(of: environment.environment),
                probe: probes[environment.environment]
            )
        }
    }

    /// Adds a route that sets the switch of an environment.
    private func add(_ route: AdminRoute, isOn: Bool, to router: InternalRouter) {
        let count: AdminWrite.Count = { write in
            let change = try wanted(write, isOn)
            return try await flags.all().isOn(change.name, at: clock.wall) == isOn ? 0 : 1
        }
        router.change(route, wouldAffect: count) { write, entry in
            let change = try wanted(write, isOn)
            let number = try await flags.put(change, ifRevision: nil, entry)
            return AuditedChange(number: number, result: try await flags.all().json(change.name, at: clock.wall))
        }
    }

    private func wanted(_ write: AdminWrite, _ isOn: Bool) throws(ServiceProblem) -> FlagChange {
        let (name, now) = (FlagName(of: try write.environment), clock.wall)
        var seconds: Int64?
        if !isOn {
            seconds = try write.read { fields in
                Optional(fields.optional("ttlSeconds", .integer(ServerLimits.flagSeconds)))
            }
        }
        return FlagChange(
            name: name,
            value: .bool(isOn),
            expiresAt: seconds.map { now + .seconds($0) },
            at: now,
            by: write.principal.actor,
            reason: write.reason
        )
    }
}

extension AdminWrite {
    /// The environment that it names; throws `not-found` for another target.
    fileprivate var environment: PushEnvironment {
        get throws(ServiceProblem) {
            guard let environment = PushEnvironment(rawValue: target) else { throw ServiceProblem(.notFound) }
            return environment
        }
    }
}
