// Feeds are configured in the settings (one feed) or in a file (several).

import Foundation
import Providers
import ScoreTypes

/// The settings of one feed.
struct FeedSettings: Sendable, Equatable {
    /// Requests in an hour that a provider's plan allows.
    static let hourlyRange: ClosedRange<Int64> = 1...1_000_000
    /// The group of listed feeds without one; two nodes that led one match by different feeds would overwrite each
    /// other.
    static let defaultGroup = "default"

    let id: FeedID
    let provider: Provider
    let url: String
    var credentials = ProviderCredentials.none
    /// nil for the provider's usual plan.
    var hourlyRequests: Int?
    /// Of several feeds that cover a match, the lowest value that answers leads.
    var precedence = 1
    /// Feeds of one group are polled by one node, so that one can replace another; nil for the one feed of the
    /// settings.
    var group: String?
    var plainHTTPHosts: [String] = []
    var marquee: [String] = []
    /// Digest of the secret that webhooks must have; nil refuses all webhooks.
    var noticeSecret: SecretDigest?
    /// Whether it is from the file of feeds, where fields have other names.
    var isListed = false

    /// The one feed of the settings; nil when no address is set.
    static func single(_ values: inout ConfigurationValues) -> FeedSettings? {
        let url = values.text("feed.url")
        var feed = FeedSettings(
            id: values.identity("feed.id", as: FeedID.self),
            provider: values.choice("feed.provider", as: Provider.self) ?? .cricsheet,
            url: url
        )
        feed.plainHTTPHosts = values.list("feed.plain.http.hosts")
        feed.marquee = values.list("feed.marquee")
        feed.hourlyRequests = values.integer("feed.hourly.requests").unlessZero
        feed.credentials = ProviderCredentials(
            project: values.text("feed.project").unlessEmpty,
            key: values.secret("feed.key", file: "feed.key.file"),
            secret: values.secret("feed.secret", file: "feed.secret.file")
        )
        feed.noticeSecret = values.secret("feed.notice.secret", file: "feed.notice.secret.file")
            .map { SecretDigest(of: Array($0.text.utf8)) }
        return url.isEmpty ? nil : feed
    }

    /// The list of feeds in a file; none when no file is named.
    static func list(_ values: inout ConfigurationValues) -> [FeedSettings] {
        let path = values.text("feeds.file")
        guard !path.isEmpty else { return [] }
        guard let text = SecretFile.read(path, max: ServerLimits.feedFileBytes) else {
            values.complain("feeds.file: cannot read \(path), or it is larger than \(ServerLimits.feedFileBytes) bytes")
            return []
        }
        let root: JSONElement
        do throws(JSONSyntaxError) { root = try JSONElement(parsing: Array(text.utf8), .strict) } catch {
            values.complain("feeds.file: \(path) is not acceptable JSON at byte \(error.offset)")
            return []
        }
        return FeedList(root, path: path, &values).feeds
    }

    /// Rules that concern all feeds together.
    static func compare(_ feeds: [FeedSettings], _ values: inout ConfigurationValues) {
        if Set(feeds.map(\.id)).count != feeds.count { values.complain("feeds must have different ids") }
        for feed in feeds {
            if !feed.url.hasPrefix("https://") && !feed.url.hasPrefix("http://") {
                values.complain(
                    "the url of feed \(feed.id) must begin with https:// (or http:// for one of its plain http hosts)"
                )
            }
            for need in feed.provider.needs where !need.isGiven(in: feed.credentials) {
                values.complain("feed \(feed.id): \(need.complaint(isListed: feed.isListed, feed.provider))")
            }
        }
    }
}

/// Reads the file of feeds.
private struct FeedList {
    private(set) var feeds: [FeedSettings] = []

    init(_ root: JSONElement, path: String, _ values: inout ConfigurationValues) {
        var fields = FieldReader(root)
        var problems: [String] = []
        let secrets = values.environment
        feeds =
            fields.listIfPresent("feeds", max: ServerLimits.feeds) { inner in
                Self.feed(&inner, secrets, &problems)
            }?.compactMap(\.self) ?? []
        for wrong in fields.allErrors { problems.append("\(wrong.pointer) \(wrong.detail)") }
        if feeds.isEmpty && problems.isEmpty { problems.append("/feeds expected a list of feeds") }
        for problem in problems { values.complain("feeds.file: \(path): \(problem)") }
    }

    private static func feed(
        _ fields: inout FieldReader,
        _ environment: (String) -> String?,
        _ problems: inout [String]
    ) -> FeedSettings? {
        let id = fields.identity("id", as: FeedID.self)
        let provider = fields.choice("provider", as: Provider.self)
        var feed = FeedSettings(id: id, provider: provider ?? .cricsheet, url: fields.text("url", bytes: 1...2_000))
        feed.isListed = true
        feed.hourlyRequests = fields.integerIfPresent("hourlyRequests", FeedSettings.hourlyRange).map { Int($0) }
        feed.precedence = fields.integerIfPresent("precedence", 1...100).map { Int($0) } ?? 1
        feed.group = fields.textIfPresent("group", bytes: 1...64) ?? FeedSettings.defaultGroup
        feed.plainHTTPHosts =
            fields.textsIfPresent("plainHttpHosts", max: ServerLimits.wordsPerFeed, bytes: 1...253) ?? []
        feed.marquee = fields.textsIfPresent("marquee", max: ServerLimits.wordsPerFeed, bytes: 1...200) ?? []
        func secret(_ name: String) -> Secret? {
            let variable = fields.textIfPresent("\(name)Env", bytes: 1...128)
            let file = fields.textIfPresent("\(name)File", bytes: 1...1_000)
            if let variable {
                if let text = environment(variable), !text.isEmpty { return Secret(text) }
                problems.append("feed \(id): the variable \(variable) is not set")
            }
            guard let file else { return nil }
            if let text = SecretFile.secret(file) { return Secret(text) }
            problems.append("feed \(id): cannot read a secret from \(file)")
            return nil
        }
        feed.credentials = ProviderCredentials(
            project: fields.textIfPresent("project", bytes: 1...128),
            key: secret("key"),
            secret: secret("secret")
        )
        feed.noticeSecret = secret("noticeSecret").map { SecretDigest(of: Array($0.text.utf8)) }
        return provider == nil ? nil : feed
    }
}

/// Secrets in files of their own, as containers provide them.
enum SecretFile {
    /// The text of a small file.
    static func read(_ path: String, max: Int) -> String? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= max else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// The secret in a file, without surrounding white space; nil when it cannot be read or is empty.
    static func secret(_ path: String) -> String? {
        guard let text = read(path, max: ServerLimits.secretFileBytes) else { return nil }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }
}

/// One of the credentials that a provider gives to its clients.
private enum FeedCredential: String {
    case project, key, secret

    func isGiven(in credentials: ProviderCredentials) -> Bool {
        switch self {
        case .project: credentials.project != nil
        case .key: credentials.key != nil
        case .secret: credentials.secret != nil
        }
    }

    /// The name of the missing field, and its contents.
    func complaint(isListed: Bool, _ provider: Provider) -> String {
        let field: String
        switch (self, isListed) {
        case (.project, true): field = "project"
        case (.project, false): field = "feed.project"
        case (_, true): field = "\(rawValue)Env or \(rawValue)File"
        case (_, false): field = "feed.\(rawValue) or feed.\(rawValue).file"
        }
        return "expected \(field) to give \(content(provider)), without which \(provider.rawValue) answers nothing"
    }

    private func content(_ provider: Provider) -> String {
        switch (self, provider) {
        case (.project, _): "the id of the project"
        case (.key, .sportmonks): "the API token"
        case (.key, .entitySport): "the access key"
        case (.key, _): "the API key"
        case (.secret, _): "the secret key"
        }
    }
}

extension Provider {
    /// The credentials that the provider requires (the table of docs/feeds.md).
    fileprivate var needs: [FeedCredential] {
        switch self {
        case .sportmonks, .cricketData: [.key]
        case .roanuz: [.project, .key]
        case .entitySport: [.key, .secret]
        case .cricsheet: []
        }
    }
}

extension Int {
    fileprivate var unlessZero: Int? { self == 0 ? nil : self }
}

extension String {
    fileprivate var unlessEmpty: String? { isEmpty ? nil : self }
}
