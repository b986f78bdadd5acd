// A private server lives as long as its owner, keeps committed data, and serves no other owner.
import Glibc
import Testing

@testable import Postgres

@Suite(.serialized)
struct PrivateClusterTests {
    @Test func aKilledOwnerEndsItsServerAndTheDataStays() async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let cluster = try await PrivateCluster.start(directory: path, lifetime: .endsWithOwner, durable: false)
            let connection = try await Connection.open(cluster.connectionInfo, name: "owner")
            try await connection.script("create table kept (n integer); insert into kept values (7)")
            raise(SIGKILL)
        }
        // The next owner starts while the watcher still stops the server of the first, and waits for that.
        let next = try await PrivateCluster.start(directory: folder.path, lifetime: .endsWithOwner, durable: false)
        let connection = try await Connection.open(next.connectionInfo, name: "next")
        #expect(try await connection.query(Statement("select n from kept")) { try $0.int(0) } == [7])
        #expect(try await connection.query(Statement("show listen_addresses")) { try $0.text(0) } == [""])
        #expect(try await connection.query(Statement("show fsync")) { try $0.text(0) } == ["off"])
        await next.stop()
        #expect(try ClusterFolder(folder.path).runningServer == nil)
        await next.stop()
    }

    @Test func aServerThatOutlivesItsOwnerIsAdopted() async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let cluster = try await PrivateCluster.start(directory: path, lifetime: .outlivesOwner, durable: true)
            let connection = try await Connection.open(cluster.connectionInfo, name: "owner")
            try await connection.script("create table kept (n integer)")
            raise(SIGKILL)
        }
        let server = try #require(try ClusterFolder(folder.path).runningServer)
        let plan = PrivateCluster.Plan(
            lifetime: .endsWithOwner,
            durable: true,
            handoverMax: .milliseconds(200)
        )
        let refused = await #expect(throws: ClusterError.self) {
            _ = try await PrivateCluster.start(directory: folder.path, plan: plan)
        }
        #expect(refused == .inUse(folder: folder.path))

        let next = try await PrivateCluster.start(directory: folder.path, lifetime: .outlivesOwner, durable: true)
        #expect(try ClusterFolder(folder.path).runningServer == server)
        let connection = try await Connection.open(next.connectionInfo, name: "next")
        #expect(try await connection.query(Statement("select count(*) from kept")) { try $0.int(0) } == [0])
        await next.stop()
        #expect(try ClusterFolder(folder.path).runningServer == nil)
    }

    @Test func theServerInheritsNoSocketAndNoTerminal() async throws {
        let open = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(open) }
        var status = stat()
        fstat(open, &status)
        let folder = try TemporaryFolder()
        let cluster = try await PrivateCluster.start(directory: folder.path, lifetime: .endsWithOwner, durable: false)
        let server = try #require(try ClusterFolder(folder.path).runningServer)
        #expect(getsid(server) != getsid(0) && getpgid(server) != getpgid(0))
        let inherited = ServerPrograms.entries(of: "/proc/\(server)/fd").filter { name in
            var target = [CChar](repeating: 0, count: 256)
            let count = readlink("/proc/\(server)/fd/\(name)", &target, 255)
            let text = String(decoding: target.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
            return text == "socket:[\(status.st_ino)]"
        }
        #expect(inherited.isEmpty)
        var mode = stat()
        stat(folder.path, &mode)
        #expect(mode.st_mode & 0o777 == 0o700)
        await cluster.stop()
    }

    @Test func twoOwnersThatStartAtOnceDoNotConflict() async throws {
        let folder = try TemporaryFolder()
        async let first = PrivateCluster.start(directory: folder.path, lifetime: .outlivesOwner, durable: false)
        async let second = PrivateCluster.start(directory: folder.path, lifetime: .outlivesOwner, durable: false)
        let (one, two) = try await (first, second)
        for cluster in [one, two] {
            let connection = try await Connection.open(cluster.connectionInfo, name: "either")
            #expect(try await connection.query(Statement("select 1")) { try $0.int(0) } == [1])
        }
        await one.stop()
        await two.stop()
    }
}
