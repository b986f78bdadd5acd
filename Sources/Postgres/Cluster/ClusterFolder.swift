// Checks a folder before anything is written into it, so that a wrong path changes nothing.

internal import Glibc

/// The folder of a private cluster, with data, socket and log.
struct ClusterFolder: Sendable, Hashable {

    let path: String

    var data: String { path + "/data" }
    /// The folder that initdb works in; it is renamed when complete, so that an incomplete cluster is never started.
    var unfinishedData: String { path + "/data.unfinished" }
    var log: String { path + "/postgres.log" }
    var lock: String { path + "/start.lock" }
    var socket: String { path + "/.s.PGSQL.5432" }
    var processFile: String { data + "/postmaster.pid" }

    /// Checks the path without access to the file system.
    ///
    /// - Parameter path: Absolute, or relative to the working directory.
    /// - Throws: `ClusterError.folderNameUnusable`, `.socketPathTooLong`.
    init(_ path: String) throws(ClusterError) {
        self.path = Self.absolute(path)
        guard !self.path.contains(where: { ",'\"\\\n".contains($0) }) else {
            throw .folderNameUnusable(folder: self.path)
        }
        guard socket.utf8.count <= PostgresLimits.socketPathBytes else {
            throw .socketPathTooLong(
                folder: self.path,
                bytes: socket.utf8.count,
                bytesMax: PostgresLimits.socketPathBytes
            )
        }
    }

    /// Creates the folder if necessary, and makes the server's account its owner.
    ///
    /// - Throws: `ClusterError.folderNotWritable`, `.folderUnreachable`, `.notACluster`.
    func prepare(for account: ClusterAccount) throws(ClusterError) {
        try makeParents(for: account)
        if mkdir(path, S_IRWXU) != 0, errno != EEXIST { throw notWritable() }
        guard isOurs else { throw .notACluster(folder: path) }
        guard account.takeOver(path), access(path, W_OK | X_OK) == 0 else { throw notWritable() }
    }

    /// The major version of the programs that created the data; nil when there are no data.
    var majorOfData: String? { Self.firstLine(of: data + "/PG_VERSION") }

    /// The process id in the server's own file; nil unless that process is a server.
    var runningServer: pid_t? {
        guard let line = Self.firstLine(of: processFile), let id = pid_t(line), id > 1,
            let name = Self.firstLine(of: "/proc/\(id)/comm"), name.hasPrefix("postgres")
        else { return nil }
        return id
    }

    /// The last line of an open log, or the last fatal one, which states why a server did not start.
    static func lastLine(ofLog descriptor: Int32) -> String {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return "its log cannot be read" }
        var bytes = [UInt8](repeating: 0, count: PostgresLimits.logTailBytes)
        let start = max(0, status.st_size - PostgresLimits.logTailBytes)
        let count = max(0, pread(descriptor, &bytes, bytes.count, start))
        let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(whereSeparator: \.isNewline)
        return String(lines.last { $0.contains("FATAL") } ?? lines.last ?? "its log is empty")
    }

    /// Opens the log for the server's output, after renaming one that has become too long; the caller closes it.
    ///
    /// - Throws: `ClusterError.folderNotWritable`.
    func openLog(for account: ClusterAccount) throws(ClusterError) -> Int32 {
        var status = stat()
        if lstat(log, &status) == 0, status.st_size > PostgresLimits.logBytes { rename(log, log + ".old") }
        return try openFile(log, O_RDWR | O_APPEND, for: account)
    }

    /// Opens the file whose lock serialises starts; the caller closes it.
    ///
    /// - Throws: `ClusterError.folderNotWritable`.
    func openLock(for account: ClusterAccount) throws(ClusterError) -> Int32 {
        try openFile(lock, O_RDWR, for: account)
    }

    func notWritable() -> ClusterError {
        .folderNotWritable(folder: path, reason: String(cString: strerror(errno)))
    }

    /// Opens a regular file for reading and writing, and creates it if necessary.
    ///
    /// The account may write in the folder, and this process may be root: a link could lead to any file of the machine.
    private func openFile(_ file: String, _ flags: Int32, for account: ClusterAccount) throws(ClusterError) -> Int32 {
        let descriptor = open(file, flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw errno == ELOOP ? notUsable(file) : notWritable() }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
            account.trustsOwner(of: status)
        else {
            close(descriptor)
            throw notUsable(file)
        }
        return descriptor
    }

    private func notUsable(_ file: String) -> ClusterError {
        let name = file.dropFirst(path.count + 1)
        return .folderNotWritable(folder: path, reason: "\(name) is a link, no regular file, or of another user")
    }

    /// Other folders are not taken over: as root this would change the owner of a system folder.
    private var isOurs: Bool {
        let names = ServerPrograms.entries(of: path)
        return names.isEmpty || names.contains("data") || names.contains("start.lock")
    }

    private func makeParents(for account: ClusterAccount) throws(ClusterError) {
        var parent = ""
        for part in path.split(separator: "/").dropLast() {
            parent += "/" + part
            if mkdir(parent, 0o755) != 0, errno != EEXIST { throw notWritable() }
            var status = stat()
            guard stat(parent, &status) == 0 else { throw notWritable() }
            guard account.mayEnter(status) else { throw .folderUnreachable(folder: path, blocker: parent) }
        }
    }

    private static func absolute(_ path: String) -> String {
        var full = path
        if !path.hasPrefix("/"), let here = getcwd(nil, 0) {
            full = String(cString: here) + "/" + path
            free(here)
        }
        var parts: [Substring] = []
        for part in full.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// The first line of a short file; nil when it cannot be read or is a link, since links of the account may lead
    /// to files that it must not read.
    private static func firstLine(of file: String) -> String? {
        let descriptor = open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).prefix { $0 != 0 && $0 != 10 }, as: UTF8.self)
    }
}
