// A list or a match may take many requests, and later ones follow from earlier replies: this value knows what is next.

package import Providers
package import ScoreTypes

/// One round of requests for a list or a match.
///
/// ```
/// next ──▶ a request ──▶ take its outcome ──▶ next …      until `outcome` is set
/// ```
///
/// A round that the limits stop keeps what was answered; the next round goes on from there, since with a plan that has
/// one request left at a time it would never come to the second part.
package struct RequestRound: Sendable {
    /// The subject of the requests.
    package enum Subject: Sendable {
        /// The list of matches around a time: the first page of each list, then the pages that those name.
        case list(at: Instant)
        /// A match: what is refreshed with each poll and what was pushed of it, then what the replies name and is not
        /// held.
        case match(ProviderMatchID, after: PushedUpdates)
    }

    /// How a round ended.
    package enum Outcome: Sendable, Hashable {
        /// Everything was answered; the store holds what is new.
        case answered
        /// One request failed.
        case failed(FetchFailure)
        /// One request could not be sent.
        case refused(wait: Duration)
    }

    let subject: Subject
    let adapter: any Adapter
    let session: ProviderSession
    /// The use of the requests, for the budget.
    var use = RequestUse.background
    /// The orders to rebuild the match that came before it.
    var resyncs = 0
    /// The replies, of this round and of those before.
    package private(set) var store: PartStore
    /// nil while the round goes on.
    package private(set) var outcome: Outcome?
    private var requested: Set<ReplyPart>
    private var waiting: [ProviderRequest] = []
    private var isBegun = false

    /// Begins a round, or goes on with the one that `store` holds a part of.
    package init(_ subject: Subject, _ adapter: any Adapter, _ session: ProviderSession, _ store: PartStore) {
        (self.subject, self.adapter, self.session, self.store) = (subject, adapter, session, store)
        requested = store.answered
        // Pushed parts are newer than any answer.
        if case .match(_, let updates) = subject { requested.formUnion(updates.parts.parts) }
    }

    /// Whether whole parts were pushed since the round before.
    var hasPushedParts: Bool { if case .match(_, let updates) = subject { !updates.parts.isEmpty } else { false } }

    /// The next request; nil when the round has ended.
    package mutating func next() -> ProviderRequest? {
        guard outcome == nil else { return nil }
        if waiting.isEmpty, requested.count < IngestLimits.roundRequestsMax {
            waiting = wanted.filter { requested.insert($0.part).inserted }
            waiting = Array(waiting.prefix(IngestLimits.roundRequestsMax).reversed())
        }
        if let request = waiting.popLast() { return request }
        if case .list = subject { store.keep(requested) }
        store.roundEnded()
        outcome = .answered
        return nil
    }

    private var wanted: [ProviderRequest] {
        mutating get {
            defer { isBegun = true }
            switch subject {
            case .list(let time): return adapter.listRequests(session, at: time, replies: store.held(requested))
            case .match(let id, let updates):
                let requests = store.requests(of: id, adapter, session)
                if isBegun { return requests.filter { store.replies[$0.part] == nil } }
                return updates.notices.reduce(requests) {
                    $0 + adapter.requests(after: $1, session, replies: store.replies)
                }
            }
        }
    }

    /// Takes the outcome of a request.
    ///
    /// An optional request that fails or cannot be sent stops nothing; what the plan does not have is not requested
    /// again.
    package mutating func take(_ fetched: FetchOutcome, of request: ProviderRequest) {
        switch fetched {
        case .refused where request.isOptional: break
        case .failed(let failure) where request.isOptional:
            if failure.isPermanent { store.take([], etag: nil, of: request.part) }
        case .refused(let wait): outcome = .refused(wait: wait)
        case .failed(let failure):
            store.roundEnded()
            outcome = .failed(failure)
        case .notModified: store.wasAnswered(request.part)
        case .body(let body, let etag):
            store.take(body, etag: etag, of: request.part)
            store.wasAnswered(request.part)
        }
    }
}
