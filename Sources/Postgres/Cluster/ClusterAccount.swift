// PostgreSQL refuses to run as root; a server started by root runs as user postgres.

internal import Glibc

/// The account under which the server's programs run.
enum ClusterAccount: Sendable, Hashable {
    /// The account of this process.
    case current
    /// The user postgres, entered with setpriv.
    case other(user: uid_t, group: gid_t, setpriv: String)

    /// The name of the server's user in the packages of distributions.
    private static let name = "postgres"

    private static let setprivPaths: [String] = ["/usr/bin/setpriv", "/bin/setpriv", "/usr/local/bin/setpriv"]

    /// Chooses the account: the current one, except for root.
    ///
    /// - Throws: `ClusterError.accountMissing`, `.setprivMissing`.
    static func find() throws(ClusterError) -> ClusterAccount {
        guard geteuid() == 0 else { return .current }
        guard let entry = getpwnam(name) else { throw .accountMissing }
        let (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
        let setpriv = setprivPaths.first { path in access(path, X_OK) == 0 }
        guard let setpriv else { throw .setprivMissing }
        return .other(user: user, group: group, setpriv: setpriv)
    }

    /// The command line that runs a program, with the program's path first, as this account.
    func command(_ arguments: [String]) -> [String] {
        switch self {
        case .current: arguments
        case .other(let user, let group, let setpriv):
            [setpriv, "--reuid=\(user)", "--regid=\(group)", "--clear-groups", "--"] + arguments
        }
    }

    /// Whether the account may enter a folder with this status.
    func mayEnter(_ status: stat) -> Bool {
        guard case .other(let user, let group, _) = self else { return true }
        if status.st_uid == user { return status.st_mode & S_IXUSR != 0 }
        if status.st_gid == group { return status.st_mode & S_IXGRP != 0 }
        return status.st_mode & S_IXOTH != 0
    }

    /// Whether the owner of a file with this status is the account or root.
    func trustsOwner(of status: stat) -> Bool {
        if status.st_uid == 0 { return true }
        guard case .other(let user, _, _) = self else { return status.st_uid == geteuid() }
        return status.st_uid == user
    }

    /// Makes the account the folder's owner, with mode 0700; false when the system refuses.
    func takeOver(_ folder: String) -> Bool {
        if case .other(let user, let group, _) = self, chown(folder, user, group) != 0 { return false }
        return chmod(folder, S_IRWXU) == 0
    }
}
