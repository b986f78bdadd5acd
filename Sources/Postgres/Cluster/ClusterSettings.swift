// The server's settings for a small box that is all ours; given on the command line, so that no file can drift.

internal import Glibc

/// What a private server is started with.
struct ClusterSettings: Sendable, Hashable {
    /// Whether a commit survives a power cut.
    var durable: Bool
    /// Connections at most: a node has 22 at most, so that four fit beside an operator's psql.
    var connectionsMax = 100
    /// Marks the server, so that a later owner can tell whether it may adopt it.
    var clusterName: String

    /// A quarter of the memory, from 128 MB to 2 GB: a million activities with their keys take 500 MB.
    ///
    /// The server takes it page by page as it is used.
    static var bufferMegabytes: Int {
        let bytes = max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(0, sysconf(Int32(_SC_PAGESIZE)))
        return min(2048, max(128, bytes / 4 / 1_048_576))
    }

    /// The arguments behind the program's name.
    func arguments(folder: ClusterFolder) -> [String] {
        var settings: [(String, String)] = [
            ("listen_addresses", ""),
            ("unix_socket_directories", "\"\(folder.path)\""),
            ("unix_socket_permissions", "0700"),
            ("port", "5432"),
            ("cluster_name", clusterName),
            ("max_connections", String(connectionsMax)),
            ("shared_buffers", "\(Self.bufferMegabytes)MB"),
            ("max_wal_size", "4GB"),
            // Pages are written whole after a checkpoint; PostgreSQL's own packing of them showed in profiles.
            ("wal_compression", "lz4"),
            // A new cluster has no old segments to use again: filling each with zeros first held up commits for 50 ms.
            ("wal_init_zero", "off"),
            ("checkpoint_timeout", "15min"),
            // Rows of progress die with every ball; once a minute, as it is by default, is late for them.
            ("autovacuum_naptime", "15s"),
            ("idle_in_transaction_session_timeout", "10s"),
            ("jit", "off"),
            ("max_parallel_workers_per_gather", "0"),
            ("logging_collector", "off"),
            ("log_min_messages", "warning"),
            // Neither statements nor the values that a message's detail quotes belong in a log.
            ("log_min_error_statement", "panic"),
            ("log_error_verbosity", "terse"),
        ]
        if !durable {
            settings += [("fsync", "off"), ("synchronous_commit", "off"), ("full_page_writes", "off")]
        }
        return ["-D", folder.data] + settings.flatMap { ["-c", "\($0.0)=\($0.1)"] }
    }
}
