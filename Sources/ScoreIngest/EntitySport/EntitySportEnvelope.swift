// Every reply of this provider comes in the same envelope, and a refusal comes in it with status 200.

internal import Foundation

/// What stands around every reply.
struct EntitySportEnvelope<Response: Decodable & Sendable>: Decodable, Sendable {
    let response: Response
    /// When the resource last changed, as `yyyy-mm-dd hh:mm:ss` in UTC.
    let modified: String?

    private enum CodingKeys: String, CodingKey { case status, response, modified }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let status = try container.decode(String.self, forKey: .status)
        guard status == "ok" else {
            let reason = (try? container.decode(String.self, forKey: .response)) ?? ""
            throw EntitySportRefusal(status: status, reason: reason)
        }
        response = try container.decode(Response.self, forKey: .response)
        modified = try container.decodeIfPresent(String.self, forKey: .modified)
    }

    /// Reads a reply; the provider's own error comes out as `refused`.
    static func read(_ body: [UInt8], _ part: ReplyPart) throws(AdapterError) -> EntitySportEnvelope {
        do {
            return try AdapterError.decode(EntitySportEnvelope.self, from: body, throwing: EntitySportRefusal.self)
        } catch let refusal as EntitySportRefusal {
            let reason = refusal.reason.isEmpty ? refusal.status : "\(refusal.status), \(refusal.reason)"
            throw .refused(path: "\(part):status", reason: reason)
        } catch let error as AdapterError {
            throw error.at(part)
        } catch {
            throw .notJSON
        }
    }

    /// Reads a part that has to be there, once as long as its bytes are the same.
    static func read(
        _ part: ReplyPart,
        of replies: ProviderReplies
    ) throws(AdapterError) -> EntitySportEnvelope {
        try replies.decoded(part) { body throws(AdapterError) in try read(body, part) }
    }

    /// The time of the last change in seconds since 1970; nil when the reply has none.
    var modifiedAt: Int64? { modified.flatMap(FeedTime.seconds) }
}

/// The provider's own error.
struct EntitySportRefusal: Error {
    let status: String
    let reason: String
}

extension AdapterError {
    /// Decodes as `decode` does, but lets one kind of error through as it is.
    fileprivate static func decode<T: Decodable, E: Error>(
        _ type: T.Type,
        from body: [UInt8],
        throwing: E.Type
    ) throws -> T {
        if let value = FeedDecoder.value(type, from: body) { return value }
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch let error as E {
            throw error
        } catch {
            return try AdapterError.decode(type, from: body)
        }
    }
}

/// A number that is also written as a text; an empty text is none.
struct EntitySportNumber: Decodable, Hashable, Sendable {
    let value: Double?

    init(from decoder: any Decoder) throws {
        if case .number(let number) = decoder.plain {
            value = number
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = nil
        } else if let text = try? container.decode(String.self), text.isEmpty {
            value = nil
        } else {
            value = try container.decode(FlexibleNumber.self).value
        }
    }

    /// The number when there is one and it is whole.
    var whole: Int? { value.flatMap(Int.init(exactly:)) }
}

/// A yes or no that is also written as a text.
struct EntitySportFlag: Decodable, Hashable, Sendable {
    let value: Bool

    init(from decoder: any Decoder) throws {
        if case .flag(let flag) = decoder.plain {
            value = flag
            return
        }
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            value = text == "true" || text == "1"
        } else {
            value = try container.decode(FlexibleBool.self).value
        }
    }
}
