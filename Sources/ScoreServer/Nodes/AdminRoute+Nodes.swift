// The routes of nodes.

extension AdminRoute {
    static let nodes = read("nodes.read", "/nodes")
    static let drainNode = write("node.drain", "/nodes/{id}/drain", .operate).withBody
    static let undrainNode = write("node.undrain", "/nodes/{id}/undrain", .operate)

    /// All of them.
    static let nodeRoutes = [nodes, drainNode, undrainNode]
}
