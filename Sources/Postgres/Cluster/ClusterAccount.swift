// PostgreSQL refuses to run as root, so root hands it to the user postgres.

internal import Glibc

/// Who the server's programs run as.
enum ClusterAccount: Sendable, Hashable {
    /// Ourselves.
    case current
    /// The user postgres, through setpriv.
    case other(user: uid_t, group: gid_t, setpriv: String)

    /// The name that distributions give to the server's user.
    private static let name = "postgres"

    private static let setprivPaths: [String] = ["/usr/bin/setpriv", "/bin/setpriv", "/usr/local/bin/setpriv"]

    /// Decides by who we are.
    static func find() throws(ClusterError) -> ClusterAccount {
        guard geteuid() == 0 else { return .current }
        guard let entry = getpwnam(name) else { throw .accountMissing }
        let (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
        let setpriv = setprivPaths.first { path in access(path, X_OK) == 0 }
        guard let setpriv else { throw .setprivMissing }
        return .other(user: user, group: group, setpriv: setpriv)
    }

    /// The command that runs a program as this account.
    func command(_ arguments: [String]) -> [String] {
        switch self {
        case .current: arguments
        case .other(let user, let group, let setpriv):
            [setpriv, "--reuid=\(user)", "--regid=\(group)", "--clear-groups", "--"] + arguments
        }
    }

    /// Whether the account may pass through a folder.
    func mayEnter(_ status: stat) -> Bool {
        guard case .other(let user, let group, _) = self else { return true }
        if status.st_uid == user { return status.st_mode & S_IXUSR != 0 }
        if status.st_gid == group { return status.st_mode & S_IXGRP != 0 }
        return status.st_mode & S_IXOTH != 0
    }

    /// Gives a folder to the account.
    func takeOver(_ folder: String) -> Bool {
        if case .other(let user, let group, _) = self, chown(folder, user, group) != 0 { return false }
        return chmod(folder, S_IRWXU) == 0
    }
}
