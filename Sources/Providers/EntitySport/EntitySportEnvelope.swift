// Every reply has the same envelope, and a refusal has HTTP status 200.

internal import ScoreTypes

/// The envelope of every reply.
struct EntitySportEnvelope<Response: Decodable & Sendable>: Decodable {
    let response: Response
    /// When the resource last changed, as `yyyy-mm-dd hh:mm:ss` in UTC.
    let modified: String?

    /// Reads a reply; an error of the provider is thrown as `AdapterError.refused`.
    init(from decoder: any Decoder) throws {
        let json = try JSONElement(from: decoder).decode(Members.self)
        guard json.status == "ok" else {
            let (status, reason) = (json.status, json.response?.string ?? "")
            throw AdapterError.refused(path: "status", reason: reason.isEmpty ? status : "\(status), \(reason)")
        }
        guard let content = json.response else { throw JSONError.missing(path: "response") }
        response = try content.decode(Response.self)
        modified = json.modified
    }

    private struct Members: Decodable {
        let status: String
        let response: JSONElement?
        let modified: String?
    }

    /// Reads a body.
    static func read(_ body: [UInt8], _ part: ReplyPart) throws(AdapterError) -> EntitySportEnvelope {
        try AdapterError.within(part) { () throws(AdapterError) in
            try ReplyJSON.read(EntitySportEnvelope.self, from: body)
        }
    }

    /// Reads a required part; it is decoded once while its bytes are the same.
    static func read(_ part: ReplyPart, of replies: ProviderReplies) throws(AdapterError) -> EntitySportEnvelope {
        // The error of a missing part names the part already.
        _ = try replies.required(part)
        return try AdapterError.within(part) { () throws(AdapterError) in
            try replies.read(EntitySportEnvelope.self, part)
        }
    }

    /// The time of the last change in seconds since 1970; nil when the reply has none.
    var modifiedAt: Int64? { modified.flatMap(ISO8601.seconds) }
}

/// A number that may also be written as a string; an empty string is no number.
struct EntitySportNumber: Decodable, Hashable, Sendable {
    let value: Double?

    init(from decoder: any Decoder) throws {
        let json = try JSONElement(from: decoder)
        value = try json.isEmptyString ? nil : json.decode(FlexibleNumber.self).value
    }

    /// The number when there is one and it is whole.
    var whole: Int? { value.flatMap(Int.init(exactly:)) }
}

/// A boolean that may also be written as a string; an empty string is false.
struct EntitySportFlag: Decodable, Hashable, Sendable {
    let value: Bool

    init(from decoder: any Decoder) throws {
        let json = try JSONElement(from: decoder)
        value = try json.isEmptyString ? false : json.decode(FlexibleBool.self).value
    }
}
