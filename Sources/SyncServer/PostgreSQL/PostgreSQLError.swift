/// An error that PostgreSQL reports. Its message and details are not kept, because they quote values.
struct PostgreSQLError: Error, Hashable {
  /// SQLSTATE (postgresql.org/docs/15/errcodes-appendix.html); empty if the connection broke.
  let state: String

  /// The failure of a request. The database may work again after some errors.
  var failure: SyncStorageFailure {
    switch state {
    case "53100": .full
    // A timeout of a lock or statement, a deadlock, a conflict, or a server that only reads.
    case "55P03", "57014", "40P01", "40001", "25006": .unavailable(retryAfter: .seconds(1))
    default: isOfConnection ? .unavailable(retryAfter: .seconds(2)) : .failed(code: state)
    }
  }

  /// Whether the connection is of no use any more: it broke, or the server shuts down, starts or has no resources.
  var isOfConnection: Bool {
    state.isEmpty || ["08", "53", "57"].contains { state.hasPrefix($0) } && state != "53100" && state != "57014"
  }
}
