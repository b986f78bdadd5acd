// The tables of texts to copy into an app, and the format rules of iOS.

import Foundation
import LiveSurface
import Testing

@Suite struct NotificationTextTests {
    /// Reads a table as Xcode does: comments, then lines `"key" = "value";`.
    private static func table(_ language: String) throws -> [String: String] {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = package.appending(path: "Localization/\(language).lproj/Localizable.strings")
        var table: [String: String] = [:]
        let text = try String(contentsOf: file, encoding: .utf8).replacing(#/\/\*(?s:.*?)\*\//#, with: "")
        for line in text.split(separator: "\n") where !line.allSatisfy(\.isWhitespace) {
            let entry = try #require(line.wholeMatch(of: #/"([^"\\]+)" = "([^"\\]*)";/#), "\(line)")
            #expect(table.updateValue(String(entry.2), forKey: String(entry.1)) == nil, "\(entry.1) is there twice")
        }
        return table
    }

    @Test func theEnglishTableIsThatOfTheServer() throws {
        var expected = Dictionary(uniqueKeysWithValues: NotificationKey.allCases.map { ($0.name, $0.english) })
        expected[NotificationKey.versionName] = String(NotificationKey.version)
        #expect(try Self.table("en") == expected)
    }

    @Test func everyKeyHasItsNameAndItsText() {
        for key in NotificationKey.allCases {
            #expect(NotificationKey(name: key.name) == key)
            #expect(key.english != key.name && !key.english.contains("{"), "\(key.name)")
            #expect(Set(key.argumentNames).count == key.argumentNames.count)
        }
        #expect(NotificationKey(name: "wicket") == nil && NotificationKey(name: "score.nothing") == nil)
        #expect(NotificationKey.out.argumentNames == ["player", "dismissal", "runs", "balls"])
    }

    /// A table whose placeholders differ would show another text, or crash an app.
    @Test(arguments: ["en", "de"]) func aTableHasEveryKeyWithItsArguments(language: String) throws {
        let table = try Self.table(language)
        #expect(table.count == NotificationKey.allCases.count + 1)
        #expect(table[NotificationKey.versionName] == String(NotificationKey.version))
        for key in NotificationKey.allCases {
            let format = try #require(table[key.name], "\(key.name)")
            let used = Set(format.matches(of: #/%(\d)\$@/#).compactMap { Int($0.1) })
            #expect(used == Set(key.argumentNames.indices.map { $0 + 1 }), "\(key.name)")
            #expect(format.count { $0 == "%" } == format.matches(of: #/%\d\$@/#).count, "\(key.name)")
        }
    }

    /// Foundation formats as iOS does.
    @Test(arguments: ["en", "de"]) func everyTextIsFormattedAsByFoundation(language: String) throws {
        let table = try Self.table(language)
        for key in NotificationKey.allCases {
            let arguments = key.argumentNames.map { "<\($0) 100 %@ é𝔘>" }
            let format = try #require(table[key.name])
            let expected = String(format: format, arguments: arguments)
            #expect(NotificationText(key, arguments).text { table[$0] } == expected, "\(key.name)")
        }
    }

    @Test(arguments: [
        ("%@ won by %@", "a won by b"), ("%2$@, %1$@", "b, a"), ("%1$@ %1$@ %@", "a a a"), ("100 %% %@", "100 % a"),
        ("%3$@ %", "%3$@ %"), ("%d %0$@ %$@", "%d %0$@ %$@"), ("", ""),
        ("%99999999999999999999$@", "%99999999999999999999$@"),
    ])
    func placeholdersAreReplaced(format: String, expected: String) {
        #expect(NotificationText.key("k", arguments: ["a", "b"]).text { _ in format } == expected)
    }

    @Test func aKeyWithoutATextIsShown() {
        #expect(NotificationText.key("score.later", arguments: ["a"]).english == "score.later")
        #expect(NotificationText.literal("100 %@").english == "100 %@")
    }

    // MARK: Payload

    private static func alert(_ json: String) throws -> NotificationPayload.Alert {
        try JSONDecoder().decode(NotificationPayload.Alert.self, from: Data(json.utf8))
    }

    @Test func anAlertHasKeysOrTexts() throws {
        let keyed = try Self.alert(
            """
            {"title-loc-key":"score.wicket","subtitle":"MI 87/6","loc-key":"score.match","loc-args":["MI","CSK"]}
            """
        )
        #expect(
            keyed
                == .init(
                    title: NotificationText(.wicket),
                    subtitle: "MI 87/6",
                    body: NotificationText(.match, "MI", "CSK")
                )
        )
        let german = try Self.table("de")
        #expect(
            keyed.formatted { german[$0] } == .init(title: "Wicket!", subtitle: "MI 87/6", body: "MI gegen CSK")
        )
        #expect(try JSONDecoder().decode(NotificationPayload.Alert.self, from: JSONEncoder().encode(keyed)) == keyed)
        #expect(try Self.alert(#"{"title":"A","body":""}"#) == .init(title: "A", body: ""))
        // iOS takes the key where there are both.
        #expect(try Self.alert(#"{"title":"A","body":"B","loc-key":"score.toss"}"#).body == NotificationText(.toss))
        for json in [#"{"title":"A"}"#, #"{"body":"B"}"#, #"{"title":7,"body":"B"}"#, #"{"title":null,"body":"B"}"#] {
            #expect(throws: DecodingError.self, "\(json)") { try Self.alert(json) }
        }
    }
}
