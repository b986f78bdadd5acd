// A demo can put a link with faults between each server and each program that it talks to, and before its clients.

import Foundation
import Postgres
import ScoreTypes
import Simulators

/// The links of the servers of a demo; without faults there are none.
struct DemoNetwork: Sendable {
    /// The other end of a link.
    enum Peer: UInt64, Sendable, CaseIterable { case feed, push, channels, database, clients }

    private struct Place: Sendable, Hashable {
        let peer: Peer
        let node: Int
    }

    private let share: Double
    private let seed: UInt64
    private var links: [Place: NetworkLink] = [:]

    /// A network in which each link has a fault in a part of play, 0 to 0.9.
    init(share: Double, seed: UInt64) { (self.share, self.seed) = (share, seed) }

    /// Puts a link before a port; returns the port to connect to, the same one without faults.
    mutating func link(_ node: Int, to peer: Peer, port: Int) async throws -> Int {
        guard share > 0 else { return port }
        let link = try await add(node, peer, to: .port(port), at: .port(0))
        guard case .port(let own) = link.address else { return port }
        return own
    }

    /// Puts a link before the socket of the database; returns the settings of a server that connects through it.
    mutating func database(_ node: Int, of bed: Testbed) async throws -> [String: String] {
        guard share > 0 else { return [:] }
        let folder = bed.folder.url.appending(path: "link-\(node)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (server, own) = (bed.cluster.directory, folder.path)
        _ = try await add(
            node,
            .database,
            to: .socket(server + "/.s.PGSQL.5432"),
            at: .socket(own + "/.s.PGSQL.5432")
        )
        return ["DATABASE_URL": bed.cluster.connectionText.replacingOccurrences(of: server, with: own)]
    }

    private mutating func add(
        _ node: Int,
        _ peer: Peer,
        to server: NetworkLink.Address,
        at address: NetworkLink.Address
    ) async throws -> NetworkLink {
        let link = try await NetworkLink(to: server, at: address, seed: seed(of: Place(peer: peer, node: node)))
        links[Place(peer: peer, node: node)] = link
        // It ends with the process.
        Task { await link.run() }
        return link
    }

    private func seed(of place: Place) -> UInt64 { seed &* 100 &+ UInt64(place.node) &* 10 &+ place.peer.rawValue }

    /// Has faults from the first ball that the feed serves to its last one.
    func play(during feed: SimulatedFeed) async {
        guard share > 0 else { return }
        while feed.firstServed.isEmpty, !Task.isCancelled { try? await Task.sleep(for: LabLimits.demoPoll) }
        await withTaskGroup(of: Void.self) { group in
            for (place, link) in links {
                let schedule = NetworkFaultSchedule(seed: seed(of: place), share: share)
                group.addTask { await link.follow(schedule) }
            }
            while !feed.isFinished, !Task.isCancelled { try? await Task.sleep(for: LabLimits.demoPoll) }
            group.cancelAll()
        }
    }

    /// The number of faults so far of each kind.
    var counts: [String: Int] {
        links.values.flatMap(\.faultCounts).reduce(into: [:]) { $0[$1.key.rawValue, default: 0] += $1.value }
    }

    /// Links that had no fault.
    var calmLinks: Int { links.values.count { $0.faultCounts.isEmpty } }
}
