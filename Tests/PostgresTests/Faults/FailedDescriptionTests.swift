// A statement is prepared and then described; a failure between the two must not affect later statements.

import ScoreTypes
import TestSupport
import Testing

@testable import Postgres

@Suite(.serialized) struct FailedDescriptionTests {
    @Test func aStatementThatIsNotDescribedLeavesItsNameToNoOther() async throws {
        let info = try await ScratchDatabase.make()
        let server = try #require(info.parsed()?["host"])
        let database = try #require(info.databaseName)
        let proxy = try FaultProxy(to: server + "/.s.PGSQL.5432")
        let detour = ConnectionInfo("host='\(proxy.directory)' user=score dbname='\(database)'")
        let connection = try await Connection.open(detour, name: "described", statementTimeout: .seconds(60))
        let other = try await Connection.open(info, name: "other")
        try await other.script("create table brief (n integer)")

        // The table vanishes after the statement was prepared and before the server describes it.
        try await proxy.set(.stops(after: 1))
        let reading = Task { try await connection.query(Self.read) { try $0.int(0) } }
        try await eventually("the statement is prepared") {
            try await other.query(Self.prepared) { try $0.int(0) } == [1]
        }
        try await other.script("drop table brief")
        try await proxy.set(.passes)
        let error = await #expect(throws: PostgresError.self) { try await reading.value }
        #expect(error?.sqlState == "42P01")

        #expect(try await connection.query(Statement("select 2")) { try $0.int(0) } == [2])
        await connection.close()
        proxy.end()
    }

    private static let read = Statement("select n from brief")

    private static let prepared = Statement(
        """
        select count(*) from pg_stat_activity
        where datname = current_database() and application_name = 'described' and state = 'idle'
          and query = 'select n from brief'
        """
    )
}
