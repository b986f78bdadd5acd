// The binary carries the SQL files, so that it can be copied to any machine and still create its schema.

internal import CSchema

/// One pair of files of `sql/`: `0001_schema.up.sql` and `0001_schema.down.sql`.
struct MigrationFile: Sendable, Hashable {
    /// The number at the start of the file name; a later migration has a higher one.
    let version: Int32
    /// The part of the file name between number and suffix.
    let name: String
    /// SQL that applies the migration.
    let up: String
    /// SQL that undoes it; nil when there is no down file.
    let down: String?

    /// The files of this binary, oldest first.
    static let embedded: [MigrationFile] = {
        var count = 0
        guard let start = schema_files(&count) else { return [] }
        let contents = UnsafeBufferPointer(start: start, count: count).map { file in
            (
                name: String(cString: file.name),
                sql: String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
            )
        }
        return pair(contents)
    }()

    /// Pairs up and down files by number and name, oldest first; files of another form are left out.
    static func pair(_ files: [(name: String, sql: String)]) -> [MigrationFile] {
        let downs = Dictionary(files.map { ($0.name, $0.sql) }, uniquingKeysWith: { first, _ in first })
        let found = files.compactMap { file -> MigrationFile? in
            guard file.name.hasSuffix(upSuffix) else { return nil }
            let stem = file.name.dropLast(upSuffix.count)
            let parts = stem.split(separator: "_", maxSplits: 1)
            guard parts.count == 2, let version = Int32(parts[0]) else { return nil }
            return MigrationFile(
                version: version,
                name: String(parts[1]),
                up: file.sql,
                down: downs[stem + downSuffix]
            )
        }
        return found.sorted { $0.version < $1.version }
    }

    private static let upSuffix = ".up.sql"
    private static let downSuffix = ".down.sql"
}
