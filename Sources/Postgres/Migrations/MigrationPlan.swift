// Two lists decide which migrations are applied: the files of this binary and the rows of the database.

/// Why a schema was not changed; the description says what to do.
public enum MigrationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The database has a migration that this binary does not have.
    case newerSchema(database: Int32, binary: Int32)
    /// The checksum of an applied migration differs from that of the file of the same number.
    case changedFile(version: Int32, name: String)
    /// The database was created for another number of buckets.
    case otherBucketCount(database: Int64, binary: Int64)
    /// Another program held the migration lock for this long.
    case lockHeld(Duration)
    /// PostgreSQL refused a statement of the migration; its transaction was rolled back.
    case failed(version: Int32, name: String, reason: String)
    /// The migration has no down file.
    case notReversible(version: Int32)

    /// One sentence with the remedy.
    public var description: String {
        switch self {
        case .newerSchema(let database, let binary):
            "the database has schema version \(database), this program knows versions up to \(binary): "
                + "run the program that created it, or a newer one"
        case .changedFile(let version, let name):
            "migration \(version) (\(name)) differs from the one that was applied to this database: "
                + "run the program that applied it, or start with an empty database"
        case .otherBucketCount(let database, let binary):
            "the database was created for \(database) buckets, this program uses \(binary): "
                + "run the program that created it, or start with an empty database"
        case .lockHeld(let wait):
            "another program has been migrating this database for \(wait): wait for it, or end it"
        case .failed(let version, let name, let reason):
            "migration \(version) (\(name)) failed and was rolled back: \(reason)"
        case .notReversible(let version):
            "migration \(version) has no down file in this program and cannot be undone"
        }
    }
}

/// Decides which migrations a database lacks.
enum MigrationPlan {
    /// A row of `schema_migration`.
    struct Applied: Sendable, Hashable {
        let version: Int32
        /// SHA-256 of the up file, in hexadecimal.
        let checksum: String
    }

    /// Compares the files with the database.
    ///
    /// - Parameters:
    ///   - files: All migrations of this binary, oldest first.
    ///   - applied: The rows of the database, in any order.
    /// - Returns: The files that are not applied, in the order of `files`.
    /// - Throws: `MigrationError.newerSchema`, `.changedFile`.
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
