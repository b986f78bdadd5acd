// Hostile texts of feeds and devices stay texts on every page and in every image.

import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import MatchJournal
@testable import ScoreIngest
@testable import ScoreServer

@Suite struct HostileNamesTests {
    private static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'><svg onload=alert(1)>",
        "</title><script>alert(1)</script>", "{{{style}}}{{#matches}}", "javascript:alert(1)", "&lt;b&gt;&amp;",
        "\u{202E}drawkcab\u{202C}", String(repeating: "W", count: 200), "🏏👩‍👩‍👧‍👦🏏🏏🏏", "مومباي الهنود",
        "e\u{301}\u{302}\u{303}\u{304}\u{305}", "a\u{0}b\u{8}c", "--><!--", "]]>",
    ]

    /// A match and its feed whose every text is the given one.
    private static func stubs(_ text: String) throws -> TestDependencies {
        var stubs = TestDependencies()
        stubs.limits = RateLimits([.adminLogin: Quota(count: 1_000, per: .seconds(1))])
        var info = Samples.info(text)
        info.competition = text
        info.teams = info.teams.map { TeamInfo(id: $0.id, name: text, abbreviation: text) }
        let attributes = ContentStateRenderer.attributes(of: info, match: Samples.match, scheme: "score")
        let view = try Samples.view(
            7,
            first: text,
            info: info,
            attributes: ContentStateRenderer.bytes(of: attributes)
        )
        var news = view.news
        news.hold = MatchHold(reason: text, since: Instant(milliseconds: 0))
        stubs.matches.put(MatchView(news))
        let feed = FeedView(status: StubFeeds.main().status, provider: text, pausedReason: text)
        stubs.feeds.list = [feed]
        let change = Change.status(StatusReport(status: .live, note: text))
        stubs.control.said = [
            JournalStatement(
                entry: JournalEntry(revision: 7, at: Instant(milliseconds: 0), change: change),
                source: JournalSource(provider: text, feed: text),
                seenAt: Instant(milliseconds: 0)
            )
        ]
        let end = Instant(milliseconds: 4_000_000_000_000)
        stubs.control.standing = [
            MatchOverride(value: .status(.live, note: text), expiresAt: end, actor: text, reason: text)
        ]
        stubs.captures.list = [
            StoredCapture(id: "1-1", kind: "reply", match: nil, at: end, reason: text, bodies: [])
        ]
        return stubs
    }

    private static let pages = [
        "/admin", "/admin/matches", "/admin/matches/ipl-final", "/admin/matches/ipl-final/phones",
        "/admin/matches/ipl-final/revisions/7", "/admin/feeds", "/admin/push", "/admin/activities", "/admin/audit",
    ]

    @Test("S21: a hostile text adds no element to a page", arguments: hostile)
    func aHostileTextAddsNoElementToAPage(text: String) async throws {
        try await withServer(try Self.stubs(text)) { server in
            let viewer = try await server.token(.viewer).merging(["Console-Part": "main"]) { $1 }
            for path in Self.pages {
                let page = try await server.internalClient.get(path, viewer)
                #expect(page.status == 200, "\(path): \(page.text.prefix(300))")
                let tags = Tags(page.text)
                #expect(tags.names.isDisjoint(with: ["script", "style", "iframe", "object", "base"]), "\(path)")
                #expect(tags.isBalanced, "\(path)")
                #expect(tags.attributes.allSatisfy { !$0.hasPrefix("on") && $0 != "style" }, "\(path)")
                #expect(!page.text.contains("href=\"javascript:"), "\(path)")
            }
        }
    }

    @Test("S21: a hostile text adds no element to an image", arguments: hostile)
    func aHostileTextAddsNoElementToAnImage(text: String) async throws {
        try await withServer(try Self.stubs(text)) { server in
            let viewer = try await server.token(.viewer)
            let path = "/admin/api/v1/matches/ipl-final/preview?rev=7&layout="
            for layout in ["phone-locked", "phone-in-use", "lock-screen", "expanded", "carplay-narrow"] {
                let picture = try await server.internalClient.get(path + layout, viewer)
                #expect(picture.status == 200 && picture["Content-Type"] == "image/svg+xml", "\(layout)")
                let tags = Tags(picture.text)
                let foreign: Set = ["script", "img", "image", "foreignobject", "a", "use"]
                #expect(tags.names.isDisjoint(with: foreign), "\(layout)")
                #expect(tags.attributes.allSatisfy { !$0.hasPrefix("on") && $0 != "href" }, "\(layout)")
            }
        }
    }
}

/// The elements of a document, as a browser would begin them.
private struct Tags {
    private(set) var names: Set<String> = []
    private(set) var attributes: Set<String> = []
    /// Whether every element that needs an end has one, in order.
    private(set) var isBalanced = true

    private static let empty: Set = ["br", "img", "input", "meta", "link", "hr", "source"]

    init(_ text: String) {
        var open: [String] = []
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: start)...]
            guard let first = rest.first, first.isLetter || first == "/" else { continue }
            guard let end = Self.end(of: rest) else { break }
            let tag = rest[..<end]
            rest = rest[end...]
            if first == "/" {
                let name = tag.dropFirst().prefix { $0.isLetter || $0.isNumber }
                if open.popLast() != String(name) { isBalanced = false }
                continue
            }
            let name = String(tag.prefix { $0.isLetter || $0.isNumber }).lowercased()
            names.insert(name)
            attributes.formUnion(Self.attributes(of: tag))
            if !Self.empty.contains(name), tag.last != "/" { open.append(name) }
        }
        if !open.isEmpty { isBalanced = false }
    }

    /// The end of a tag: the first `>` outside a quoted value.
    private static func end(of text: Substring) -> Substring.Index? {
        var quote: Character?
        for index in text.indices {
            let character = text[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == ">" {
                return index
            }
        }
        return nil
    }

    private static func attributes(of tag: Substring) -> [String] {
        var quote: Character?
        var plain = ""
        for character in tag {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
                plain.append(" ")
            } else {
                plain.append(character)
            }
        }
        return plain.split(separator: " ").dropFirst().map { String($0.prefix { $0 != "=" }).lowercased() }
    }
}
