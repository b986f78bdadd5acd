// A 409 means that the server has a newer state of the resource: which of the two remains is decided here.

/// The client's answer to a refused sequence number.
enum ChangeResolution: Sendable, Hashable {
    /// The change is sent again with a greater number.
    case reissue
    /// The server's state is adopted and the change discarded.
    case keepStored
    /// The resource is locked by a number that cannot be exceeded: the device registers again.
    case registerAgain

    /// Decides.
    ///
    /// Changes are sent in order and one at a time, so the stored state is of a previous installation of this device,
    /// whose counter was ahead. The newer of both by wall time remains; a token or an activity is always newer, since
    /// the system reported it now.
    ///
    /// - Parameters:
    ///   - change: The refused change.
    ///   - stored: The number that the server has stored.
    ///   - changedAt: The wall time of the stored follow in milliseconds; nil when it is not followed.
    ///   - wall: The wall time.
    init(of change: PendingChange, stored: Int64, changedAt: Int64?, at wall: Int64) {
        if stored >= ClientLimits.largestSequence {
            self = .registerAgain
            return
        }
        guard case .follow = change.target else {
            self = .reissue
            return
        }
        let isOld = wall - change.madeAt > ClientLimits.contestedChangeAge
        self = isOld || changedAt.map { $0 > change.madeAt } ?? false ? .keepStored : .reissue
    }
}
