// The bytes of a push are decoded with the app's own types, so that what a phone cannot read is never drawn as shown.

internal import Foundation
public import LiveSurface

/// The input of an image: the bytes that a phone receives, decoded as the phone decodes them.
public struct SurfaceContent: Sendable {
    /// The texts of an alert, as the push has them.
    public struct Alert: Hashable, Sendable {
        /// The title.
        public var title: String
        /// The text below it.
        public var body: String

        /// Makes an alert.
        public init(title: String, body: String) {
            self.title = title
            self.body = body
        }
    }

    /// The state that the phone draws; nil when it has none.
    public let state: LiveActivityAttributes.ContentState?
    /// The reason for which the new bytes do not decode, so that the phone keeps its old state; nil when they do.
    public let undecodable: String?
    /// Names and colours of the teams; nil when unknown.
    public let attributes: LiveActivityAttributes?
    /// The alert of the push; nil for none.
    public let alert: Alert?
    /// The content state as the push has it.
    public let bytes: [UInt8]
    /// Bytes of the content state.
    public var byteCount: Int { bytes.count }

    /// Decodes the bytes of a push.
    ///
    /// - Parameters:
    ///   - bytes: The content state as JSON.
    ///   - attributes: The attributes as JSON; nil when unknown.
    ///   - kept: The content state that the phone shows at present; drawn when `bytes` do not decode.
    ///   - alert: The alert of the push; nil for none.
    public init(_ bytes: [UInt8], attributes: [UInt8]? = nil, kept: [UInt8]? = nil, alert: Alert? = nil) {
        self.bytes = bytes
        self.alert = alert
        self.attributes = attributes.flatMap {
            try? JSONDecoder().decode(LiveActivityAttributes.self, from: Data($0))
        }
        do {
            state = try Self.decode(bytes)
            undecodable = nil
        } catch {
            state = kept.flatMap { try? Self.decode($0) }
            undecodable = Self.reason(error)
        }
    }

    private struct Oversize: Error {}

    private static func decode(_ bytes: [UInt8]) throws -> LiveActivityAttributes.ContentState {
        guard bytes.count <= SurfaceImageLimits.stateBytes else { throw Oversize() }
        return try JSONDecoder().decode(LiveActivityAttributes.ContentState.self, from: Data(bytes))
    }

    /// Names the field and the expected value.
    private static func reason(_ error: any Error) -> String {
        func path(_ keys: [any CodingKey]) -> String {
            let path = keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
            return path.isEmpty ? "the document" : path
        }
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            return "\(path(context.codingPath + [key])) is missing"
        case DecodingError.typeMismatch(_, let context):
            return "\(path(context.codingPath)) has the wrong type"
        case DecodingError.valueNotFound(_, let context):
            return "\(path(context.codingPath)) is null"
        case is Oversize:
            return "the document has more than \(SurfaceImageLimits.stateBytes) bytes"
        default:
            return "the document is no JSON of a content state"
        }
    }
}
