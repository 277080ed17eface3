/// What the Influx outlet is configured with.
package struct InfluxOutletOptions: Sendable {
  /// Where lines go.
  package enum Target: Hashable, Sendable {
    /// A URL that takes line protocol with times in nanoseconds, such as
    /// `http://host:8086/api/v2/write?org=home&bucket=heart`, and the token that it asks for.
    case server(url: String, token: String?)
    /// A file that lines are appended to.
    case file(path: String)
  }

  package var target: Target
  package var key: OutletKey
  /// The time between two batches.
  package var interval = Duration.seconds(10)

  package init(target: Target, key: OutletKey) {
    (self.target, self.key) = (target, key)
  }
}
