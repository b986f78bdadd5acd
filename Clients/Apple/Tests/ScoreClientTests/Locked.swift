// Values that the threads of a test share.

import Foundation

/// A value behind a lock.
// The lock guards the only stored property.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// A queue whose reader waits; one task reads it.
final class WaitingQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var reader: Reply<Element, CancellationError>?
    }

    private let state = Locked(State())

    func put(_ element: Element) {
        let reader = state.with { state -> Reply<Element, CancellationError>? in
            if state.reader == nil { state.elements.append(element) }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.give(.success(element))
    }

    func next() async throws(CancellationError) -> Element {
        let reply = Reply<Element, CancellationError>()
        let element = state.with { state -> Element? in
            if !state.elements.isEmpty { return state.elements.removeFirst() }
            state.reader = reply
            return nil
        }
        if let element { reply.give(.success(element)) }
        return try await reply.wait(cancelledBy: CancellationError())
    }

    var isEmpty: Bool { state.with { $0.elements.isEmpty } }
}

/// A result that one task waits for; its cancellation ends the wait.
final class Reply<Value: Sendable, Failure: Error & Sendable>: Sendable {
    private struct State {
        var result: Result<Value, Failure>?
        var waiter: CheckedContinuation<Result<Value, Failure>, Never>?
    }

    private let state = Locked(State())

    /// The first result remains.
    func give(_ result: Result<Value, Failure>) {
        let waiter = state.with { state -> CheckedContinuation<Result<Value, Failure>, Never>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: result)
    }

    func wait(cancelledBy failure: Failure) async throws(Failure) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result = state.with { state in
                    if state.result == nil { state.waiter = continuation }
                    return state.result
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            give(.failure(failure))
        }
        return try result.get()
    }
}
