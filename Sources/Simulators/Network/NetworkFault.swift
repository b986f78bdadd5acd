// The faults of a network as a program sees them: its bytes come late, slowly, in parts, or not at all.

/// A fault of the network between a client and a server.
public enum NetworkFault: Sendable, Hashable {
    /// Each piece of bytes arrives so much real time later.
    case latency(Duration)
    /// Each piece arrives later by a drawn real time up to this one; the order of bytes stays.
    case jitter(Duration)
    /// So many bytes a second pass in each direction of a connection.
    case bandwidth(Int)
    /// Bytes arrive in parts of at most so many, a millisecond apart.
    case slices(Int)
    /// Each connection is reset after a drawn number of bytes up to this one.
    case resets(Int)
    /// No byte passes, and no end of a connection; all of them arrive when the fault is over.
    case blackHole
    /// Connections that are open when the fault begins pass no byte any more and stay open; later ones work.
    case halfOpen

    /// The kinds of fault.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case latency, jitter, bandwidth, slices, resets, blackHole, halfOpen
    }

    /// The kind of this fault.
    public var kind: Kind {
        switch self {
        case .latency: .latency
        case .jitter: .jitter
        case .bandwidth: .bandwidth
        case .slices: .slices
        case .resets: .resets
        case .blackHole: .blackHole
        case .halfOpen: .halfOpen
        }
    }

    /// Draws the degree of a fault of a kind.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - generator: The source of randomness.
    /// - Returns: The fault.
    static func drawn(_ kind: Kind, using generator: inout some RandomNumberGenerator) -> NetworkFault {
        switch kind {
        case .latency: .latency(.milliseconds(.random(in: 20...300, using: &generator)))
        case .jitter: .jitter(.milliseconds(.random(in: 50...500, using: &generator)))
        case .bandwidth: .bandwidth(.random(in: 8_000...64_000, using: &generator))
        case .slices: .slices(.random(in: 1...512, using: &generator))
        case .resets: .resets(.random(in: 1...65_536, using: &generator))
        case .blackHole: .blackHole
        case .halfOpen: .halfOpen
        }
    }
}
