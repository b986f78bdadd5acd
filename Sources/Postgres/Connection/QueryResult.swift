// Frees libpq's results and copy buffers when their owners go out of scope.

internal import CPostgres

/// One result of libpq, freed at the end of its life.
struct QueryResult: ~Copyable {
    let pointer: OpaquePointer

    deinit { PQclear(pointer) }

    var status: ExecStatusType { PQresultStatus(pointer) }
    var rowCount: Int32 { PQntuples(pointer) }

    /// Rows written, as the server counted them; 0 for statements that write none.
    var affectedCount: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

    /// A value of a statement that was run without binds, whose results are text; nil for null and for a missing row.
    func text(row: Int32, column: Int32) -> String? {
        guard row < rowCount, PQgetisnull(pointer, row, column) == 0 else { return nil }
        return String(cString: PQgetvalue(pointer, row, column))
    }

    /// The server's tag of the executed command, such as `COMMIT`.
    var commandTag: String { String(cString: PQcmdStatus(pointer)) }
}

/// One chunk of a COPY, freed at the end of its life.
struct CopyData: ~Copyable {
    let start: UnsafeMutablePointer<CChar>
    let count: Int

    deinit { PQfreemem(start) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
}
