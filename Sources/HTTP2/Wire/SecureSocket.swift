// A socket with TLS on it: moves bytes both ways as far as they go without waiting.

internal import CLinux
internal import Glibc

/// A non-blocking descriptor and its TLS stream; the HTTP/2 session above decides what the bytes mean.
final class SecureSocket {
    enum Outcome {
        case open
        case ended
        case failed(String)
    }

    enum Sending {
        case all
        case blocked
        case failed(String)
    }

    /// Socket reads in one wake-up before other connections get their turn.
    private static let readsMax = 4
    /// Output memory kept while idle; a flush needs 128 KB and TLS's overhead.
    private static let outgoingKept = 2 * LoopScratch.stagingCapacity

    let descriptor: Int32
    let stream: TLSStream
    private let scratch: LoopScratch

    init(descriptor: Int32, stream: TLSStream, scratch: LoopScratch) {
        self.descriptor = descriptor
        self.stream = stream
        self.scratch = scratch
        Descriptor.setNoDelay(descriptor)
    }

    deinit { close(descriptor) }

    /// Continues the handshake with what the socket holds; nil while it goes on.
    ///
    /// Call `receive` at once when it is done, since records that came with the last handshake message still lie in the
    /// loop's scratch memory.
    func shakeHands() -> TLSStream.Progress? {
        while true {
            switch stream.shakeHands() {
            case .done: return .done
            case .failed(let failure): return .failed(failure)
            case .needsInput: break
            }
            switch Descriptor.receive(descriptor, into: scratch.cipher) {
            case .moved(let count): stream.offer(UnsafeRawBufferPointer(rebasing: scratch.cipher[..<count]))
            case .wouldBlock: return nil
            case .ended: return .failed(TLSFailure("the peer closed the connection during the TLS handshake"))
            case .failed(let code): return .failed(TLSFailure(Descriptor.text(ofError: code)))
            }
        }
    }

    /// The same for a server, which also sends what the handshake has to say, and needs no reason for its end.
    ///
    /// - Returns: Whether the handshake is done; nil when the connection has to be closed.
    func answerHandshake() -> Bool? {
        let progress = shakeHands()
        let sending = send {}
        if case .failed = progress { return nil }
        if case .failed = sending { return nil }
        if case .done = progress { return true }
        return false
    }

    /// Decrypts what has come and hands it over; `deliver` answers false to stop for good.
    func receive(_ deliver: (UnsafeRawBufferPointer) -> Bool) -> Outcome {
        // The scratch memory belongs to the next connection afterwards.
        defer { stream.offer(UnsafeRawBufferPointer(start: nil, count: 0)) }
        // The handshake may have left records behind it.
        if let outcome = decrypt(deliver) { return outcome }
        for _ in 0..<Self.readsMax {
            switch Descriptor.receive(descriptor, into: scratch.cipher) {
            case .moved(let count):
                stream.offer(UnsafeRawBufferPointer(rebasing: scratch.cipher[..<count]))
                if let outcome = decrypt(deliver) { return outcome }
                if count < scratch.cipher.count { return .open }
            case .wouldBlock: return .open
            case .ended: return .ended
            case .failed(let code): return .failed(Descriptor.text(ofError: code))
            }
        }
        return .open
    }

    private func decrypt(_ deliver: (UnsafeRawBufferPointer) -> Bool) -> Outcome? {
        while true {
            switch stream.read(into: scratch.plain) {
            case .bytes(let count):
                guard deliver(UnsafeRawBufferPointer(rebasing: scratch.plain[..<count])) else { return .open }
            case .needsInput: return nil
            case .ended: return .ended
            case .failed(let failure): return .failed(failure.description)
            }
        }
    }

    /// Encrypts; call only when nothing is left from before, so that one `send` carries one batch.
    func encrypt(_ bytes: UnsafeRawBufferPointer) -> String? { stream.write(bytes)?.description }

    var hasOutgoing: Bool { !stream.outgoing.isEmpty }

    /// Sends encrypted bytes; `started` is called when some of them have left.
    func send(started: () -> Void) -> Sending {
        let outgoing = stream.outgoing
        while !outgoing.isEmpty {
            switch Descriptor.send(descriptor, outgoing.readable) {
            case .moved(let count):
                outgoing.consume(count)
                started()
            case .wouldBlock, .ended: return .blocked
            case .failed(let code): return .failed(Descriptor.text(ofError: code))
            }
        }
        outgoing.shrink(over: Self.outgoingKept)
        return .all
    }

    /// Says goodbye as far as the socket takes it; the descriptor is closed with the last reference.
    func finish() {
        stream.sayGoodbye()
        _ = send {}
        shutdown(descriptor, Int32(SHUT_WR))
    }
}
