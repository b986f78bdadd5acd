// The pool's decisions one by one, and that no sequence of them loses a place.
import ScoreTypes
import Testing

@testable import Postgres

struct PoolStateTests {
    @Test func aPoolOpensUpToItsSizeThenQueuesThenRefuses() {
        var state = PoolState<String>(size: 2, waitersMax: 1)
        let answers = (0..<4).map { _ in state.acquire().text }
        #expect(answers == ["open", "open", "wait 1", "refuse"])
        #expect(state.placesTaken == 2 && state.waiterCount == 1)
    }

    @Test func aReturnedConnectionServesTheFirstWaiterOrRests() {
        var state = PoolState<String>(size: 2, waitersMax: 9)
        var log = (0..<4).map { _ in state.acquire().text }
        log.append(state.giveBack("a").text)
        let abandoned = [state.abandon(2), state.abandon(2), state.abandon(1)]
        log += [state.giveBack("a").text, state.giveBack("b").text, state.acquire().text, state.acquire().text]
        #expect(abandoned == [true, false, false])
        #expect(log == ["open", "open", "wait 1", "wait 2", "give a to 1", "rest", "rest", "use b", "use a"])
    }

    @Test func thePlaceOfALostConnectionServesTheNextWaiter() {
        var state = PoolState<String>(size: 1, waitersMax: 9)
        var log = [state.acquire().text, state.acquire().text, state.lose().text]
        #expect(state.placesTaken == 1)
        log += [state.lose().text, state.acquire().text]
        #expect(log == ["open", "wait 1", "letOpen 1", "rest", "open"])
    }

    @Test func aClosedPoolDiscardsReturnedConnections() {
        var state = PoolState<String>(size: 2, waitersMax: 9)
        _ = (state.acquire(), state.acquire(), state.giveBack("a"))
        let idle = state.close().idle
        let log = [state.giveBack("b").text, state.acquire().text]
        #expect(idle == ["a"] && log == ["discard b", "closed"] && state.placesTaken == 0)
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func noSequenceLosesAPlaceOrAWaiter(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var state = PoolState<Int>(size: 3, waitersMax: 4)
        var (lent, opening, waiting, nextItem) = ([Int](), 0, Set<UInt64>(), 0)
        func settle(_ handover: PoolState<Int>.Handover) {
            switch handover {
            case .give(let item, let waiter):
                #expect(waiting.remove(waiter) != nil, "seed \(seed)")
                lent.append(item)
            case .letOpen(let waiter):
                #expect(waiting.remove(waiter) != nil, "seed \(seed)")
                opening += 1
            case .rest, .discard: break
            }
        }
        for _ in 0..<2000 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                switch state.acquire() {
                case .use(let item): lent.append(item)
                case .open: opening += 1
                case .wait(let waiter): waiting.insert(waiter)
                case .refuse: #expect(waiting.count == 4, "seed \(seed)")
                case .closed: Issue.record("a connection was not closed, seed \(seed)")
                }
            case 2 where opening > 0:
                opening -= 1
                if Bool.random(using: &random) {
                    nextItem += 1
                    lent.append(nextItem)
                } else {
                    settle(state.lose())
                }
            case 3 where !lent.isEmpty:
                let item = lent.remove(at: Int.random(in: 0..<lent.count, using: &random))
                settle(Int.random(in: 0..<4, using: &random) == 0 ? state.lose() : state.giveBack(item))
            case 4:
                if let waiter = waiting.randomElement(using: &random) {
                    waiting.remove(waiter)
                    let wasWaiting = state.abandon(waiter)
                    #expect(wasWaiting, "seed \(seed)")
                }
            default: break
            }
            #expect(state.placesTaken == lent.count + opening + state.idleCount, "seed \(seed)")
            #expect(state.placesTaken <= 3 && state.waiterCount == waiting.count, "seed \(seed)")
            #expect(waiting.isEmpty || state.idleCount == 0, "seed \(seed)")
        }
    }
}

extension PoolState.Acquisition {
    fileprivate var text: String {
        switch self {
        case .use(let item): "use \(item)"
        case .open: "open"
        case .wait(let waiter): "wait \(waiter)"
        case .refuse: "refuse"
        case .closed: "closed"
        }
    }
}

extension PoolState.Handover {
    fileprivate var text: String {
        switch self {
        case .give(let item, let waiter): "give \(item) to \(waiter)"
        case .letOpen(let waiter): "letOpen \(waiter)"
        case .rest: "rest"
        case .discard(let item): "discard \(item)"
        }
    }
}
