// A name may resolve to one address at its check and to another at the connection.

import Glibc
import ScoreTypes
import Testing

@testable import CurlTransfer

@Suite struct RebindingTests {
    /// libcurl's query before it connects to an address of the resolver.
    private static func mayConnect(_ task: TransferTask, to address: String) -> Bool {
        var inner = sockaddr_in()
        inner.sin_family = sa_family_t(AF_INET)
        inner.sin_addr.s_addr = inet_addr(address)
        return withUnsafePointer(to: &inner) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                task.mayConnect(to: $0, length: MemoryLayout<sockaddr_in>.size)
            }
        }
    }

    private static func task(_ policy: HostPolicy) throws -> TransferTask {
        let transfer = Transfer(url: "https://feed.example/", security: policy)
        let job = TransferJob(
            id: 1,
            transfer: transfer,
            host: try policy.check(transfer.url),
            sink: .whole(FirstValue())
        )
        return try #require(TransferTask(job, clock: ServiceClock()))
    }

    @Test("F9, S34: every address of a name is checked again, though the one before it was public")
    func theSecondAddressIsChecked() throws {
        let task = try Self.task(HostPolicy(hosts: ["feed.example"]))
        #expect(Self.mayConnect(task, to: "8.8.8.8"))
        #expect(task.failure == nil)
        #expect(!Self.mayConnect(task, to: "127.0.0.1"))
        #expect(task.failure == .addressNotAllowed)
    }

    @Test("S34: a host that is listed as one of this network may resolve to it")
    func aListedHostMayResolveToAnInnerAddress() throws {
        let task = try Self.task(HostPolicy(hosts: [], privateHosts: ["feed.example"]))
        #expect(Self.mayConnect(task, to: "127.0.0.1"))
        #expect(task.failure == nil)
    }
}
