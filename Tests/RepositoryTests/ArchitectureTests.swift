// ARCHITECTURE.md lists the files of a ball's way and of a rejected token's way; the lists agree with the sources.

import Testing

@Suite struct ArchitectureTests {
    /// A table of files, under a heading that ends in their number.
    struct Way {
        let title: String
        let number: Int
        let files: [WayFile]
    }

    /// A row: a file, the functions of the way in it, and the functions that it calls for a value.
    struct WayFile {
        let path: String
        let functions: [String]
        let calls: [String]
    }

    static let ways: [Way] = {
        var ways: [Way] = []
        var heading: (title: String, number: Int)?
        var files: [WayFile] = []
        func end() {
            if let heading { ways.append(Way(title: heading.title, number: heading.number, files: files)) }
            (heading, files) = (nil, [])
        }
        for line in (try? Repository.text(of: "ARCHITECTURE.md"))?.split(separator: "\n") ?? [] {
            if line.hasPrefix("#") { end() }
            if let match = line.wholeMatch(of: #/#+ (From the .*): (\d+) files/#) {
                heading = (String(match.1), Int(match.2) ?? 0)
            }
            guard heading != nil, line.hasPrefix("| `") else { continue }
            let cells = line.split(separator: "|").map { $0.matches(of: #/`([^`]+)`/#).map { String($0.1) } }
            files.append(WayFile(path: "Sources/\(cells[0][0])", functions: cells[1], calls: cells[2]))
        }
        end()
        return ways
    }()

    /// The most files that a reader has to open, by table.
    static let bounds = [
        "From the fetch to the commit": 8, "From the commit to the wire": 8, "From the answer to the row": 5,
    ]

    @Test func waysHaveFewFiles() {
        #expect(Self.ways.map(\.title).sorted() == Self.bounds.keys.sorted())
        for way in Self.ways {
            #expect(way.files.count == way.number, "\(way.title)")
            #expect(way.number <= Self.bounds[way.title] ?? 0, "\(way.title)")
            #expect(Set(way.files.map(\.path)).count == way.number, "\(way.title) has a file twice")
        }
    }

    @Test func waysReadFromTopToBottom() {
        for file in Self.ways.flatMap(\.files) {
            guard let source = Self.source(file.path) else { continue }
            var rest = source.lines[...]
            for function in file.functions {
                let found = rest.firstIndex { Self.declares($0, Self.name(of: function)) }
                #expect(found != nil, "\(file.path) does not declare \(function) in this order")
                if let found { rest = rest[(found + 1)...] }
            }
        }
    }

    /// The way reaches a file by a call in a file that the reader has opened, or in the composition.
    @Test func filesAreReachedByCalls() {
        let composition = Repository.sources.filter { $0.path.hasPrefix("Sources/ScoreServer/Composition/") }
        for way in Self.ways {
            var opened: [SourceFile] = []
            for file in way.files {
                guard let source = Self.source(file.path), let first = file.functions.first else { continue }
                let isReached = (opened + composition).contains { Self.calls($0, first) }
                #expect(isReached || opened.isEmpty, "no file before \(file.path) calls \(first)")
                opened.append(source)
            }
        }
    }

    @Test func calledFunctionsBelongToTheirTypes() {
        for file in Self.ways.flatMap(\.files) {
            guard let source = Self.source(file.path) else { continue }
            for call in file.calls where call.has(".") {
                let type = call.prefix { $0 != "." }
                let places = Repository.sources.filter { other in
                    let name = other.path.split(separator: "/").last ?? ""
                    return name == "\(type).swift" || name.hasPrefix("\(type)+")
                }
                let isDeclared = places.contains { $0.lines.contains { Self.declares($0, Self.name(of: call)) } }
                #expect(isDeclared, "\(call) is not declared in a file of \(type)")
                #expect(Self.calls(source, call), "\(file.path) does not call \(call)")
            }
        }
    }

    private static func source(_ path: String) -> SourceFile? {
        let found = Repository.sources.first { $0.path == path }
        if found == nil { Issue.record("ARCHITECTURE.md names \(path), which does not exist") }
        return found
    }

    /// The name of a function without that of its type.
    private static func name(of function: String) -> String {
        function.split(separator: ".").last.map(String.init) ?? function
    }

    private static func declares(_ line: String, _ name: String) -> Bool {
        if name == "init" { return line.has("init(") || line.has("init?(") }
        return line.has("func \(name)(") || line.has("func \(name)<") || line.has("static let \(name):")
            || line.has("var \(name):")
    }

    /// Whether a file calls a function; `Type.init` is called by the name of the type.
    private static func calls(_ file: SourceFile, _ function: String) -> Bool {
        let name = name(of: function)
        let called = name == "init" ? String(function.prefix { $0 != "." }) : name
        return file.lines.contains { line in
            !declares(line, name) && (line.has("\(called)(") || line.has("\(called) {") || line.has(".\(called)"))
        }
    }
}
