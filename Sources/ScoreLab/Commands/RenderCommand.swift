// `score-lab render` writes what a phone shows as SVG files, and as PNG where Chromium is installed.

public import ArgumentParser
import Foundation
public import SurfaceImages

/// Draws Live Activities.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draw what a phone shows: a state, a match at a revision, a contact sheet, a whole match in motion.",
        subcommands: [RenderStateCommand.self, RenderMatchCommand.self]
    )
}

/// Options of all images.
struct RenderOptions: ParsableArguments {
    @Option(help: "Width of the screen in points: 393 or 430.")
    var screen = SurfaceScreen.points393

    @Option(help: "Appearance of the Lock Screen: light, dark or always-on.")
    var scheme = SurfaceScheme.dark

    @Option(help: "Condition of the activity: current, stale, held or ended.")
    var condition = SurfaceCondition.current

    @Option(
        help: "One layout, such as compact, expanded, lock-screen, standby, watch-45, carplay, banner; all if absent."
    )
    var layout: SurfaceLayout?

    @Option(name: .shortAndLong, help: "The SVG file; standard output if absent.")
    var output: String?

    @Flag(help: "Also write a PNG file beside the SVG file; needs Chromium.")
    var png = false

    var image: SurfaceImageOptions { SurfaceImageOptions(screen: screen, scheme: scheme, condition: condition) }

    func validate() throws {
        if png, output == nil { throw ValidationError("--png needs --output.") }
    }

    /// Draws one state in one layout or in all, and prints the findings to standard error.
    func draw(_ content: SurfaceContent, title: String) throws {
        guard let layout else {
            let row = SurfaceSheet.everyLayout(of: content, title: title, image)
            report(row.images.map(\.image))
            return try write(SurfaceSheet([row]).svg)
        }
        let drawn = SurfaceImage.render(content, layout, image)
        report([drawn])
        try write(drawn.svg)
    }

    func report(_ images: [SurfaceImage]) {
        for image in images {
            for finding in image.findings {
                FileHandle.standardError.write(Data("\(image.layout.rawValue): \(finding.message)\n".utf8))
            }
        }
    }

    /// Writes a document, and its PNG.
    func write(_ svg: String) throws {
        guard let output else { return print(svg, terminator: "") }
        try Data(svg.utf8).write(to: URL(filePath: output))
        guard png else { return }
        guard let browser = HeadlessBrowser() else { throw ValidationError("--png needs chromium in PATH.") }
        let target = output.hasSuffix(".svg") ? "\(output.dropLast(4)).png" : "\(output).png"
        try browser.draw(output, to: target, size: Self.size(of: svg))
        print(target)
    }

    /// The size that a document states.
    private static func size(of svg: String) -> (width: Int, height: Int) {
        func number(_ name: String) -> Int {
            guard let range = svg.firstRange(of: " \(name)=\"") else { return 1 }
            return Double(svg[range.upperBound...].prefix { $0 != "\"" }).map { Int($0.rounded(.up)) } ?? 1
        }
        return (number("width"), number("height"))
    }
}

/// Draws one state.
struct RenderStateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Draw a content state in one layout or in all."
    )

    @Argument(help: "A file with a content state as JSON; - for standard input.")
    var file: String

    @Option(help: "A file with the attributes as JSON: names and colours of the teams.")
    var attributes: String?

    @Option(help: "A file with the state that the phone shows; drawn when the first file does not decode.")
    var kept: String?

    @OptionGroup var options: RenderOptions

    func run() throws {
        let content = SurfaceContent(
            try Self.bytes(file),
            attributes: try attributes.map(Self.bytes),
            kept: try kept.map(Self.bytes)
        )
        try options.draw(content, title: file == "-" ? "Content state" : MatchFile.id(file))
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        let limit = SurfaceImageLimits.stateBytes + 1
        if path == "-" { return Array(try FileHandle.standardInput.read(upToCount: limit) ?? Data()) }
        guard let file = FileHandle(forReadingAtPath: path), let data = try file.read(upToCount: limit) else {
            throw ValidationError("Cannot read \(path); give the path of a JSON file.")
        }
        return Array(data)
    }
}

/// Draws a recorded match.
struct RenderMatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Fold Cricsheet matches and draw one revision, a contact sheet, or the whole match in motion."
    )

    @Argument(help: "Cricsheet JSON files, or folders of them.")
    var paths: [String]

    @Option(help: "The revision to draw, from 1; the last one if absent.")
    var revision: Int?

    @Option(help: "Draw a contact sheet with this number of states of each match.")
    var sheet: Int?

    @Flag(help: "Draw all states of the first match as one moving SVG.")
    var animate = false

    @Option(help: "Seconds of a state in a moving SVG.")
    var seconds = 0.5

    @OptionGroup var options: RenderOptions

    func validate() throws {
        guard (0.05...60).contains(seconds) else { throw ValidationError("--seconds must be 0.05 to 60.") }
        if let sheet, sheet < 1 { throw ValidationError("--sheet must be at least 1.") }
    }

    func run() throws {
        let files = try MatchFile.files(at: paths)
        if let sheet { return try drawSheet(files, states: sheet) }
        let match = try RenderedMatch(path: files[0])
        if animate {
            return try options.write(SurfaceAnimation(match.states, seconds: seconds, options.image).svg)
        }
        let number = revision ?? match.states.count
        guard match.states.indices.contains(number - 1) else {
            throw ValidationError("--revision must be 1 to \(match.states.count).")
        }
        try options.draw(match.states[number - 1], title: "\(match.title), revision \(number)")
    }

    private func drawSheet(_ files: [String], states: Int) throws {
        var rows: [SurfaceSheet.Row] = []
        for file in files.prefix(SurfaceImageLimits.sheetStates) where rows.count < SurfaceImageLimits.sheetStates {
            let match = try RenderedMatch(path: file)
            rows += match.sample(states).map { revision, content in
                let title = "\(match.title), revision \(revision)"
                return SurfaceSheet.mainLayouts(of: content, title: title, options.image)
            }
        }
        options.report(rows.flatMap(\.images).map(\.image))
        try options.write(SurfaceSheet(rows).svg)
    }
}

extension SurfaceLayout: ExpressibleByArgument {}
extension SurfaceScheme: ExpressibleByArgument {}
extension SurfaceCondition: ExpressibleByArgument {}

extension SurfaceScreen: ExpressibleByArgument {
    /// Reads the width in points.
    public init?(argument: String) {
        guard let width = Int(argument) else { return nil }
        self.init(rawValue: width)
    }
}
