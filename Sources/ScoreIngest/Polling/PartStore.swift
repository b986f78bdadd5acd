// A picture may be made of several replies, each with a tag of its own, and each asked for at its own time.

internal import Providers
internal import ScoreTypes

/// The last reply of each part of a picture.
struct PartStore: Sendable {
    /// The bodies.
    private(set) var replies = ProviderReplies()
    private var etags: [ReplyPart: String] = [:]
    private var newest: Set<ReplyPart> = []
    /// Whether something has come that nobody has looked at yet.
    private(set) var isFresh = false
    /// The parts that were answered in a round which is not complete.
    private(set) var answered: Set<ReplyPart> = []

    /// The entity tag to ask with; nil makes the reply a whole one.
    func etag(of part: ReplyPart) -> String? { replies[part] == nil ? nil : etags[part] }

    /// Whether no part has come yet.
    var isEmpty: Bool { replies.isEmpty }

    /// The parts that have come since the last look.
    var news: ProviderReplies {
        ProviderReplies(
            Dictionary(uniqueKeysWithValues: newest.compactMap { part in replies[part].map { (part, $0) } })
        )
    }

    /// Whether `news` is all there is.
    var isAllNew: Bool { newest.count == replies.parts.count }

    /// Takes a body that came; one that is the same as before is no news.
    mutating func take(_ body: [UInt8], etag: String?, of part: ReplyPart) {
        etags[part] = etag
        guard replies[part] != body else { return }
        replies[part] = body
        newest.insert(part)
        isFresh = true
    }

    /// Notes that the provider has answered about a part, be it news or not.
    mutating func wasAnswered(_ part: ReplyPart) { answered.insert(part) }

    /// The next round begins with its first part.
    mutating func roundEnded() { answered = [] }

    /// Has a part come anew, as if it had never come; one that is not held changes nothing.
    mutating func forget(_ part: ReplyPart) {
        replies[part] = nil
        etags[part] = nil
        newest.remove(part)
    }

    /// The store without parts that are not asked for any more, as lists of days gone by.
    func keeping(_ parts: [ReplyPart]) -> PartStore {
        let wanted = Set(parts)
        guard replies.parts.contains(where: { !wanted.contains($0) }) else { return self }
        var kept = self
        for part in replies.parts where !wanted.contains(part) {
            kept.replies[part] = nil
            kept.etags[part] = nil
            kept.newest.remove(part)
        }
        kept.isFresh = true
        return kept
    }

    /// Somebody has looked at all there is.
    mutating func looked() {
        isFresh = false
        newest.removeAll()
    }

    /// Asks for all parts whole again, and has them looked at even if they are the same: a second sighting.
    mutating func doubt() {
        etags.removeAll()
        newest.formUnion(replies.parts)
        isFresh = true
    }
}
