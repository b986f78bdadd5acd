// A name may lead to one address when it is looked at and to another when it is connected to.

import Glibc
import ScoreTypes
import Testing

@testable import CurlTransfer

@Suite struct RebindingTests {
    /// What libcurl asks before it connects to an address that the resolver has named.
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

    @Test("F9, S34: every address of a name is judged anew, though the one before it was public")
    func theSecondAddressIsSeen() throws {
        let task = try Self.task(HostPolicy(hosts: ["feed.example"]))
        #expect(Self.mayConnect(task, to: "8.8.8.8"))
        #expect(task.failure == nil)
        #expect(!Self.mayConnect(task, to: "127.0.0.1"))
        #expect(task.failure == .addressNotAllowed)
    }

    @Test("S34: a host that is named as one of this network may lead there")
    func aNamedHostMayLeadInwards() throws {
        let task = try Self.task(HostPolicy(hosts: [], privateHosts: ["feed.example"]))
        #expect(Self.mayConnect(task, to: "127.0.0.1"))
        #expect(task.failure == nil)
    }
}
