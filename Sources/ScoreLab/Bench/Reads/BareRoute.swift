// The peer of a read: the same bytes from a route of the same HTTP framework that does nothing else.

import ArgumentParser
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// Serves one file at each path below `/v1/matches/`, with its tag, on one port.
struct BareRoute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bare-route",
        abstract: "Serve a file by a bare route, for `bench reads`.",
        shouldDisplay: false
    )

    @Option(help: "The port on 127.0.0.1.")
    var port: Int

    @Option(help: "The file.")
    var body: String

    @Option(help: "The tag of the file, in quotes.")
    var tag: String

    func run() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        guard let data = FileManager.default.contents(atPath: body) else {
            throw ValidationError("Cannot read \(body).")
        }
        let (bytes, tag) = (ByteBuffer(bytes: data), tag)
        let router = Router()
        router.get("/v1/matches/:id") { request, _ in
            if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: [.eTag: tag]) }
            let headers: HTTPFields = [.eTag: tag, .contentType: "application/json; charset=utf-8"]
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: bytes))
        }
        let address = BindAddress.hostname(Testbed.host, port: port)
        try await Application(router: router, configuration: .init(address: address)).runService()
    }
}
