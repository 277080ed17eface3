/// The exported objects of a connection.
struct ExportTable {
  typealias Handler = @Sendable (DBusIncomingCall) async throws(DBusError) -> [DBusValue]

  private var objects: [DBusObjectPath: Handler] = [:]
  private var trees: [DBusObjectPath: Handler] = [:]

  mutating func add(_ path: DBusObjectPath, isTree: Bool, _ handler: @escaping Handler) throws(DBusError) {
    guard (isTree ? trees : objects)[path] == nil else { throw .invalid("\(path) is exported already") }
    if isTree { trees[path] = handler } else { objects[path] = handler }
  }

  mutating func remove(_ path: DBusObjectPath, isTree: Bool) {
    if isTree { trees[path] = nil } else { objects[path] = nil }
  }

  /// Returns the handler of the object at the path, or else that of the tree with the longest matching prefix.
  func handler(of path: DBusObjectPath) -> Handler? {
    if let handler = objects[path] { return handler }
    let tree = trees.filter { path.isWithin($0.key) }.max { $0.key.text.utf8.count < $1.key.text.utf8.count }
    return tree?.value
  }
}
