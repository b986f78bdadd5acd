// Names become addresses; literals at once, names on a thread of their own so that no loop waits for DNS.

internal import CLinux
internal import Glibc
internal import ScoreTypes

/// A socket address of either family.
struct SocketAddress: Sendable {
    let storage: sockaddr_storage
    let length: socklen_t

    /// Calls with the pointer that the system wants.
    func withPointer<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}

/// Looks names up.
enum Resolver {
    /// All addresses of a name in the system's order of preference, none if it has none; may block for a name.
    static func addresses(host: String, port: Int, isLiteral: Bool) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = isLiteral ? AI_NUMERICHOST : 0
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ai_addr, Int(entry.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size {
                var storage = sockaddr_storage()
                withUnsafeMutableBytes(of: &storage) { target in
                    target.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
                }
                found.append(SocketAddress(storage: storage, length: entry.ai_addrlen))
            }
            next = entry.ai_next
        }
        return found
    }
}

extension LoopContext {
    /// Looks a name up and calls back on this loop; a literal at once, a name later.
    func resolve(host: String, port: Int, _ completion: @escaping ([SocketAddress]) -> Void) {
        if TLSIdentity.isAddress(host) {
            return completion(Resolver.addresses(host: host, port: port, isLiteral: true))
        }
        let id = keep(completion)
        let post = postBack
        OwnedThread.start(name: "resolve") {
            let found = Resolver.addresses(host: host, port: port, isLiteral: false)
            post { loop in loop.finish(id, with: found) }
        }
    }
}
