// What is updated with every ball must not wait until a fifth of it is dead.

import Postgres
import Testing

@Suite struct VacuumTests {
    @Test func everyPartitionOfWhatChangesIsClearedEarly() async throws {
        let connection = try await Connection.open(try await ScratchDatabase.make(), name: "look")
        let rows = try await connection.query(
            Statement(
                """
                select p.relname || ': ' || coalesce(array_to_string(c.reloptions, ' '), '')
                from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
                where p.relname in ('activity', 'fanout') order by p.relname
                """
            )
        ) { try $0.text(0) }
        let activity = "activity: fillfactor=85 autovacuum_vacuum_scale_factor=0.02"
        let fanout = "fanout: fillfactor=50 autovacuum_vacuum_scale_factor=0.01"
        #expect(rows == Array(repeating: activity, count: 8) + Array(repeating: fanout, count: 8))
        await connection.close()
    }
}
