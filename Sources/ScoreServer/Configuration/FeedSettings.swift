// Feeds are configured in the settings (one feed) or in a file (several).

import CurlTransfer
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
        let hourlyRequests = values.integer("feed.hourly.requests")
        feed.hourlyRequests = hourlyRequests == 0 ? nil : hourlyRequests
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
        return list(root, path: path, &values)
    }

    /// Rules that concern all feeds together.
    static func compare(_ feeds: [FeedSettings], _ values: inout ConfigurationValues) {
        if Set(feeds.map(\.id)).count != feeds.count { values.complain("feeds must have different ids") }
        for feed in feeds {
            do throws(TransferError) { _ = try feed.security.check(feed.url) } catch {
                values.complain("feed \(feed.id): expected \(feed.addressRule)")
            }
            let (given, provider) = (feed.credentials, feed.provider)
            for (credential, contents) in provider.needs where !given.has(credential) {
                let without = "without which \(provider.rawValue) answers nothing"
                values.complain("feed \(feed.id): expected \(feed.field(credential)) to give \(contents), \(without)")
            }
        }
    }

    /// The addresses that its policy permits.
    private var addressRule: String {
        let (address, plain) = isListed ? ("url", "plainHttpHosts") : ("feed.url", "feed.plain.http.hosts")
        return "\(address) to be https://HOST with a public host, port 443 and no user name; a host of \(plain) may "
            + "also have http, any port and an address of this network"
    }

    /// The settings that give a credential.
    private func field(_ credential: Credential) -> String {
        switch (credential, isListed) {
        case (.project, true): "project"
        case (.project, false): "feed.project"
        case (.key, true), (.secret, true): "\(credential)Env or \(credential)File"
        case (.key, false), (.secret, false): "feed.\(credential) or feed.\(credential).file"
        }
    }
}

extension FeedSettings {
    /// Reads the file of feeds.
    private static func list(_ root: JSONElement, path: String, _ values: inout ConfigurationValues) -> [FeedSettings] {
        var fields = FieldReader(root)
        var problems: [String] = []
        let secrets = values.environment
        let feeds = fields.listIfPresent("feeds", max: ServerLimits.feeds) { feed(&$0, secrets, &problems) }?
            .compactMap(\.self)
        for wrong in fields.allErrors { problems.append("\(wrong.pointer) \(wrong.detail)") }
        if feeds?.isEmpty ?? true, problems.isEmpty { problems.append("/feeds expected a list of feeds") }
        for problem in problems { values.complain("feeds.file: \(path): \(problem)") }
        return feeds ?? []
    }

    private static func feed(
        _ fields: inout FieldReader,
        _ environment: (String) -> String?,
        _ problems: inout [String]
    ) -> FeedSettings? {
        let id = fields.identity("id", as: FeedID.self)
        let provider = fields.required("provider", .choice(Provider.self))
        var feed = FeedSettings(id: id, provider: provider ?? .cricsheet, url: fields.text("url", length: 1...2_000))
        feed.isListed = true
        feed.hourlyRequests = fields.optional("hourlyRequests", .integer(hourlyRange)).map { Int($0) }
        feed.precedence = fields.optional("precedence", .integer(1...100)).map { Int($0) } ?? 1
        feed.group = fields.optional("group", .text(1...64)) ?? defaultGroup
        feed.plainHTTPHosts =
            fields.elements("plainHttpHosts", max: ServerLimits.wordsPerFeed, .text(1...253)) ?? []
        feed.marquee = fields.elements("marquee", max: ServerLimits.wordsPerFeed, .text(1...200)) ?? []
        func secret(_ name: String) -> Secret? {
            let variable = fields.optional("\(name)Env", .text(1...128))
            let file = fields.optional("\(name)File", .text(1...1_000))
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
            project: fields.optional("project", .text(1...128)),
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

/// A credential that a provider may require; its name is part of the settings' names.
private enum Credential {
    case project, key, secret
}

extension ProviderCredentials {
    fileprivate func has(_ credential: Credential) -> Bool {
        switch credential {
        case .project: project != nil
        case .key: key != nil
        case .secret: secret != nil
        }
    }
}

extension Provider {
    /// The credentials that the provider requires, with the contents of each (the table of docs/feeds.md).
    fileprivate var needs: [(Credential, contents: String)] {
        switch self {
        case .sportmonks: [(.key, "the API token")]
        case .cricketData: [(.key, "the API key")]
        case .roanuz: [(.project, "the id of the project"), (.key, "the API key")]
        case .entitySport: [(.key, "the access key"), (.secret, "the secret key")]
        case .cricsheet: []
        }
    }
}
