// An operator compares the newest publication with the ones before it: how soon its first request left.

/// The delay from the commit of a match's publications to their first request to a token.
struct FirstRequests: Sendable, Hashable {
    /// One publication.
    struct Publication: Sendable, Hashable {
        let revision: Int64
        let milliseconds: Int64
    }

    /// The newest ones, oldest first.
    private(set) var publications: [Publication] = []

    /// Takes the first request of a lane; the earliest one of a publication counts.
    mutating func note(_ revision: Int64, afterMilliseconds milliseconds: Int64) {
        let next = Publication(revision: revision, milliseconds: milliseconds)
        if let index = publications.lastIndex(where: { $0.revision == revision }) {
            if milliseconds < publications[index].milliseconds { publications[index] = next }
            return
        }
        // A slow lane may report a publication that newer ones have replaced.
        guard revision > publications.last?.revision ?? .min else { return }
        publications = (publications + [next]).suffix(PushLimits.firstRequests)
    }

    /// The median; nil without a publication.
    var median: Int64? {
        let sorted = publications.map(\.milliseconds).sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }
}
