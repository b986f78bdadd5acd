// An adapter only says what it wants to know; who sends it, when, and under which limits is the poller's matter.

public import ScoreTypes

/// One request that an adapter wants sent, relative to the feed's base address.
public struct ProviderRequest: Sendable, Hashable {
    /// How it is sent.
    public enum Method: String, Sendable, Hashable { case get = "GET", post = "POST" }

    /// A name with its value, in the query or among the headers.
    public struct Field: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value as it is meant; the address encodes it.
        public let value: String
        /// Whether the value gives access, and is kept from logs and captures.
        public let isSecret: Bool

        /// Joins a name and a value.
        public init(_ name: String, _ value: String, isSecret: Bool = false) {
            self.name = name
            self.value = value
            self.isSecret = isSecret
        }
    }

    /// What the reply is called.
    public let part: ReplyPart
    /// How it is sent.
    public let method: Method
    /// Behind the base address, with a slash in front.
    public let path: String
    /// Behind the question mark.
    public let query: [Field]
    /// Beside those that every request of the feed has.
    public let headers: [Field]
    /// Empty for none; may hold credentials, so it is never printed or captured.
    public let body: [UInt8]
    /// Whether the picture can be read without its reply, so that a failure keeps nothing else waiting.
    public let isOptional: Bool

    /// Describes a request.
    public init(
        part: ReplyPart,
        method: Method = .get,
        path: String,
        query: [Field] = [],
        headers: [Field] = [],
        body: [UInt8] = [],
        isOptional: Bool = false
    ) {
        self.part = part
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.isOptional = isOptional
    }

    /// Whether the reply may hold a token: all providers are signed in to by POST, and read by GET.
    public var isSignIn: Bool { method == .post }

    /// Path and query as they follow the base address, with all that is not plain percent-encoded; holds secrets.
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
    /// Method, path and query with every secret struck out.
    public var description: String {
        "\(method.rawValue) \(path)\(Self.encoded(query) { $0.isSecret ? "-" : $0.value })"
    }

    /// As the description, so that no dump tells more.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

extension ProviderRequest.Field: CustomStringConvertible, CustomReflectable {
    /// Name and value; the value of a secret is struck out.
    public var description: String { "\(name)=\(isSecret ? "-" : value)" }

    /// As the description, so that no dump tells more.
    public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
}
