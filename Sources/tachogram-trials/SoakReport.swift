/// The result of a soak, with its failures.
struct SoakReport: Sendable {
  /// The allowed growth of memory per day after the first days, and in all, in bytes.
  private static let growthADay = 512.0 * 1024
  private static let growth = 24 << 20
  /// The allowed number of additional descriptors and threads after the first day: connections of readers of the database, and
  /// threads that the system starts when others wait.
  private static let moreDescriptors = 8
  private static let moreThreads = 8
  /// The time limit for recovery, in seconds.
  private static let recovery = 120.0
  /// The number of samples after which caches are full.
  private var warmUp: Int { days.count > keep + Self.least ? keep : 2 }
  /// The least number of days for a result.
  private static let least = 8

  static let head = row([
    "day", "sent", "told", "stored", "lost", "in faults", "faults", "odd", "sessions", "RSS kB", "fds", "threads",
    "DB kB", "s",
  ])

  /// The number of days that sessions are kept. Until then the database and cached values grow.
  private let keep: Int
  private var days: [SoakDayReport] = []
  private var openSessions = 0
  private var findings: [String] = []
  private var feed: (told: Int64, read: Int64, dropped: Int64) = (0, 0, 0)

  init(keep: Int) {
    self.keep = keep
  }

  static func row(_ cells: [String]) -> String {
    cells.map { $0.leftPadding(to: 9) }.joined(separator: " ")
  }

  mutating func append(_ day: SoakDayReport) { days.append(day) }

  /// Adds the results of the end: open sessions, damage of the database, events.
  mutating func finish(openSessions: Int, findings: [String], feed: (told: Int64, read: Int64, dropped: Int64)) {
    (self.openSessions, self.findings, self.feed) = (openSessions, findings, feed)
  }

  // MARK: - Memory

  /// The comparable samples: the ends of days if there are several, otherwise hours.
  private var samples: [Resources] {
    days.count > 1 ? days.compactMap(\.samples.last) : days.flatMap(\.samples)
  }

  /// The samples after caches are full.
  private var settled: ArraySlice<Resources> { samples.dropFirst(min(warmUp, max(0, samples.count - 2))) }

  /// The growth of memory in bytes per sample: the slope of a regression line.
  private var slope: Double { Self.slope(settled.map { Double($0.memory) }) }

  /// Returns the slope of the least-squares line through values at 0, 1, 2 ….
  static func slope(_ values: [Double]) -> Double {
    guard values.count > 1 else { return 0 }
    let mean = values.reduce(0, +) / Double(values.count)
    let middle = Double(values.count - 1) / 2
    var (sum, squares) = (0.0, 0.0)
    for (index, value) in values.enumerated() {
      let place = Double(index) - middle
      sum += place * (value - mean)
      squares += place * place
    }
    return sum / squares
  }

  // MARK: - Words

  func summary(took time: Duration) -> String {
    var lines = ["", "fault                times  p50 s  max s"]
    for (name, seconds) in recoveries.sorted(by: { $0.key < $1.key }) {
      let sorted = seconds.sorted()
      lines.append(
        [
          name.padding(to: 20), "\(sorted.count)".leftPadding(to: 5),
          "\(sorted[sorted.count / 2].rounded(toPlaces: 1))".leftPadding(to: 6),
          "\((sorted.last ?? 0).rounded(toPlaces: 1))".leftPadding(to: 6),
        ].joined(separator: " "))
    }
    let unit = days.count > 1 ? "day" : "hour"
    if let first = settled.first, let last = settled.last {
      let most = samples.map(\.memory).max() ?? 0
      lines.append(
        "\nmemory \(first.memory >> 10) kB settled, \(last.memory >> 10) kB at the end, \(most >> 10) kB at most; "
          + "slope \((slope / 1024).rounded(toPlaces: 1)) kB a \(unit)")
      lines.append(
        "descriptors \(first.descriptors) then \(last.descriptors), threads \(first.threads) then \(last.threads)")
    }
    lines.append(
      "disk \((days.last?.databaseBytes ?? 0) >> 10) kB, of the first day \((days.first?.databaseBytes ?? 0) >> 10) kB")
    lines.append("events \(feed.told) told, \(feed.read) read, \(feed.dropped) browsers let go")
    lines.append("integrity of the database: \(findings.isEmpty ? "ok" : findings.joined(separator: "; "))")
    lines.append("took \(Int(time / .seconds(1))) s")
    return lines.joined(separator: "\n")
  }

  private var recoveries: [String: [Double]] {
    days.reduce(into: [:]) { all, day in all.merge(day.recoveries) { $0 + $1 } }
  }

  /// Returns the failures.
  func failures(straps: Int) -> [String] {
    var failures: [String] = []
    func check(_ isGood: Bool, _ words: String) { if !isGood { failures.append(words) } }
    for day in days {
      check(day.ledger.lost == 0, "day \(day.day): \(day.ledger.lost) notifications were lost outside outages")
      check(day.ledger.wrong == 0, "day \(day.day): \(day.ledger.wrong) entries are not what was sent")
      check(day.sessions == straps, "day \(day.day): \(day.sessions) sessions of \(straps) straps")
      check(day.unexplained.isEmpty, "day \(day.day): not listened to: \(day.unexplained.joined(separator: ", "))")
    }
    for (name, seconds) in recoveries {
      check((seconds.max() ?? 0) <= Self.recovery, "\(name): recovery took \(seconds.max() ?? 0) s")
    }
    if let first = settled.first, let last = settled.last {
      check(last.memory - first.memory <= Self.growth, "memory grew by \(last.memory - first.memory) bytes")
      check(
        last.descriptors <= first.descriptors + Self.moreDescriptors,
        "descriptors grew from \(first.descriptors) to \(last.descriptors)")
      check(last.threads <= first.threads + Self.moreThreads, "threads grew from \(first.threads) to \(last.threads)")
    }
    // Fewer days are not significant, because the system releases memory at any time.
    if settled.count >= Self.least { check(slope <= Self.growthADay, "memory grows by \(slope) bytes a day") }
    check(openSessions == 0, "\(openSessions) sessions were open at the end")
    check(findings.isEmpty, "the database is damaged: \(findings.joined(separator: "; "))")
    check(feed.dropped > 0, "the browser that never reads was not let go")
    return failures
  }
}
