// A socket with TLS: moves bytes both ways without blocking.

internal import CLinux
internal import Glibc

/// A non-blocking descriptor and its TLS stream.
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

    /// Continues the handshake with the available bytes; nil while it is not finished.
    ///
    /// Call `receive` at once after the last handshake message, since records that came with it are still in the
    /// loop's scratch memory.
    func handshake() -> TLSStream.Progress? {
        while true {
            switch stream.handshake() {
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

    /// Decrypts the available bytes and passes them on; `deliver` returns false to stop for good.
    func receive(_ deliver: (UnsafeRawBufferPointer) -> Bool) -> Outcome {
        // The next connection uses the scratch memory afterwards.
        defer { stream.offer(UnsafeRawBufferPointer(start: nil, count: 0)) }
        // Records may have come with the handshake.
        if let outcome = decrypt(deliver) { return outcome }
        for _ in 0..<HTTP2Limits.readsPerWakeUp {
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

    /// Encrypts a batch; all earlier output must have been sent, so that one `send` carries one batch.
    func encrypt(_ bytes: UnsafeRawBufferPointer) -> String? { stream.write(bytes)?.description }

    var hasOutgoing: Bool { !stream.outgoing.isEmpty }

    /// Sends encrypted bytes; calls `started` when some of them have been sent.
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
        outgoing.shrink(over: HTTP2Limits.idleOutputBytes)
        return .all
    }

    /// Sends close_notify if the socket accepts it; the descriptor is closed with the last reference.
    func finish() {
        stream.appendCloseNotify()
        _ = send {}
        shutdown(descriptor, Int32(SHUT_WR))
    }
}
