// Each failure of a run on this machine says in one sentence what to do about it.

/// Why the parts of a demo, a crash test or a benchmark could not be started.
enum LabError: Error, CustomStringConvertible {
    case noServer(path: String)
    case serverKeepsDying(status: Int32)
    case cannotStartServer(reason: String)
    case notReady(log: String)
    case noFolder(path: String)
    case noPort
    case noFeed

    var description: String {
        switch self {
        case .noServer(let path): "There is no server at \(path); build both executables with `make release`."
        case .serverKeepsDying(let status):
            """
            The server ended \(LabLimits.restarts) times (last status \(status)); run with --keep and read \
            serve.log.
            """
        case .cannotStartServer(let reason): "The server process cannot be started: \(reason)."
        case .notReady(let log): "The server was not ready within a minute; its log is \(log)."
        case .noFolder(let path): "\(path) cannot be written; make /var/tmp writable for this user."
        case .noPort: "No free port on 127.0.0.1; end some of the programs that listen there."
        case .noFeed: "The simulated feed ended before it listened; check that 127.0.0.1 can be bound."
        }
    }
}

/// The error of a measurement whose figures cannot be trusted.
struct MeasurementFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
