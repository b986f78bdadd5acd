// Name resolution blocks, so it has a thread of its own; IP addresses need none.

internal import CLinux
internal import Glibc
internal import ScoreTypes
internal import Synchronization

/// A socket address of either family.
struct SocketAddress: Sendable {
    let family: Int32
    let bytes: [UInt8]

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
        bytes.withUnsafeBytes { raw in
            raw.baseAddress.map { body($0.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count)) }
        }
    }
}

/// Resolves host names to addresses.
enum Resolver {
    private static let threads = Mutex(0)

    struct Failure: Error {
        let text: String
    }

    /// The address of an IP literal; nil if the host is a name.
    static func literal(_ host: String, port: UInt16) -> [SocketAddress]? {
        guard HostName.isAddress(host) else { return nil }
        return try? lookUp(host, port: port, flags: AI_NUMERICHOST).get()
    }

    /// Resolves a name on another thread and delivers the result on the loop.
    ///
    /// Nothing is cached, so each connection uses the current addresses.
    ///
    /// - Returns: False if `HTTP2Limits.resolutions` are running.
    static func resolve(
        _ host: String,
        port: UInt16,
        inbox: LoopInbox,
        then body: @escaping @Sendable (LoopContext, Result<[SocketAddress], Failure>) -> Void
    ) -> Bool {
        let isFree = threads.withLock { count in
            guard count < HTTP2Limits.resolutions else { return false }
            count += 1
            return true
        }
        guard isFree else { return false }
        OwnedThread.start(name: "resolver") {
            let result = lookUp(host, port: port, flags: 0)
            threads.withLock { $0 -= 1 }
            _ = inbox.post { context in body(context, result) }
        }
        return true
    }

    private static func lookUp(_ host: String, port: UInt16, flags: Int32) -> Result<[SocketAddress], Failure> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = flags | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { return .failure(Failure(text: String(cString: gai_strerror(code)))) }
        defer { freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = list
        while let entry = next {
            if let address = entry.pointee.ai_addr {
                let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.pointee.ai_addrlen))
                found.append(SocketAddress(family: entry.pointee.ai_family, bytes: [UInt8](bytes)))
            }
            next = entry.pointee.ai_next
        }
        return .success(found)
    }
}
