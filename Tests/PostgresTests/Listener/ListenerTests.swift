// Committed notifications arrive, and a lost connection is reported and replaced.
import Postgres
import TestSupport
import Testing

struct ListenerTests {
    @Test func messagesArriveAfterAKilledConnection() async throws {
        let info = try await ScratchDatabase.make()
        let speaker = try await Connection.open(info, name: "speaker")
        let listener = Listener(info, channels: ["ball", "odd \"name"])
        var heard = listener.notifications.makeAsyncIterator()
        #expect(await heard.next() == .reconnected)
        let notify = Statement("select pg_notify($1, $2)")
        try await speaker.execute(notify, [.text("ball"), .text("m1")])
        try await speaker.execute(notify, [.text("elsewhere"), .text("m2")])
        try await speaker.execute(notify, [.text("odd \"name"), .text("m3")])
        #expect(await heard.next() == .message(channel: "ball", payload: "m1"))
        #expect(await heard.next() == .message(channel: "odd \"name", payload: "m3"))

        let killed = try await speaker.query(
            Statement(
                """
                select pg_terminate_backend(pid) from pg_stat_activity
                where application_name = 'listener' and datname = current_database()
                """
            )
        ) { try $0.bool(0) }
        #expect(killed == [true])
        #expect(await heard.next() == .reconnected)
        try await speaker.execute(notify, [.text("ball"), .text("m4")])
        #expect(await heard.next() == .message(channel: "ball", payload: "m4"))

        listener.stop()
        listener.stop()
        #expect(await heard.next() == nil)
    }

    @Test func aListenerWithoutItsServerCanBeStopped() async throws {
        let listener = Listener(ConnectionInfo("host=/tmp/nobody-listens-here"), channels: ["ball"])
        listener.stop()
        var heard = listener.notifications.makeAsyncIterator()
        #expect(await heard.next() == nil)
    }
}
