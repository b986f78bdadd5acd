import Foundation
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

/// A disk of a few megabytes in memory.
private struct SmallDisk {
    let path: String

    /// nil where this user may not mount.
    init?(megabytes: Int) {
        path = "/tmp/score-disk-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
        guard mkdir(path, 0o755) == 0 else { return nil }
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m,mode=777") == 0 else {
            rmdir(path)
            return nil
        }
    }

    /// Whether this user may mount one.
    static let isPermitted: Bool = {
        guard let disk = SmallDisk(megabytes: 1) else { return false }
        disk.remove()
        return true
    }()

    func fill(_ name: String, megabytes: Int) -> Bool {
        FileManager.default.createFile(atPath: "\(path)/\(name)", contents: Data(count: megabytes << 20))
    }

    func free(_ name: String) { unlink("\(path)/\(name)") }

    func remove() {
        umount(path)
        rmdir(path)
    }
}

@Suite(.enabled(if: SmallDisk.isPermitted, "SKIPPED: this user may not mount a small disk, so P10 is not shown"))
struct FullDiskTests {
    @Test("P10: on a full disk writes are refused, reads continue, and freed space is used again")
    func aFullDiskRefusesWrites() async throws {
        let disk = try #require(SmallDisk(megabytes: 24))
        defer { disk.remove() }
        let server = try await FaultyServer()
        let store = Store(on: server.info)
        let place = "\(disk.path)/space"
        #expect(mkdir(place, 0o700) == 0)
        var owner = stat()
        stat(server.directory + "/data", &owner)
        #expect(chown(place, owner.st_uid, owner.st_gid) == 0)
        try await store.script("create tablespace small location '\(place)'")
        for part in 0..<8 { try await store.script("alter table activity_\(part) set tablespace small") }
        #expect(disk.fill("ballast", megabytes: 18))

        var refused: [FollowError] = []
        var phone: UInt64 = 0
        while refused.isEmpty && phone < 60_000 {
            refused = await register(phone..<phone + 1_000, in: store)
            phone += 1_000
        }
        guard case .unavailable(let cause) = try #require(refused.first) else {
            Issue.record("\(refused)")
            return
        }
        #expect(cause.kind == .exhausted && cause.sqlState == "53100")
        let before = try await store.number(Statement("select count(*) from activity where token <> ''"))
        #expect(
            before >= Int64(phone) - 1_000 - Int64(refused.count),
            "reads continue, and every answered call is stored"
        )
        disk.free("ballast")
        #expect(await register(phone..<phone + 1_000, in: store).isEmpty, "it continues by itself")
        let check = Statement("select count(*) from activity where octet_length(token) = 80 and gen = 1")
        #expect(try await store.number(check) == before + 1_000, "no row is incomplete")
        await store.pool.close()
        await server.remove()
    }

    private func register(_ phones: Range<UInt64>, in store: Store) async -> [FollowError] {
        await withTaskGroup(of: FollowError?.self) { group in
            for phone in phones {
                group.addTask {
                    guard let token = try? token(phone) else { return .stopped }
                    do throws(FollowError) {
                        _ = try await store.activities.register(
                            ActivityRegistration(
                                device: device(phone),
                                match: .final,
                                activityID: ActivityID(unchecked: "A"),
                                environment: .production,
                                route: .token(token),
                                startedAt: store.time.now,
                                clientSequence: 1
                            )
                        )
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { if let error = $1 { $0.append(error) } }
        }
    }
}
