// A server that ends with its owner must also end when the owner is killed, so a small shell watches the owner's pipe.

internal import Glibc

/// A shell that waits for the owner's end and then stops the server of a folder.
struct ClusterWatcher {
    private let process: ServerProcess
    private let ownersEnd: Int32

    /// Starts the shell as the server's account.
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

    /// The server was stopped in order: the shell has nothing more to stop.
    func dismiss() {
        _ = write(ownersEnd, "done\n", 5)
        release()
        var status: Int32 = 0
        while waitpid(process.id, &status, 0) < 0, errno == EINTR {}
    }

    /// Lets go: the shell sees the end of the pipe, as it would after the owner's death.
    func release() {
        close(ownersEnd)
    }

    /// Takes the folder, and `remove` or `keep`.
    ///
    /// A server that was just being started gets 5 s to write its file; one that does not stop within 20 s is stopped
    /// at once.
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
