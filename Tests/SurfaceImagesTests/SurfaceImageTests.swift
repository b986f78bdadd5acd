// Images stay inside their slots, readable and well-formed, whatever a feed sends.

import Foundation
import FoundationXML
import LiveSurface
import ScoreTypes
import Testing

@testable import SurfaceImages

@Suite struct SurfaceImageTests {
    /// Texts that a feed may send in any field.
    private static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "]]>&amp;&#0;", "\u{202E}evil\u{202C}",
        "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}", "👩‍👩‍👧‍👦🏏🏏🏏🏏🏏🏏🏏🏏", "\u{0}\u{1}\u{8}\u{B}\u{1F}\u{7F}",
        "مومباي الهنود",
        "ශ්‍රී ලංකා ක්‍රිකට්", "𒐫𒐫𒐫𒐫", "﷽﷽﷽", String(repeating: "W", count: 5_000), "", " ", "\n\r\t",
        "url(https://example.com/x)", "\u{FFFE}\u{FFFF}",
    ]

    @Test func everyElementStaysInItsImageAndEveryTextInItsSlot() {
        for state in [ImageFixtures.chase()] + ImageFixtures.others {
            for image in ImageFixtures.images(of: ImageFixtures.content(state)) {
                #expect(ImageFixtures.faults(of: image) == [], "\(state.matchDisplayState)")
            }
        }
    }

    @Test(arguments: hostile)
    func aHostileTextStaysAText(text: String) throws {
        let attributes = ImageFixtures.attributes(
            first: text,
            second: text,
            abbreviations: (text, text),
            colors: (text, "#zzzzzz")
        )
        let alert = SurfaceContent.Alert(title: text, body: text)
        let content = ImageFixtures.content(ImageFixtures.chase(text: text), attributes: attributes, alert: alert)
        for layout in SurfaceLayout.allCases {
            let image = SurfaceImage.render(content, layout)
            #expect(ImageFixtures.faults(of: image) == [], "\(layout)")
            try Self.check(image.svg)
        }
    }

    /// A document is well-formed, and has drawing elements and no reference to another document.
    static func check(_ svg: String) throws {
        let reader = ElementReader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "") \(svg.prefix(400))")
        let known: Set = [
            "svg", "title", "desc", "defs", "linearGradient", "stop", "rect", "path", "text", "g", "circle", "clipPath",
            "radialGradient", "animate", "animateTransform",
        ]
        #expect(reader.names.isSubset(of: known), "\(reader.names.subtracting(known))")
        for (name, value) in reader.attributes {
            #expect(!name.hasPrefix("on") && !name.contains("href") && name != "style", "\(name)")
            #expect(!value.contains("url(") || value.hasPrefix("url(#"), "\(name)=\(value)")
        }
    }

    private final class ElementReader: NSObject, XMLParserDelegate {
        var names: Set<String> = []
        var attributes: [(String, String)] = []

        func parser(
            _ parser: XMLParser,
            didStartElement elementName: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes attributeDict: [String: String] = [:]
        ) {
            names.insert(elementName)
            attributes += attributeDict.map { ($0.key, $0.value) }
        }
    }

    @Test func thePhoneKeepsItsOldStateWhenBytesDoNotDecode() {
        let kept = ImageFixtures.bytes(ImageFixtures.chase())
        for bytes in ["{}", "null", "[1]", #"{"v":1,"rev":"x"}"#, "\u{0}", String(repeating: " ", count: 20_000)] {
            let content = SurfaceContent(Array(bytes.utf8), attributes: ImageFixtures.attributes, kept: kept)
            #expect(content.undecodable != nil && content.state?.rev == 412, "\(bytes.prefix(20))")
            let image = SurfaceImage.render(content, .lockScreen)
            #expect(image.findings.contains { $0.code == "undecodable" })
            #expect(image.svg.contains("keeps its old state") && image.svg.contains("87/6"))
        }
        let first = SurfaceContent([], attributes: ImageFixtures.attributes)
        #expect(SurfaceImage.render(first, .expanded).svg.contains("No state was shown before"))
    }

    @Test func aShortenedTextIsReported() {
        var state = ImageFixtures.chase()
        state.lockScreen.line = String(repeating: "a long situation ", count: 8)
        let image = SurfaceImage.render(ImageFixtures.content(state), .lockScreen)
        #expect(image.findings.contains { $0.code == "truncated" } && image.svg.contains("…"))
        let plain = SurfaceImage.render(ImageFixtures.content(ImageFixtures.chase()), .lockScreen)
        #expect(!plain.findings.contains { $0.code == "truncated" })
    }

    @Test func aColourThatCannotBeReadIsReplaced() {
        let dark = ImageFixtures.attributes(first: "A", second: "B", colors: ("#101010", "#f9cd05"))
        let image = SurfaceImage.render(ImageFixtures.content(ImageFixtures.chase(), attributes: dark), .expanded)
        #expect(image.findings.contains { $0.code == "color-replaced" } && !image.svg.contains("\"#101010\""))
    }

    /// The images of the README are those that the present code draws.
    @Test(arguments: [SurfaceLayout.lockScreen, .expanded, .compact, .banner])
    func theImagesOfTheReadmeAreUpToDate(layout: SurfaceLayout) throws {
        let svg = SurfaceImage.render(ImageFixtures.content(ImageFixtures.chase()), layout).svg
        try ImageFixtures.compare(svg, with: "docs/pictures/\(layout.rawValue).svg")
    }
}
