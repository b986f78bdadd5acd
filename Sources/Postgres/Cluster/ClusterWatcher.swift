// Stops the server when its owner is killed: a shell waits for the end of a pipe that the owner holds open.

internal import Glibc

/// A shell process that waits for the owner's end and then stops the server of a folder.
struct ClusterWatcher {
    private let process: ServerProcess
    private let ownersEnd: Int32

    /// Starts the shell under the server's account; its output goes to the file descriptor `log`.
    ///
    /// - Throws: `SpawnError` with the system's error code.
    init(
        _ folder: ClusterFolder,
        account: ClusterAccount,
        removesFolder: Bool,
        log: Int32
    ) throws(ServerProcess.SpawnError) {
        guard let pipe = PipeEnds() else { throw ServerProcess.SpawnError(code: errno) }
        let command = ["/bin/sh", "-c", Self.script, "cluster-watcher", folder.path, removesFolder ? "remove" : "keep"]
        do {
            process = try ServerProcess(account.command(command), input: pipe.reading, output: log)
        } catch {
            pipe.close()
            throw error
        }
        close(pipe.reading)
        ownersEnd = pipe.writing
    }

    /// Ends the shell after an orderly stop of the server, and waits for its end.
    func dismiss() {
        _ = write(ownersEnd, "done\n", 5)
        release()
        var status: Int32 = 0
        while waitpid(process.id, &status, 0) < 0, errno == EINTR {}
    }

    /// Closes the pipe; the shell then stops the server, as after the owner's death.
    func release() { close(ownersEnd) }

    /// The script; its arguments are the folder, and `remove` or `keep`.
    ///
    /// It waits up to 5 s for the process file of a server that is starting, and sends SIGQUIT to a server that has not
    /// stopped after 20 s.
    private static let script = """
        pidfile="$1/data/postmaster.pid"
        read -r word
        if [ "$word" != done ]; then
            tries=50
            while [ ! -s "$pidfile" ] && [ $tries -gt 0 ]; do sleep 0.1; tries=$((tries - 1)); done
            signal=INT
            [ "$2" = remove ] && signal=QUIT
            tries=200
            read -r first < "$pidfile"
            while read -r server < "$pidfile" && [ "$server" = "$first" ] &&
                [ "$(cat "/proc/$server/comm")" = postgres ]; do
                [ $((tries % 200)) -eq 0 ] && kill -$signal "$server"
                signal=QUIT
                sleep 0.1
                tries=$((tries - 1))
                [ $tries -gt -200 ] || break
            done
        fi 2>/dev/null
        [ "$2" = remove ] && rm -rf "$1"
        exit 0
        """
}
