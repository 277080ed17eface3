import FakeBlueZ
import Repository
import TachogramCore
import TachogramTestKit

/// One day of a soak: plays the straps and the faults, lets the night pass, and compares the ledger with the sent
/// notifications.
struct SoakDay {
  static let seconds = 86_400
  /// The time at which the first strap is put on, in seconds of the day, and the time within which the others follow.
  private static let morning = 7 * 3600
  private static let stagger = 900
  /// The time without faults after the last strap was put on and before the first is taken off, in seconds.
  private static let faultless = 600
  /// The longest allowed outage, in microseconds.
  private static let longestOutage: Int64 = 300_000_000
  /// The number of consecutive notifications after which a strap counts as recovered.
  private static let recovered = 5

  private let number: Int
  private let station: SoakStation
  private let maintenance: SoakMaintenance
  private(set) var random: SplitMix64
  private var straps: [SoakStrap]
  /// The times of the faults, the latest first.
  private var due: [Int]
  private var fault: (fault: SoakFault, run: SoakFaultRun)?
  private var report: SoakDayReport

  init(
    number: Int, hours: Int, faults: Int, straps all: [FakeStrap], station: SoakStation, maintenance: SoakMaintenance,
    random: SplitMix64,
  ) {
    (self.number, self.station, self.maintenance, self.random) = (number, station, maintenance, random)
    report = SoakDayReport(day: number + 1)
    straps = []
    for (ordinal, strap) in all.enumerated() {
      let on = Self.morning + Int(self.random.unit() * Double(Self.stagger))
      straps.append(SoakStrap(ordinal: ordinal, strap: strap, worn: on..<on + hours * 3600))
    }
    let first = Self.morning + Self.stagger + Self.faultless
    let last = Self.morning + hours * 3600 - Self.faultless
    due = []
    for _ in 0..<faults { due.append(first + Int(self.random.unit() * Double(last - first))) }
    due.sort(by: >)
  }

  /// Plays the day to the next midnight.
  mutating func run() async throws -> SoakDayReport {
    let start = straps.map(\.worn.lowerBound).min() ?? 0
    let end = straps.map(\.worn.upperBound).max() ?? 0
    await sleep(until: start)
    for second in start...end {
      try await putOnAndOff(second)
      try await happen(second)
      try await pass()
      try await notify()
      if second % 60 == 0 { try maintenance.minute() }
      if second % 3600 == 0 {
        try maintenance.hour()
        report.samples.append(Resources.now())
      }
      if second == 12 * 3600 { maintenance.snapshot() }
    }
    try await endSessions()
    try await maintenance.night()
    await sleep(until: Self.seconds)
    try check()
    report.samples.append(Resources.now())
    report.databaseBytes = station.database.size
    return report
  }

  // MARK: - Time

  private var now: MonotonicTime { station.time.now().monotonic }

  /// The current second of the day.
  private var second: Int {
    Int((now.microseconds - SoakStation.midnight) / 1_000_000) - number * Self.seconds
  }

  /// Lets a second pass: at once while there is no fault, otherwise 20 times as fast as real time.
  private func pass() async throws {
    if fault == nil, straps.allSatisfy({ !$0.isWorn || $0.outage == nil }) {
      return station.time.advance(seconds: 1)
    }
    for _ in 0..<10 {
      try await Task.sleep(for: .milliseconds(5))
      station.time.advance(microseconds: 100_000)
    }
  }

  /// Lets the time pass in which no strap is worn.
  private func sleep(until end: Int) async {
    while second < end {
      station.time.advance(seconds: Int64(min(60, end - second)))
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  // MARK: - Straps

  private mutating func putOnAndOff(_ second: Int) async throws {
    for index in straps.indices {
      if second == straps[index].worn.lowerBound {
        straps[index].isWorn = true
        straps[index].outage = SoakStrap.Outage(name: "put on", since: now, isOver: true)
        await station.fake.advertise(straps[index].strap)
      } else if second == straps[index].worn.upperBound {
        straps[index].isWorn = false
        straps[index].outage = nil
        await station.fake.stopAdvertising(straps[index].strap)
        await station.fake.dropLink(straps[index].strap)
      }
    }
  }

  /// Lets each worn strap notify, and waits for the arrivals.
  private mutating func notify() async throws {
    var wanted = [Int?](repeating: nil, count: straps.count)
    for index in straps.indices where straps[index].isWorn {
      try recover(index)
      let number = straps[index].fates.count
      let isTold = await station.fake.notify(straps[index].strap, SoakStrap.value(number, of: index))
      if straps[index].outage != nil {
        straps[index].append(isTold ? .told : .untold)
      } else if isTold {
        straps[index].append(.due)
        wanted[index] = number
      } else {
        straps[index].append(.untold)
        straps[index].outage = SoakStrap.Outage(name: "unexplained", since: now, isOver: true)
        report.unexplained.append("strap \(index + 1) in second \(second)")
      }
    }
    guard await station.arrivals.wait(for: wanted) else {
      throw TrialFailure("day \(report.day), second \(second): what was told to the station did not arrive in a minute")
    }
  }

  /// Ends the outage of a strap whose notifications arrive again.
  private mutating func recover(_ index: Int) throws {
    guard var outage = straps[index].outage, outage.isOver else { return }
    let strap = straps[index]
    let isGood = strap.fates.last == .told && station.arrivals.last(of: index) == strap.last
    outage.good = isGood ? outage.good + 1 : 0
    let passed = now.microseconds(since: outage.since)
    if outage.good >= Self.recovered {
      report.recoveries[outage.name, default: []].append(Double(passed) / 1e6 - Double(Self.recovered))
      straps[index].outage = nil
    } else if passed > Self.longestOutage {
      throw TrialFailure("day \(report.day), second \(second): strap \(index + 1) did not recover from \(outage.name)")
    } else {
      straps[index].outage = outage
    }
  }

  // MARK: - Faults

  /// Starts the fault that is due, if the previous one is over for all straps.
  private mutating func happen(_ second: Int) async throws {
    if let (fault, run) = fault {
      guard try run.isOver() else { return }
      let now = now
      for index in straps.indices where straps[index].outage?.isOver == false {
        straps[index].outage?.isOver = true
        if !fault.countsFromTheBeginning { straps[index].outage?.since = now }
      }
      self.fault = nil
    }
    guard let next = due.last, next <= second, straps.allSatisfy({ $0.isWorn && $0.outage == nil }) else { return }
    due.removeLast()
    // An unused refusal must not affect another strap.
    await station.fake.clearFaults()
    let fault = SoakFault(&random)
    let able = straps.filter { !fault.needsBond || $0.strap.requiresBond }.map(\.ordinal)
    guard !able.isEmpty else { return }
    let victim = able[Int(random.next() % UInt64(able.count))]
    for index in straps.indices where fault.isForAll || index == victim {
      straps[index].outage = SoakStrap.Outage(name: fault.name, since: now, isOver: false)
    }
    self.fault = (
      fault, SoakFaultRun(fault, to: straps[victim].strap, on: station.fake, time: station.time)
    )
    report.faults += 1
  }

  // MARK: - The evening

  /// Lets the sessions end, as when straps are taken off.
  private func endSessions() async throws {
    await sleep(until: second + Int(SoakStation.endAfter / .seconds(1)))
    let end = ContinuousClock.now + .seconds(60)
    while try sessions().contains(where: { !$0.isComplete }) {
      guard ContinuousClock.now < end else { throw TrialFailure("day \(report.day): the sessions did not end") }
      station.time.advance(seconds: 1)
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Returns the sessions of this day.
  private func sessions() throws -> [SessionRecord] {
    let midnight = WallTime(microseconds: SoakStation.midnight + Int64(number * Self.seconds) * 1_000_000)
    return try SessionRepository(database: station.database).sessions().filter { $0.description.start >= midnight }
  }

  /// Compares the ledger with the sent notifications.
  private mutating func check() throws {
    let sessions = try sessions()
    for strap in straps {
      let own = sessions.filter { $0.description.strap.address == strap.strap.address }
      report.sessions += own.count
      let ledger = SoakLedger(strap)
      report.add(try ledger.check(own, in: station.database))
    }
  }
}
