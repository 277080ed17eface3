import HTTPClient
import HTTPTypes

/// Writes batches of lines, one at a time. A batch that fails is written again with the next one.
actor InfluxWriter {
  private let options: InfluxOutletOptions
  private let client: HTTPClient
  private let report: @Sendable (OutletReport) -> Void
  private var backlog: InfluxBacklog
  private var last: OutletReport?

  init(_ options: InfluxOutletOptions, report: @escaping @Sendable (OutletReport) -> Void) {
    (self.options, self.report) = (options, report)
    backlog = InfluxBacklog(key: options.key)
    var connection = HTTPClient.Options()
    connection.timeout = .seconds(10)
    connection.connectTimeout = .seconds(5)
    connection.keepsConnections = true
    client = HTTPClient(connection)
  }

  func add(_ delivery: OutletDelivery) {
    backlog.add(delivery)
  }

  /// Writes all that waits, until a batch fails.
  func write(within timeout: Duration? = nil) async {
    var isLimited = false
    repeat {
      let most = if case .failing = last { InfluxBacklog.mostAfterFailure } else { InfluxBacklog.mostInBatch }
      let (lines, dropped) = (backlog.batch(most), backlog.dropped)
      if lines.isEmpty { return }
      isLimited = lines.count == most
      let problem = await write(lines, timeout)
      let outcome = problem.map(OutletReport.failing) ?? .working
      if outcome != last { report(outcome) }
      last = outcome
      if problem != nil { return }
      backlog.remove(lines.count, droppedBefore: dropped)
    } while isLimited && !Task.isCancelled
  }

  /// Writes lines. Returns the reason of a failure, in words.
  private func write(_ lines: [InfluxLine], _ timeout: Duration?) async -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lines.reduce(0) { $0 + $1.text.utf8.count })
    for line in lines { bytes.append(contentsOf: line.text.utf8) }
    switch options.target {
    case .file(let path): return InfluxFile(path: path).append(bytes)
    case .server(let url, let token):
      var headers: HTTPFields = [.contentType: "text/plain; charset=utf-8"]
      if let token { headers[.authorization] = "Token \(token)" }
      let request = HTTPClient.Request(.post, url: url, headers: headers, body: bytes, timeout: timeout)
      do throws(HTTPClientError) {
        let status = try await client.send(request).status
        switch status.kind {
        case .successful: return nil
        default:
          return status.code == 401 || status.code == 403
            ? "the server refuses the station (status \(status.code)); look at influx.tokenFile, or at the user in influx.url"
            : "the server answered with status \(status.code); look at influx.url"
        }
      } catch {
        return error.description
      }
    }
  }
}
