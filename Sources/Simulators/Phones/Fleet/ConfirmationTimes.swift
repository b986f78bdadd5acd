// The time from a publication to the receipt of a phone: the only time that says when people saw a state.

/// A revision with the time of its publication.
public struct PublishedRevision: Sendable, Hashable {
    /// The revision.
    public let revision: Int64
    /// Milliseconds since 1970.
    public let at: Int64

    /// Describes a publication.
    public init(revision: Int64, at: Int64) { (self.revision, self.at) = (revision, at) }
}

/// The times from publications to their confirmation, of one phone or of a fleet.
public struct ConfirmationTimes: Sendable, Hashable {
    /// The times during play, one for each phone and publication while its app ran with a network.
    public internal(set) var inPlay: [Duration] = []
    /// The times during play above 10 s.
    public internal(set) var lateInPlay = 0
    /// The times of the newest revision, one for each phone that is reachable; those of suspended apps begin when their
    /// person opens them.
    public internal(set) var newest: [Duration] = []
    /// Reachable phones whose time is above 10 s, or that never confirmed it.
    public internal(set) var lateAtEnd = 0

    /// Adds the times of other phones.
    static func += (sum: inout Self, other: Self) {
        sum.inPlay += other.inPlay
        sum.lateInPlay += other.lateInPlay
        sum.newest += other.newest
        sum.lateAtEnd += other.lateAtEnd
    }

    /// Compares the confirmations of one phone during play with publications.
    ///
    /// A publication counts if the phone could send until it confirmed it or a newer one, for 10 s at most.
    ///
    /// - Parameters:
    ///   - confirmations: The confirmations, in order.
    ///   - publications: The publications, in order.
    ///   - from: When the server first knew the activity, in milliseconds since 1970; earlier ones do not count.
    ///   - now: The end of the observation, in milliseconds since 1970.
    ///   - couldSend: Whether the phone's app ran with a network during a whole time.
    mutating func addPlay(
        _ confirmations: [PhoneReceipts.Confirmation],
        of publications: [PublishedRevision],
        from: Int64,
        now: Int64,
        couldSend: (_ from: Int64, _ until: Int64) -> Bool
    ) {
        var rest = confirmations[...]
        for publication in publications where publication.at >= from {
            rest = rest.drop { $0.revision < publication.revision }
            let limit = publication.at + SimulatorLimits.confirmationTime
            let answer = rest.first?.at
            let isInTime = answer.map { $0 <= limit } ?? false
            // A publication of the last seconds that is not confirmed is neither late nor in time.
            guard isInTime || limit <= now, couldSend(publication.at, min(answer ?? limit, limit)) else { continue }
            inPlay.append(.milliseconds((answer ?? now) - publication.at))
            if !isInTime { lateInPlay += 1 }
        }
    }

    /// Adds the confirmation of the newest revision by a reachable phone.
    ///
    /// The time begins when the app can send: a suspended one, when its person opens it.
    ///
    /// - Parameters:
    ///   - confirmations: The confirmations, in order.
    ///   - publication: The newest publication.
    ///   - from: When the app could send first, not before the publication, in milliseconds since 1970.
    mutating func addNewest(
        _ confirmations: [PhoneReceipts.Confirmation],
        of publication: PublishedRevision,
        from: Int64
    ) {
        guard let answer = confirmations.first(where: { $0.revision >= publication.revision })?.at else {
            lateAtEnd += 1
            return
        }
        newest.append(.milliseconds(answer - from))
        if answer > from + SimulatorLimits.confirmationTime { lateAtEnd += 1 }
    }
}
