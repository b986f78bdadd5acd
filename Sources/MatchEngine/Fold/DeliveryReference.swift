// Reads a ball in place in the record: copying its names and dismissals took an eighth of the time of a fold.

/// A delivery of a record; valid only inside the closure that has access to the record's storage.
struct DeliveryReference {
    private let place: UnsafePointer<Delivery>

    /// Refers to the delivery at an address.
    init(at place: UnsafePointer<Delivery>) { self.place = place }

    var key: DeliveryKey { place.pointee.key }
    var order: OrderKey { place.pointee.order }
    var over: Int { place.pointee.over }
    var striker: Player { place.pointee.striker }
    var nonStriker: Player { place.pointee.nonStriker }
    var bowler: Player { place.pointee.bowler }
    var runs: DeliveryRuns { place.pointee.runs }
    var isLegal: Bool { place.pointee.isLegal }
    var isAllRun: Bool { place.pointee.isAllRun }
    var dismissals: [Dismissal] { place.pointee.dismissals }
    var hasReviewsOrReplacements: Bool { place.pointee.hasReviewsOrReplacements }
    var reviews: [Review] { place.pointee.reviews }
    var replacements: [Replacement] { place.pointee.replacements }
}
