// Operators find a person's device, see what it has, and block, revoke, erase or test it.

import FollowService
import Hummingbird
import ScoreTypes

/// `/admin/api/v1/devices…`.
struct AdminDeviceRoutes: Sendable {
    let control: any DeviceControl

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.findDevices) { call in
            let search = try await Self.find(call.query, in: control)
            return Answer.json(
                JSONValue.record([
                    "items": .array(search.found.map(\.json)), "nextAfter": search.next.map { .whole($0) },
                ]).bytes
            )
        }
        router.read(.device) { call in
            guard let device = DeviceID(call.word("id")), let view = try await control.view(of: device) else {
                throw ServiceProblem(.notFound)
            }
            return Answer.json(view.json.bytes)
        }
        add(.blockDevice, to: router) { try await control.block($0) }
        add(.unblockDevice, to: router) { try await control.unblock($0) }
        add(.revokeDevice, to: router) { try await control.revoke($0) }
        add(.eraseDevice, to: router) { try await control.erase($0) }
        router.write(.setTester, wouldAffect: known) { write in
            let isTester = try write.read { $0.required("tester", .flag) }
            return try await AdminRoutes.done(control.setTester(write.device(), isTester))
        }
        router.write(.testPush, wouldAffect: { try await control.testRecipient($0.device()) == nil ? nil : 1 }) {
            write in
            guard let recipient = try await control.testRecipient(write.device()) else {
                throw ServiceProblem(.notFound)
            }
            return try await control.test(recipient).json
        }
        let active: AdminWrite.Count = { write in
            guard let view = try await control.view(of: write.device()) else { return nil }
            let match = try Self.match(of: write)
            return Int64(view.activities.count { $0.activity.match == match && $0.activity.state != .ended })
        }
        router.write(.endActivity, wouldAffect: active) { write in
            try await AdminRoutes.done(control.endActivity(of: Self.match(of: write), on: write.device()))
        }
    }

    private var known: AdminWrite.Count { { try await control.view(of: $0.device()) == nil ? nil : 1 } }

    private func add(
        _ route: AdminRoute,
        to router: InternalRouter,
        _ order: @escaping @Sendable (DeviceID) async throws -> Bool
    ) {
        router.write(route, wouldAffect: known) { try await AdminRoutes.done(order($0.device())) }
    }

    private static func match(of write: AdminWrite) throws(ServiceProblem) -> MatchID {
        try write.read { $0.identity("match", as: MatchID.self) }
    }

    /// The devices of a query: the one of an id, or those of a fingerprint.
    private static func find(_ query: QueryFields, in control: any DeviceControl) async throws -> DeviceSearch {
        let after = try query.integer("after", 0...Int64(Bucket.count - 1)) ?? 0
        if let text = query["id"] {
            guard let device = DeviceID(text) else { throw ServiceProblem.invalid("id", "expected a UUID") }
            let isKnown = try await control.view(of: device) != nil
            return DeviceSearch(found: isKnown ? [FoundToken(device: device)] : [])
        }
        guard let fingerprint = query["fingerprint"].flatMap({ Fingerprint($0) }) else {
            throw ServiceProblem.invalid("fingerprint", "expected 12 hexadecimal digits, or an id")
        }
        return try await control.search(fingerprint, from: Int16(clamping: after))
    }
}

extension AdminWrite {
    /// The device that is the target; throws `not-found` for an id that cannot be one.
    func device() throws(ServiceProblem) -> DeviceID {
        guard let device = DeviceID(target) else { throw ServiceProblem(.notFound) }
        return device
    }
}
