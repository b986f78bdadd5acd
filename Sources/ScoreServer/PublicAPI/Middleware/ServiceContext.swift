// What a request carries through the router on both listeners.

import Hummingbird
import NIOCore

/// The context of one request.
struct ServiceContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection, for its address and for a stream's deadlines.
    let channel: any Channel
    /// Given by the front door.
    var requestID = RequestIdentifier(accepting: nil)

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}
