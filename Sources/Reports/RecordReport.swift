import Presentation
import Recording
import TachogramCore

/// The output of `record`: the report of each session, and the statistics of its links.
package struct RecordReport: Encodable {
  package struct Links: Encodable {
    let total: Int
    /// The numbers of links that ended before the recording did, by HCI error code; "0x00" if the reason is unknown.
    let drops: [String: Int]
    let longestOutageSeconds: Double?
  }

  package struct Strap: Encodable {
    package let report: StrapReport
    package let links: Links

    private enum Key: String, CodingKey {
      case links
    }

    package func encode(to encoder: any Encoder) throws {
      try report.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(links, forKey: .links)
    }
  }

  package let database: String
  package let sessions: [Strap]

  package init(_ ended: [LiveRecorder.Ended], database: String) {
    self.database = database
    sessions = ended.map { ended in
      Strap(
        report: StrapReport(ended.report),
        links: Links(
          total: ended.statistics.links,
          drops: Dictionary(
            uniqueKeysWithValues: ended.statistics.drops.map { ("0x" + Hexadecimal.text([$0.key]), $0.value) }),
          longestOutageSeconds: ended.statistics.longestOutage))
    }
  }
}
