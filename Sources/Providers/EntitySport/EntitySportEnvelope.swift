// Every reply of this provider comes in the same envelope, and a refusal comes in it with status 200.

internal import ScoreTypes

/// What stands around every reply.
struct EntitySportEnvelope<Response: FeedReadable>: FeedReadable {
    let response: Response
    /// When the resource last changed, as `yyyy-mm-dd hh:mm:ss` in UTC.
    let modified: String?

    /// Reads a reply; the provider's own error comes out as `refused`.
    init(feed: FeedValue) throws(AdapterError) {
        let status: String = try feed.need("status")
        guard status == "ok" else {
            let reason = (try? feed.need("response") as String) ?? ""
            throw .refused(path: "status", reason: reason.isEmpty ? status : "\(status), \(reason)")
        }
        response = try feed.need("response")
        modified = try feed.given("modified")
    }

    /// Reads a body.
    static func read(_ body: [UInt8], _ part: ReplyPart) throws(AdapterError) -> EntitySportEnvelope {
        do throws(AdapterError) {
            return try FeedValue.read(EntitySportEnvelope.self, from: body)
        } catch {
            throw error.at(part)
        }
    }

    /// Reads a part that has to be there, once as long as its bytes are the same.
    static func read(
        _ part: ReplyPart,
        of replies: ProviderReplies
    ) throws(AdapterError) -> EntitySportEnvelope {
        // A part that has not come names itself.
        _ = try replies.required(part)
        do throws(AdapterError) {
            return try replies.read(EntitySportEnvelope.self, part)
        } catch {
            throw error.at(part)
        }
    }

    /// The time of the last change in seconds since 1970; nil when the reply has none.
    var modifiedAt: Int64? { modified.flatMap(FeedTime.seconds) }
}

/// A number that is also written as a text; an empty text is none.
struct EntitySportNumber: FeedReadable, Hashable, Sendable {
    let value: Double?

    init(feed: FeedValue) throws(AdapterError) {
        value = try feed.isEmptyText ? nil : FlexibleNumber(feed: feed).value
    }

    /// The number when there is one and it is whole.
    var whole: Int? { value.flatMap(Int.init(exactly:)) }
}

/// A yes or no that is also written as a text; an empty text is a no.
struct EntitySportFlag: FeedReadable, Hashable, Sendable {
    let value: Bool

    init(feed: FeedValue) throws(AdapterError) {
        value = try feed.isEmptyText ? false : FlexibleBool(feed: feed).value
    }
}
