// How to reach a database, kept as libpq reads it and never printed whole, since it may hold a password.

internal import CPostgres

/// A libpq connection string (`key=value …` or `postgresql://…`), optionally pointed at another database.
public struct ConnectionInfo: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// What libpq reads; may hold a password.
    let conninfo: String
    /// Overrides the database of `conninfo`.
    let databaseName: String?

    /// Wraps a connection string; it is checked when a connection is opened.
    public init(_ conninfo: String) {
        self.init(conninfo: conninfo, databaseName: nil)
    }

    private init(conninfo: String, databaseName: String?) {
        self.conninfo = conninfo
        self.databaseName = databaseName
    }

    /// The same server and login, another database.
    public func database(_ name: String) -> ConnectionInfo {
        ConnectionInfo(conninfo: conninfo, databaseName: name)
    }

    /// Host, port, database and user, without any secret.
    public var description: String {
        guard let options = parsed() else { return "‹unreadable connection string›" }
        let shown = ["host", "port", "dbname", "user"].compactMap { key -> String? in
            if key == "dbname", let databaseName { return "dbname=\(databaseName)" }
            return options[key].map { "\(key)=\($0)" }
        }
        return shown.isEmpty ? "‹libpq defaults›" : shown.joined(separator: " ")
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// The options that the string sets, nil when libpq cannot read it (its own message would quote the string).
    func parsed() -> [String: String]? {
        guard let list = PQconninfoParse(conninfo, nil) else { return nil }
        defer { PQconninfoFree(list) }
        var options: [String: String] = [:]
        var option = list
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return options
    }
}
