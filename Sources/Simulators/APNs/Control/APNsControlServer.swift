// Tests in any language query and script the simulated APNs over plain HTTP on this machine.

import HTTPTypes
import Hummingbird
import NIOCore
import ScoreTypes

/// The HTTP server through which a simulator is queried and scripted.
public enum APNsControlServer {
    /// Lines of the journal in an answer when the query does not say how many.
    private static let linesUsual = 100

    /// Serves until the task is cancelled or the process receives SIGTERM or SIGINT.
    ///
    /// Port 0 stands for a free one; `onListening` is called with the port once the server listens.
    ///
    /// - Throws: When the address is taken.
    public static func serve(
        _ simulator: APNsSimulator,
        host: String,
        port: Int,
        onListening: @escaping @Sendable (Int) async -> Void
    ) async throws {
        let router = Router()
        addQueries(to: router, simulator)
        addOrders(to: router, simulator)
        let application = Application(
            router: router,
            configuration: .init(address: .hostname(host, port: port)),
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? port) }
        )
        try await application.runService()
    }

    private static func addQueries(to router: Router<BasicRequestContext>, _ simulator: APNsSimulator) {
        router.get("/statistics") { _, _ in json(statistics(simulator)) }
        router.get("/journal") { request, _ in
            let wanted = request.uri.queryParameters.get("last", as: Int.self) ?? linesUsual
            return json(journal(simulator.journal(last: max(0, wanted))))
        }
        router.get("/phones/:token") { _, context in
            guard let token = token(context), let screen = simulator.state.screens.screen(of: token.bytes) else {
                return Response(status: .notFound)
            }
            return json(phone(screen))
        }
    }

    private static func addOrders(to router: Router<BasicRequestContext>, _ simulator: APNsSimulator) {
        router.put("/script") { request, _ in
            let body = try await request.body.collect(upTo: SimulatorLimits.scriptBytes)
            let script: APNsScript
            do throws(APNsScriptError) { script = try APNsScript(json: Array(buffer: body)) } catch {
                return json(JSONWriter.document { $0.field("error", error.description) }, status: .badRequest)
            }
            await simulator.follow(script)
            return Response(status: .noContent)
        }
        router.delete("/script") { _, _ in
            await simulator.interfere(nil)
            return Response(status: .noContent)
        }
        router.delete("/tokens/:token") { _, context in
            guard let token = token(context) else { return Response(status: .badRequest) }
            simulator.kill(token)
            return Response(status: .noContent)
        }
        router.put("/broadcast-capability") { _, _ in
            simulator.setBroadcastCapability(true)
            return Response(status: .noContent)
        }
        router.delete("/broadcast-capability") { _, _ in
            simulator.setBroadcastCapability(false)
            return Response(status: .noContent)
        }
        router.post("/freeze") { request, _ in
            let wanted = request.uri.queryParameters.get("milliseconds", as: Int.self) ?? 1000
            let thaw = await simulator.freeze()
            try? await Task.sleep(for: .milliseconds(min(max(1, wanted), SimulatorLimits.freezeMilliseconds)))
            thaw()
            return Response(status: .noContent)
        }
    }

    private static func token(_ context: BasicRequestContext) -> PushToken? {
        context.parameters.get("token").flatMap { PushToken(hex: $0) }
    }

    private static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: .init(bytes: bytes))
        )
    }

    // MARK: Answers

    private static func statistics(_ simulator: APNsSimulator) -> [UInt8] {
        let seen = simulator.statistics
        let totals = simulator.state.screens.totals
        return JSONWriter.document { json in
            json.field("accepted", seen.accepted)
            json.field("acceptedAtHighPriority", seen.acceptedAtHighPriority)
            json.field("acceptedWithAlert", seen.acceptedWithAlert)
            json.field("broadcasts", seen.broadcasts)
            if let first = seen.firstRequestAt { json.field("firstRequestMs", first.milliseconds) }
            if let last = seen.lastAcceptedAt { json.field("lastAcceptedMs", last.milliseconds) }
            json.field("phones", totals.phones)
            json.field("wentBack", totals.wentBack)
            json.field("streamsBeforeTrust", seen.streamsBeforeTrust)
            json.field("streamsMost", seen.streamsMost)
            write("events", seen.events, to: &json)
            write("refused", seen.refused, to: &json)
            write("traps", seen.traps, to: &json)
            write("providerTokensMost", seen.providerTokensMost, to: &json)
        }
    }

    private static func write(_ name: StaticString, _ counts: [String: Int], to json: inout JSONWriter) {
        json.object(name) { fields in
            for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
                fields.key(dynamic: name)
                fields.integer(count)
            }
        }
    }

    private static func journal(_ lines: [JournaledPush]) -> [UInt8] {
        JSONWriter.document { json in
            json.objects("lines", lines) { line, fields in
                fields.field("atMs", line.at.milliseconds)
                fields.field("target", line.isBroadcast ? "broadcast" : "device")
                fields.field("id", line.id)
                if !line.collapseID.isEmpty { fields.field("collapseId", line.collapseID) }
                fields.field("recipient", ifPresent: line.recipient?.text)
                fields.field("alert", line.hasAlert)
                fields.field("status", line.status)
                fields.field("reason", line.reason)
                fields.field("priority", line.priority)
                fields.field("event", ifPresent: line.event?.rawValue)
                if let revision = line.revision { fields.field("rev", revision) }
            }
        }
    }

    private static func phone(_ screen: SimulatedScreens.Screen) -> [UInt8] {
        JSONWriter.document { json in
            json.field("rev", screen.card.revision)
            json.field("timestamp", screen.card.timestamp)
            json.field("isEnded", screen.card.isEnded)
            json.field("pushes", screen.pushes)
            json.field("starts", screen.starts)
            json.field("alerts", screen.alerts)
            json.field("wentBack", screen.card.wentBack)
            json.field("ignored", screen.card.ignored)
            json.field("undecodable", screen.card.undecodable)
        }
    }
}
