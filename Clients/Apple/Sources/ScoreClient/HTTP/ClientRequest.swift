// A request as data, so that the state that builds it needs no network.

public import Foundation

/// One HTTP request.
public struct ClientRequest: Sendable, Hashable {
    /// The methods that the API has.
    public enum Method: String, Sendable, Hashable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// The method.
    public var method: Method
    /// The path below the server's address, percent-encoded, with a leading slash.
    public var path: String
    /// The query, percent-encoded by the transport.
    public var query: [URLQueryItem]
    /// Header fields by lower-case name.
    public var headers: [String: String]
    /// The JSON body; nil for none.
    public var body: Data?

    /// Makes a request.
    public init(
        _ method: Method,
        _ path: String,
        query: [URLQueryItem] = [],
        headers: [String: String] = [:],
        body: Data? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// Adds the credential of the device.
    func authorized(by credential: String?) -> ClientRequest {
        var request = self
        if let credential { request.headers["authorization"] = "Bearer \(credential)" }
        return request
    }

    /// The characters of ids; any other one is percent-encoded.
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    /// A part of a path.
    static func segment(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: plain) ?? "" }
}

/// The JSON of requests and answers.
enum ClientJSON {
    /// Encodes a body; keys are sorted, so that a repetition has the same bytes.
    static func encode(_ value: some Encodable) -> Data? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try? encoder.encode(value)
    }

    /// Decodes an answer; nil when it has another form.
    static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
        try? JSONDecoder().decode(type, from: data)
    }
}
