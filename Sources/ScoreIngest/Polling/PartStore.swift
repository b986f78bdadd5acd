// A snapshot may need several replies, each with an entity tag of its own, and each requested at its own time.

package import Providers
internal import ScoreTypes

/// The last reply of each part of a list or of a match.
package struct PartStore: Sendable {
    /// The bodies.
    package private(set) var replies = ProviderReplies() { didSet { following = nil } }
    /// The requests that follow from the bodies, of the session for which they were derived.
    private var following: (session: ProviderSession, requests: [ProviderRequest])?
    private var etags: [ReplyPart: String] = [:]
    private var newest: Set<ReplyPart> = []
    /// Whether the replies have to be read again: a body changed, a part was dropped, or `doubt` requested it.
    package private(set) var isFresh = false
    /// The parts that were answered in a round of requests that is not complete.
    private(set) var answered: Set<ReplyPart> = []

    /// The entity tag of a conditional request; nil requests a whole reply.
    func etag(of part: ReplyPart) -> String? { replies[part] == nil ? nil : etags[part] }

    /// The parts that have come since the last reading.
    var news: ProviderReplies { held(newest) }

    /// Whether `news` is everything that is held.
    var isAllNew: Bool { newest.count == replies.parts.count }

    /// The replies of some parts, as far as they are held.
    func held(_ parts: Set<ReplyPart>) -> ProviderReplies {
        ProviderReplies(Dictionary(uniqueKeysWithValues: parts.compactMap { part in replies[part].map { (part, $0) } }))
    }

    /// The requests for a match that follow from what is held: derived once until a body or the session changes, since
    /// most replies are those of before.
    mutating func requests(
        of match: ProviderMatchID,
        _ adapter: any Adapter,
        _ session: ProviderSession
    ) -> [ProviderRequest] {
        if let following, following.session == session { return following.requests }
        let requests = adapter.matchRequests(match, session, replies: replies)
        following = (session, requests)
        return requests
    }

    /// Takes a body; one that is the same as before is not news.
    mutating func take(_ body: [UInt8], etag: String?, of part: ReplyPart) {
        etags[part] = etag
        guard replies[part] != body else { return }
        replies[part] = body
        newest.insert(part)
        isFresh = true
    }

    /// Records that the provider has answered about a part, with news or without.
    mutating func wasAnswered(_ part: ReplyPart) { answered.insert(part) }

    /// The next round of requests begins with its first part.
    package mutating func roundEnded() { answered = [] }

    /// Forgets a part, so that it is requested as if it had never come; one that is not held changes nothing.
    mutating func forget(_ part: ReplyPart) {
        replies[part] = nil
        etags[part] = nil
        newest.remove(part)
    }

    /// Forgets parts that are not requested any more, such as lists of past days.
    mutating func keep(_ parts: Set<ReplyPart>) {
        for part in replies.parts where !parts.contains(part) {
            forget(part)
            isFresh = true
        }
    }

    /// Everything that is held was read.
    mutating func wasRead() {
        isFresh = false
        newest.removeAll()
    }

    /// Requests all parts whole again, and has them read even if they are the same: a second sighting.
    mutating func doubt() {
        etags.removeAll()
        newest.formUnion(replies.parts)
        isFresh = true
    }
}
