// The errors of starting a private cluster, each with its remedy.

/// The reason why a private cluster could not be started.
public enum ClusterError: Error, Sendable, Hashable, CustomStringConvertible {
    case programsMissing
    case versionMissing(major: String, folder: String)
    case accountMissing
    case setprivMissing
    case folderUnreachable(folder: String, blocker: String)
    case folderNotWritable(folder: String, reason: String)
    case folderNameUnusable(folder: String)
    case socketPathTooLong(folder: String, bytes: Int, bytesMax: Int)
    case inUse(folder: String)
    case notACluster(folder: String)
    case initFailed(folder: String, reason: String)
    case startFailed(folder: String, reason: String)

    /// One sentence with the remedy.
    public var description: String {
        switch self {
        case .programsMissing:
            "no PostgreSQL server programs (initdb, postgres; version 15 or newer) were found: install them "
                + "(Debian and Ubuntu: apt-get install postgresql), or configure the address of a running database"
        case .versionMissing(let major, let folder):
            "the data in \(folder) was created by PostgreSQL \(major), whose programs are not installed: "
                + "install postgresql-\(major), or choose an empty folder"
        case .accountMissing:
            "PostgreSQL refuses to run as root and there is no user named postgres: install the package postgresql, "
                + "or start this program as an ordinary user"
        case .setprivMissing:
            "the program setpriv, which runs PostgreSQL as user postgres, was not found: install util-linux, "
                + "or start this program as an ordinary user"
        case .folderUnreachable(let folder, let blocker):
            "user postgres may not enter \(blocker), so the database cannot use \(folder): choose a folder below "
                + "/var/lib or /var/tmp, or start this program as an ordinary user"
        case .folderNotWritable(let folder, let reason):
            "the folder \(folder) cannot be used (\(reason)): choose a folder with write permission"
        case .folderNameUnusable(let folder):
            "the folder name \(folder) contains a comma, a quote or a line break, which PostgreSQL does not "
                + "accept in the path of its socket: choose another folder"
        case .socketPathTooLong(let folder, let bytes, let bytesMax):
            "the path of the database's socket in \(folder) would have \(bytes) bytes, the system allows \(bytesMax): "
                + "choose a folder with a shorter path"
        case .inUse(let folder):
            "the database in \(folder) is in use by another running program: stop it, or choose another folder"
        case .notACluster(let folder):
            "the folder \(folder) contains files but no database: choose an empty folder, or remove the files"
        case .initFailed(let folder, let reason):
            "initdb could not create a database in \(folder): \(reason)"
        case .startFailed(let folder, let reason):
            "PostgreSQL did not start in \(folder): \(reason)"
        }
    }
}
