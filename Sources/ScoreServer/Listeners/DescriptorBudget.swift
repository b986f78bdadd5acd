// Streams and requests share the descriptors of the process: a node with too few refuses clients, not its own work.

import Glibc

/// The streams and connections that the descriptors of a process allow.
struct DescriptorBudget: Sendable {
    /// Descriptors that the process may open.
    let descriptors: Int
    /// Streams and connections together.
    let clients: Int
    /// The configured numbers, but at most the part of `clients` that streams may take.
    let streams: StreamCaps
    /// Descriptors that all configured streams and connections need.
    private let needed: Int
    private let wanted: (streams: Int, connections: Int)

    /// Divides the descriptors: as configured when they suffice, else so that streams leave a part to requests.
    init(streams: StreamCaps, connections: ConnectionCaps, descriptors: Int) {
        self.descriptors = descriptors
        clients = max(descriptors - ServerLimits.reservedDescriptors, ServerLimits.reservedDescriptors / 2)
        wanted = (streams.node, connections.node)
        needed = streams.node + connections.node + ServerLimits.reservedDescriptors
        var streams = streams
        let forRequests = min(connections.node, clients / ServerLimits.descriptorsPerRequestDescriptor)
        streams.node = min(streams.node, clients - forRequests)
        self.streams = streams
    }

    /// The change of settings that an operator needs; nil when the descriptors suffice.
    var advice: String? {
        guard needed > descriptors else { return nil }
        return """
            this process may open \(descriptors) descriptors, enough for \(clients) clients, \(streams.node) of them \
            with a stream, and not for \(wanted.streams) streams (limits.streams.node) and \(wanted.connections) \
            connections (limits.connections.node): set LimitNOFILE or ulimit -n to at least \(needed), or lower these \
            limits
            """
    }

    /// Raises the number of descriptors that this process may open to the most that the system allows.
    static func raiseLimit() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        // The lower limit stays where the system refuses; the budget counts with it.
        _ = setrlimit(resource, &limit)
    }

    /// The descriptors that this process may open.
    static var allowed: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return Int(Int32.max) }
        return Int(clamping: limit.rlim_cur)
    }
}
