import HTTPTypes

/// The properties of a request that determine how its answer is sent and whether the connection stays open.
struct Exchange: Hashable, Sendable {
  let version: HTTPVersion
  let isHead: Bool
  /// Whether another request may follow (RFC 9112, 9.3).
  let keepsAlive: Bool

  init(version: HTTPVersion, isHead: Bool, keepsAlive: Bool) {
    self.version = version
    self.isHead = isHead
    self.keepsAlive = keepsAlive
  }

  init(_ line: RequestLine, _ fields: RequestFields) {
    let isPersistent = line.version == .http11 || fields.connection.contains("keep-alive")
    self.init(
      version: line.version, isHead: line.method == .head,
      keepsAlive: isPersistent && !fields.connection.contains("close"))
  }
}
