// What has to be applied, and whether a schema may be touched at all, is decided from two lists.

/// A schema that this binary must not touch, with the way out.
public enum MigrationError: Error, Sendable, Hashable, CustomStringConvertible {
    case newerSchema(database: Int32, binary: Int32)
    case changedFile(version: Int32, name: String)
    case otherBucketCount(database: Int64, binary: Int64)
    case lockHeld(Duration)
    case failed(version: Int32, name: String, reason: String)
    case nothingToRevert

    /// One sentence with the way out.
    public var description: String {
        switch self {
        case .newerSchema(let database, let binary):
            "the database has schema version \(database), this program knows versions up to \(binary): "
                + "run the program that made it, or a newer one"
        case .changedFile(let version, let name):
            "migration \(version) (\(name)) is not the one that was applied to this database: "
                + "run the program that applied it, or start with an empty database"
        case .otherBucketCount(let database, let binary):
            "the database was made for \(database) buckets, this program uses \(binary): "
                + "run the program that made it, or start with an empty database"
        case .lockHeld(let wait):
            "another program is migrating this database since \(wait): wait for it, or end it"
        case .failed(let version, let name, let reason):
            "migration \(version) (\(name)) failed and left nothing behind: \(reason)"
        case .nothingToRevert:
            "no migration that could be undone is applied to this database"
        }
    }
}

/// Which files are missing in a database.
enum MigrationPlan {
    /// A row of the table of applied migrations.
    struct Applied: Sendable, Hashable {
        let version: Int32
        let checksum: String
    }

    /// Decides what to apply.
    ///
    /// - Parameters:
    ///   - files: Each known file with its checksum, oldest first.
    ///   - applied: What the database says was applied.
    /// - Returns: The files to apply, oldest first.
    /// - Throws: `MigrationError` for a schema that is newer, or was made from other files.
    static func missing(
        files: [(file: MigrationFile, checksum: String)],
        applied: [Applied]
    ) throws(MigrationError) -> [(file: MigrationFile, checksum: String)] {
        let known = Dictionary(files.map { ($0.file.version, $0) }, uniquingKeysWith: { first, _ in first })
        for row in applied.sorted(by: { $0.version > $1.version }) {
            guard let match = known[row.version] else {
                throw .newerSchema(database: row.version, binary: files.last?.file.version ?? 0)
            }
            guard match.checksum == row.checksum else {
                throw .changedFile(version: row.version, name: match.file.name)
            }
        }
        let done = Set(applied.map(\.version))
        return files.filter { !done.contains($0.file.version) }
    }
}
