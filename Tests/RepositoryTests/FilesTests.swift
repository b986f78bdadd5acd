// Rules of the files beside Swift: migrations are numbered and embedded, no file contains a path of a machine.

import Foundation
import Testing

@Suite struct FilesTests {
    @Test func migrationsAreNumberedAndReversible() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Repository.root.appending(path: "sql").path)
            .sorted()
        let ups = names.filter { $0.hasSuffix(".up.sql") }
        #expect(Set(ups.map { $0.prefix(4) }).count == ups.count)
        for name in ups {
            #expect(name.prefix(4).allSatisfy(\.isNumber) && name.dropFirst(4).first == "_", "\(name)")
            let down = name.replacingOccurrences(of: ".up.sql", with: ".down.sql")
            #expect(names.contains(down), "\(name) has no down migration")
        }
        #expect(names.count == 2 * ups.count)
    }

    @Test func everyMigrationIsInTheBinary() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Repository.root.appending(path: "sql").path)
            .sorted()
        let schema = try Repository.text(of: "Sources/CSchema/schema.c")
        let embedded = schema.matches(of: #/\{"([\w.]+)", /#).map { String($0.1) }
        #expect(embedded == names)
    }

    @Test func filesContainNoPathOfAMachine() throws {
        let texts = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile", "openapi.yaml"]
        var lines: [(String, String)] = []
        for path in texts where FileManager.default.fileExists(atPath: Repository.root.appending(path: path).path) {
            lines += try Repository.text(of: path).components(separatedBy: "\n").map { (path, $0) }
        }
        lines += Repository.sources.flatMap { file in file.lines.map { (file.path, $0) } }
        let roots = ["/work/", "/root/", "/home/", "/opt/"]
        for (path, line) in lines where roots.contains(where: line.has) {
            let clean = line.firstMatch(of: #/(^|[^\w.])/(work|root|home|opt)/[a-z]/#) == nil
            #expect(clean, "\(path): \(line)")
        }
    }

    @Test func generatedFilesAreIgnored() throws {
        let ignored = try Repository.text(of: ".gitignore")
        for name in [".build*", "Package.resolved", ".corpus", ".env"] { #expect(ignored.contains(name)) }
    }
}
