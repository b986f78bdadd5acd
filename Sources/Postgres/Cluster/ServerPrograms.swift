// Finds the server's programs, which distributions install outside the PATH.

internal import Glibc

/// A folder with `initdb` and `postgres` of one major version.
struct ServerPrograms: Sendable, Hashable {

    let folder: String
    let major: Int

    var initdb: String { folder + "/initdb" }
    var postgres: String { folder + "/postgres" }

    /// Finds the newest programs, or those of the major version in the data's `PG_VERSION`; nil if none are installed.
    static func find(major: Int?) -> ServerPrograms? {
        let found = candidates().filter { $0.major >= PostgresLimits.serverMajorOldest }
        guard let major else { return found.max { $0.major < $1.major } }
        return found.first { $0.major == major }
    }

    /// Folders of Debian, Red Hat and source installations, then those of the PATH.
    private static func candidates() -> [ServerPrograms] {
        var folders: [String] = []
        for name in entries(of: "/usr/lib/postgresql") { folders.append("/usr/lib/postgresql/\(name)/bin") }
        for name in entries(of: "/usr") where name.hasPrefix("pgsql-") { folders.append("/usr/\(name)/bin") }
        folders.append("/usr/local/pgsql/bin")
        if let path = getenv("PATH") { folders += String(cString: path).split(separator: ":").map(String.init) }
        return folders.compactMap { ServerPrograms(folder: $0) }
    }

    private init?(folder: String) {
        guard access(folder + "/initdb", X_OK) == 0, access(folder + "/postgres", X_OK) == 0,
            let major = Self.major(of: folder)
        else { return nil }
        self.folder = folder
        self.major = major
    }

    /// The major version from the folder's name, else from the program's output.
    private static func major(of folder: String) -> Int? {
        let parts = folder.split(separator: "/")
        if folder.hasPrefix("/usr/lib/postgresql/"), parts.count == 5, let major = Int(parts[3]) { return major }
        if let part = parts.first(where: { $0.hasPrefix("pgsql-") }), let major = Int(part.dropFirst(6)) {
            return major
        }
        guard let run = try? ServerProcess.run([folder + "/postgres", "--version"]), run.status == 0 else { return nil }
        // "postgres (PostgreSQL) 15.20 (Debian …)"
        let word = run.output.split(separator: " ").first { $0.first?.isNumber ?? false }
        return word.flatMap { Int($0.prefix { $0.isNumber }) }
    }

    /// The names in a folder, without those that begin with a dot; empty when the folder cannot be read.
    static func entries(of folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
