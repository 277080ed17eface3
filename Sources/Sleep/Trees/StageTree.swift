/// A decision tree for the score of a class.
struct StageTree: Hashable, Sendable {
  private struct Node: Hashable, Sendable {
    let column: Int
    let threshold: Double
    /// A node, or −1 − i for leaf i.
    let left: Int
    let right: Int
    let isMissingLeft: Bool
  }

  private let nodes: [Node]
  private let leaves: [Double]

  /// Creates a tree, or returns `nil` unless it has a root, all columns are below `columns`, and each child is a later node or a
  /// leaf.
  init?(_ tree: StageModelFile.Tree, columns: Int) {
    let count = tree.feature.count
    let lists = [tree.left, tree.right, tree.missingLeft]
    guard count > 0, tree.threshold.count == count, lists.allSatisfy({ $0.count == count }) else { return nil }
    var nodes: [Node] = []
    for place in 0..<count {
      let node = Node(
        column: tree.feature[place], threshold: tree.threshold[place], left: tree.left[place], right: tree.right[place],
        isMissingLeft: tree.missingLeft[place] == 1)
      guard (0..<columns).contains(node.column) else { return nil }
      for child in [node.left, node.right]
      where child < 0 ? -1 - child >= tree.leaf.count : !(place + 1..<count ~= child) {
        return nil
      }
      nodes.append(node)
    }
    (self.nodes, leaves) = (nodes, tree.leaf)
  }

  /// Returns the value of the leaf of a row. A value up to the threshold goes left; where a missing one goes, the node says.
  func score(_ row: ArraySlice<Double>) -> Double {
    var place = 0
    while place >= 0 {
      let node = nodes[place]
      let value = row[row.startIndex + node.column]
      place = (value.isNaN ? node.isMissingLeft : value <= node.threshold) ? node.left : node.right
    }
    return leaves[-1 - place]
  }
}
