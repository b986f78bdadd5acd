// An adapter names a request; the poller decides when it is sent.

public import ScoreTypes

/// A request, relative to the feed's base address.
public struct ProviderRequest: Sendable, Hashable {
    /// The method of a request.
    public enum Method: String, Sendable, Hashable { case get = "GET", post = "POST" }

    /// A member of the query or a header.
    public struct Field: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value, not percent-encoded.
        public let value: String
        /// Whether the value gives access and is hidden from logs and captures.
        public let isSecret: Bool

        /// Makes a field.
        init(_ name: String, _ value: String, isSecret: Bool = false) {
            self.name = name
            self.value = value
            self.isSecret = isSecret
        }
    }

    /// The part that the reply is.
    public let part: ReplyPart
    /// The method.
    public internal(set) var method = Method.get
    /// The path after the base address; begins with a slash.
    public let path: String
    /// The query.
    public internal(set) var query: [Field] = []
    /// Headers besides those of every request of the feed.
    public internal(set) var headers: [Field] = []
    /// The body, which may have credentials and is never printed or captured; empty for none.
    public internal(set) var body: [UInt8] = []
    /// Whether the match can be read without its reply, so that a failure delays nothing else.
    public internal(set) var isOptional = false

    /// Whether the reply may have a token: sign-ins are POST, all else is GET.
    public var isSignIn: Bool { method == .post }

    /// Path and percent-encoded query, with secrets.
    public var target: String { path + Self.encoded(query) { $0.value } }

    private static func encoded(_ query: [Field], _ value: (Field) -> String) -> String {
        guard !query.isEmpty else { return "" }
        return "?" + query.map { encoded($0.name) + "=" + encoded(value($0)) }.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "~"), UInt8(ascii: ","):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}

extension ProviderRequest: CustomStringConvertible, CustomReflectable {
    /// Method, path and query without secrets.
    public var description: String {
        "\(method.rawValue) \(path)\(Self.encoded(query) { $0.isSecret ? "-" : $0.value })"
    }

    /// The description, so that a dump shows no more.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

extension ProviderRequest.Field: CustomStringConvertible, CustomReflectable {
    /// Name and value; `-` for a secret.
    public var description: String { "\(name)=\(isSecret ? "-" : value)" }

    /// The description, so that a dump shows no more.
    public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
}
