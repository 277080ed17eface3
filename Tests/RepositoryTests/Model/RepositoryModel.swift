import Foundation
import Repository
import StressKit
import TachogramCore

/// A database as it ought to be: plain values, and each command as short as it can be said.
struct RepositoryModel {
  struct Session: Hashable {
    var description: SessionDescription
    var isComplete = false
    var entries: [LedgerEntry] = []
    var beats: [Beat] = []
    var windows: [HRVWindow] = []

    /// From the start to the last entry.
    var span: ClosedRange<WallTime> {
      description.start...max(description.start, entries.last?.wall ?? description.start)
    }
    var end: WallTime { entries.last?.wall ?? description.start }

    /// Hours, since 1970, of the windows of five minutes, with their heart rates.
    var hours: [(hour: Int64, heartRate: Double?)] { hours(of: windows) }

    func hours(of windows: [HRVWindow]) -> [(hour: Int64, heartRate: Double?)] {
      windows.map { window in
        let end = description.start.advanced(
          byMicroseconds: window.end.microseconds(since: description.monotonicStart))
        return (end.microseconds / RepositoryModel.hour, window.metrics.values.meanHeartRate)
      }
    }
  }

  struct Measurement: Hashable {
    var measurement: StressMeasurement
    var isBuried = false
  }

  /// A person, `nil` for nobody, and an hour since 1970.
  struct Place: Hashable {
    let person: String?
    let hour: Int64

    var span: ClosedRange<WallTime> {
      let start = WallTime(microseconds: hour * RepositoryModel.hour)
      return start...start.advanced(byMicroseconds: RepositoryModel.hour - 1)
    }
  }

  static let hour: Int64 = 3_600_000_000

  var sessions: [Int: Session] = [:]
  var measurements: [UUID: Measurement] = [:]
  var straps: [Int: KnownStrap] = [:]
  var persons: Set<String> = []
  /// Mean heart rates of hours, and hours that are to be computed anew.
  var trends: [Place: [Double]] = [:]
  var pending: Set<Place> = []

  // MARK: - The values of commands

  static func address(_ strap: Int) -> BluetoothAddress {
    BluetoothAddress(value: 0xC000_0000_0001 + UInt64(strap), kind: .random)
  }

  static func start(_ hour: Int) -> WallTime {
    WallTime(microseconds: SessionFixture.wallStart + Int64(hour) * Self.hour)
  }

  static func description(_ session: Int, _ person: String?, _ hour: Int) -> SessionDescription {
    var description = SessionFixture.description(id: SessionFixture.identifier(session), person: person)
    description.strap = StrapIdentity(address: address(session % 3))
    description.start = start(hour)
    return description
  }

  /// What comes next of a session: entries, each with a beat, a window of the heart rate that is the number of its last
  /// entry, and a measurement.
  func batch(_ number: Int, _ count: Int) -> SessionBatch {
    guard let session = sessions[number] else { return SessionFixture.batch(0..<0) }
    var batch = SessionBatch()
    let next = Int64(session.entries.count)
    if next == 0 { batch.links = [SessionFixture.link()] }
    for offset in 0..<Int64(count) {
      var entry = SessionFixture.entry(next + offset)
      entry.wall = session.description.start.advanced(byMicroseconds: (next + offset) * 600_000_000)
      // Now and then the end of a link.
      if (next + offset) % 5 == 4 { entry.content = .linkDown(reason: 8) }
      batch.entries.append(entry)
      batch.beats.append(SessionFixture.beat(Int64(session.beats.count) + offset, entry: next + offset))
    }
    let last = next + Int64(count)
    var values = HRVValues()
    values.meanHeartRate = Double(40 + last)
    let end = SessionFixture.monotonicStart / 1_000_000 + last * 600
    batch.windows = [SessionFixture.window(endSecond: end, length: 300, values: values)]
    batch.stress = [
      Self.measurement(10 + number * 8 + Int(last % 8), session.description.person, session.description.id)
    ]
    return batch
  }

  static func measurement(_ number: Int, _ person: String?, _ session: String?) -> StressMeasurement {
    var measurement = SessionFixture.stress(person: person, second: Double(number), sessionID: session)
    measurement.id = identifier(number)
    return measurement
  }

  static func identifier(_ number: Int) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number)))
  }

  static func selection(_ choice: RepositoryCommand.Choice) -> SessionSelection {
    var selection = SessionSelection()
    switch choice {
    case .everything: break
    case .person(let person): selection.person = person
    case .session(let session): selection.session = SessionFixture.identifier(session)
    case .strap(let strap): selection.strap = address(strap)
    case .hours(let first, let last): selection.range = start(first)...start(last)
    case .personInHours(let person, let first, let last):
      (selection.person, selection.range) = (person, start(first)...start(last))
    case .allBut(let session): selection.excluding = [SessionFixture.identifier(session)]
    }
    return selection
  }

  // MARK: - Sessions

  mutating func begin(_ number: Int, _ person: String?, _ hour: Int) {
    markPending(number)
    let before = sessions[number]
    var session = Session(description: Self.description(number, person, hour))
    session.entries = before?.entries ?? []
    sessions[number] = session
    measurements = measurements.filter { $0.value.measurement.sessionID != session.description.id || $0.value.isBuried }
    meet(person)
  }

  mutating func append(_ batch: SessionBatch, to number: Int) {
    sessions[number]?.entries += batch.entries
    sessions[number]?.beats += batch.beats
    sessions[number]?.windows += batch.windows
    markPending(number, batch.windows)
    for measurement in batch.stress where mayDerive(measurement) {
      measurements[measurement.id] = Measurement(measurement: measurement)
    }
  }

  /// One that the person deleted stays deleted, and one of another session or another person stays as it is.
  private func mayDerive(_ measurement: StressMeasurement) -> Bool {
    guard let stored = measurements[measurement.id] else { return true }
    let isOwn = stored.measurement.sessionID == measurement.sessionID
    let isLooseOwn = stored.measurement.sessionID == nil && stored.measurement.person == measurement.person
    return !stored.isBuried && (isOwn || isLooseOwn)
  }

  /// Marks the hours of all windows of a session, or of some.
  private mutating func markPending(_ number: Int, _ windows: [HRVWindow]? = nil) {
    guard let session = sessions[number] else { return }
    let hours = session.hours(of: windows ?? session.windows)
    pending.formUnion(hours.map { Place(person: session.description.person, hour: $0.hour) })
  }

  private mutating func meet(_ person: String?) {
    if let person { persons.insert(person) }
  }

  // MARK: - Deleting

  func contents(_ choice: RepositoryCommand.Choice) -> SessionContents {
    var contents = SessionContents()
    for session in sessions.filter({ isChosen($0.key, $0.value, choice) }).values {
      contents.sessions += 1
      contents.notifications += Int64(
        session.entries.filter { if case .notification = $0.content { true } else { false } }.count)
      contents.beats += Int64(session.beats.count)
      contents.stress += Int64(
        measurements.values.filter { !$0.isBuried && $0.measurement.sessionID == session.description.id }.count)
      // Windows of one length that end together are one.
      contents.windows += Int64(Set(session.windows.map(\.end)).count)
      contents.first = min(contents.first ?? session.span.lowerBound, session.span.lowerBound)
      contents.last = max(contents.last ?? session.span.upperBound, session.span.upperBound)
    }
    guard let scope = scope(choice) else { return contents }
    contents.stress += Int64(measurements.values.filter { !$0.isBuried && scope.hasLoose($0.measurement) }.count)
    contents.trends = Int64(freeHours(scope, without: { isChosen($0, $1, choice) }).count)
    contents.people = Int64(forgettable(scope, without: { isChosen($0, $1, choice) }).count)
    return contents
  }

  /// Whose history of which time goes with a choice of sessions.
  private struct Scope {
    /// `nil`: everybody's.
    var person: String?
    var range: ClosedRange<WallTime>?

    func isOf(_ other: String?) -> Bool { person == nil || person == other }

    func hasLoose(_ measurement: StressMeasurement) -> Bool {
      guard measurement.sessionID == nil, isOf(measurement.person) else { return false }
      return range.map { $0.contains(WallTime(measurement.timestamp)) } ?? true
    }

    func has(_ place: Place) -> Bool {
      isOf(place.person)
        && range.map { $0.contains(place.span.lowerBound) && $0.contains(place.span.upperBound) } ?? true
    }
  }

  /// `nil` where sessions are chosen by something that history does not have.
  private func scope(_ choice: RepositoryCommand.Choice) -> Scope? {
    switch choice {
    case .everything, .allBut: return Scope()
    case .person(let person): return persons.contains(person) ? Scope(person: person) : nil
    case .hours(let first, let last): return Scope(range: Self.start(first)...Self.start(last))
    case .personInHours(let person, let first, let last):
      return persons.contains(person) ? Scope(person: person, range: Self.start(first)...Self.start(last)) : nil
    case .session, .strap: return nil
    }
  }

  /// The hours of which no session is left but those that go.
  private func freeHours(_ scope: Scope, without goes: (Int, Session) -> Bool) -> [Place] {
    trends.keys.filter { place in
      scope.has(place)
        && !sessions.contains { number, session in
          session.description.person == place.person && session.span.overlaps(place.span) && !goes(number, session)
        }
    }
  }

  /// The people of whom no session is left but those that go.
  private func forgettable(_ scope: Scope, without goes: (Int, Session) -> Bool) -> [String] {
    guard scope.range == nil else { return [] }
    return persons.filter { person in
      scope.isOf(person) && !sessions.contains { $1.description.person == person && !goes($0, $1) }
    }
  }

  private func isChosen(_ number: Int, _ session: Session, _ choice: RepositoryCommand.Choice) -> Bool {
    func lies(_ first: Int, _ last: Int) -> Bool {
      session.span.lowerBound >= Self.start(first) && session.span.upperBound <= Self.start(last)
    }
    return switch choice {
    case .everything: true
    case .person(let person): session.description.person == person
    case .session(let chosen): number == chosen
    case .strap(let strap): session.description.strap.address == Self.address(strap)
    case .hours(let first, let last): lies(first, last)
    case .personInHours(let person, let first, let last): session.description.person == person && lies(first, last)
    case .allBut(let kept): number != kept
    }
  }

  mutating func delete(_ choice: RepositoryCommand.Choice) {
    for (number, session) in sessions where isChosen(number, session, choice) {
      markPending(number)
      // Also where the windows are gone.
      let hours =
        (session.span.lowerBound.microseconds / Self.hour)...(session.span.upperBound.microseconds / Self.hour)
      pending.formUnion(trends.keys.filter { $0.person == session.description.person && hours.contains($0.hour) })
      measurements = measurements.filter { $0.value.measurement.sessionID != session.description.id }
      sessions[number] = nil
    }
    guard let scope = scope(choice) else { return }
    measurements = measurements.filter { !scope.hasLoose($0.value.measurement) }
    for place in freeHours(scope, without: { _, _ in false }) {
      pending.insert(place)
      trends[place] = nil
    }
    for person in forgettable(scope, without: { _, _ in false }) { forget(person) }
  }

  private mutating func forget(_ person: String) {
    persons.remove(person)
    measurements = measurements.filter { $0.value.measurement.person != person }
    trends = trends.filter { $0.key.person != person }
    pending = pending.filter { $0.person != person }
    for strap in straps.keys where straps[strap]?.person == person {
      straps[strap]?.person = nil
      straps[strap]?.label = nil
    }
  }

  /// By policy: trends and measurements stay.
  mutating func expire(before time: WallTime) -> Int {
    let old = sessions.filter { $0.value.end < time }
    for (number, session) in old {
      sessions[number] = nil
      for id in measurements.keys where measurements[id]?.measurement.sessionID == session.description.id {
        measurements[id]?.measurement.sessionID = nil
      }
    }
    return old.count
  }

  mutating func expireWindows(before time: WallTime) {
    for (number, session) in sessions where session.end < time { sessions[number]?.windows = [] }
  }

  mutating func refresh() {
    for place in pending {
      let own = sessions.values.filter { $0.description.person == place.person }
      let rates = own.flatMap(\.hours).filter { $0.hour == place.hour }.compactMap(\.heartRate)
      trends[place] = rates.isEmpty ? nil : rates
    }
    pending = []
  }

  // MARK: - Straps

  mutating func remember(_ number: Int, _ name: String, _ person: String?) {
    let others = straps.filter { $0.key != number }.map { $0.value.name.lowercased() }
    var free = name
    var count = 2
    while others.contains(free.lowercased()) { (free, count) = ("\(name) \(count)", count + 1) }
    let before = straps[number]
    straps[number] = KnownStrap(
      address: Self.address(number), name: free, isBonded: true, added: WallTime(microseconds: Int64(number)),
      person: person ?? before?.person, label: before?.label)
    meet(person)
  }

  /// Whether the name is free.
  mutating func rename(_ number: Int, _ name: String) -> Bool {
    if straps.contains(where: { $0.key != number && $0.value.name.lowercased() == name.lowercased() }) { return false }
    straps[number]?.name = name
    return true
  }

  mutating func assign(_ number: Int, _ person: String?, _ label: String?) {
    straps[number]?.person = person
    straps[number]?.label = label
    meet(person)
  }

  // MARK: - Measurements

  /// Whether it may be stored: its number is free, or belongs to the same person.
  mutating func save(_ measurement: StressMeasurement) -> Bool {
    if let stored = measurements[measurement.id], stored.measurement.person != measurement.person { return false }
    measurements[measurement.id] = Measurement(measurement: measurement)
    meet(measurement.person)
    return true
  }

  mutating func bury(_ id: UUID?, _ person: String?) {
    for (key, stored) in measurements where (id == nil || key == id) && stored.measurement.person == person {
      measurements[key]?.isBuried = true
    }
  }
}
