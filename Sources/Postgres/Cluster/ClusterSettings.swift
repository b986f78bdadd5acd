// The server's settings for a small machine; passed as arguments, so that no configuration file can differ from them.

internal import Glibc

extension PrivateCluster.Plan {
    /// Shared buffers in megabytes: a quarter of the memory, within `PostgresLimits.sharedBuffersMegabytes`.
    static var bufferMegabytes: Int {
        let bytes = max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(0, sysconf(Int32(_SC_PAGESIZE)))
        let bounds = PostgresLimits.sharedBuffersMegabytes
        return min(bounds.upperBound, max(bounds.lowerBound, bytes / 4 / 1_048_576))
    }

    /// The arguments of `postgres` after the program's name.
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
            // Pages are written whole after a checkpoint; PostgreSQL's own compression of them was visible in profiles.
            ("wal_compression", "lz4"),
            // A new cluster has no old segments to reuse; filling each one with zeros first delayed commits by 50 ms.
            ("wal_init_zero", "off"),
            ("checkpoint_timeout", "15min"),
            // Progress rows are updated with every ball; the default of once a minute lets too many dead rows
            // accumulate.
            ("autovacuum_naptime", "15s"),
            ("idle_in_transaction_session_timeout", "10s"),
            ("jit", "off"),
            ("max_parallel_workers_per_gather", "0"),
            ("logging_collector", "off"),
            ("log_min_messages", "warning"),
            // Neither statements nor values quoted in a message's detail are logged.
            ("log_min_error_statement", "panic"),
            ("log_error_verbosity", "terse"),
        ]
        if !durable {
            settings += [("fsync", "off"), ("synchronous_commit", "off"), ("full_page_writes", "off")]
        }
        return ["-D", folder.data] + settings.flatMap { ["-c", "\($0.0)=\($0.1)"] }
    }
}
