// Both listeners pass the same context through their routers.

import Hummingbird
import NIOCore

/// The context of one request.
struct ServiceContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection, for its address and for a stream's deadlines.
    let channel: any Channel
    /// The id in the answer, the logs and the audit log, set by ``RequestMiddleware``.
    var requestID = ""
    /// The rest of the client's quotas.
    let quota = QuotaNote()

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}
