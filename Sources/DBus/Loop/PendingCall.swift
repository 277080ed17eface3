/// A call that waits for its reply.
struct PendingCall {
  typealias Completion = (Result<MessageHandle, DBusError>) -> Void

  var destination: String
  var member: String
  var completion: Completion

  /// Whether a reply by `sender` can be genuine. A connection that is called by its unique name replies under that name, and
  /// the bus replies for connections that no longer exist. The owner of a well-known name is not known here.
  func accepts(sender: String?) -> Bool {
    if sender == destination || sender == BusNames.destination { return true }
    return !destination.hasPrefix(":") && destination != BusNames.destination
  }
}
