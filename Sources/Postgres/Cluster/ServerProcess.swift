// Starts the server's programs so that they inherit no descriptor, no signal setting and no terminal.

internal import CPostgres
internal import Glibc

/// A child process.
struct ServerProcess {
    /// The system's error of a program that could not be started.
    struct SpawnError: Error {
        let code: Int32
        var reason: String { String(cString: strerror(code)) }
    }

    let id: pid_t

    /// Starts a program in a session of its own, with default signals; Ctrl-C in the terminal does not reach it.
    ///
    /// The file descriptors become its standard input (without one `/dev/null`), output and error.
    init(_ arguments: [String], input: Int32? = nil, output: Int32) throws(SpawnError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        _ = posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        // The program's user may have no access to the current working directory.
        _ = posix_spawn_file_actions_addchdir_np(&actions, "/")

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t()
        var none = sigset_t()
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        let flags = Int32(SPAWN_IN_NEW_SESSION) | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))

        let environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"]
        var child: pid_t = 0
        let program = arguments.first ?? ""
        let code = arguments.withCStrings { arguments in
            environment.withCStrings { posix_spawn(&child, program, &actions, &attributes, arguments, $0) }
        }
        guard code == 0 else { throw SpawnError(code: code) }
        id = child
    }

    /// Whether the child has ended; its exit status is collected.
    var hasEnded: Bool { waitpid(id, nil, WNOHANG) != 0 }

    /// Runs a program to its end; returns the status of `waitpid`, and output up to
    /// `PostgresLimits.programOutputBytes`.
    static func run(_ arguments: [String]) throws(SpawnError) -> (status: Int32, output: String) {
        guard let pipe = PipeEnds() else { throw SpawnError(code: errno) }
        let process: ServerProcess
        do {
            process = try ServerProcess(arguments, output: pipe.writing)
        } catch {
            pipe.close()
            throw error
        }
        close(pipe.writing)
        var kept: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(pipe.reading, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            kept.append(contentsOf: chunk.prefix(min(count, PostgresLimits.programOutputBytes - kept.count)))
        }
        close(pipe.reading)
        var status: Int32 = 0
        while waitpid(process.id, &status, 0) < 0, errno == EINTR {}
        return (status, String(decoding: kept, as: UTF8.self))
    }
}

/// The two ends of a pipe, which no child inherits.
struct PipeEnds {
    let reading: Int32
    let writing: Int32

    init?() {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = ends[0]
        writing = ends[1]
    }

    func close() {
        Glibc.close(reading)
        Glibc.close(writing)
    }
}
