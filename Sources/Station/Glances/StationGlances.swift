import Dashboard
import Foundation
import Glances
import Presentation
import TachogramCore

/// The contents of glances: the current reading from memory, so that it is seen at once when it becomes stale, and the last 24
/// hours from the database.
struct StationGlances: GlanceBackend {
  /// The time of rendering is rounded down to the minute, so that a glance stays the same while nothing changes.
  private static let resolution: Int64 = 60_000_000

  let hub: LiveHub
  let histories: GlanceHistories
  let configuration: CurrentConfiguration
  let time: any TimeSourceProtocol

  func content(of choice: ReadingChoice) async throws -> GlanceContent {
    let directory = await histories.directory()
    let readings = hub.live().readings.map { Self.assigned($0, directory) }
    let reading = choice.reading(of: readings)
    let subject = try Self.subject(choice, reading, directory)
    let history = await histories.history(of: subject)
    let known = reading.flatMap(Self.reading)
    return content(
      name: Self.name(choice, reading, subject), known ?? history.last,
      isConnected: reading?.link.phase == LinkPhase.live.rawValue, history)
  }

  private func content(
    name: String?, _ reading: GlanceReading?, isConnected: Bool, _ history: GlanceHistory
  ) -> GlanceContent {
    let now = time.now().wall.microseconds
    let minute = WallTime(microseconds: now - now % Self.resolution)
    let time = reading.map { max($0.time, minute) } ?? minute
    let zone = configuration.value.timeZone
    return GlanceContent(
      name: name, reading: reading, isConnected: isConnected, points: history.points, time: time,
      clock: GlanceClock(until: time) { zone.secondsFromGMT(for: $0.date) })
  }

  /// Returns a reading with the person that its strap is assigned to, if no session is being recorded.
  private static func assigned(_ reading: API.Reading, _ directory: GlanceDirectory?) -> API.Reading {
    guard reading.session == nil, let address = reading.address.flatMap({ BluetoothAddress(text: $0) }) else {
      return reading
    }
    var reading = reading
    reading.person = directory?.straps.first { $0.address.matches(address) }?.person
    return reading
  }

  /// Returns whose history is shown. Throws an error if the strap or person is unknown, so that histories are read of stored persons
  /// and known straps alone.
  private static func subject(
    _ choice: ReadingChoice, _ reading: API.Reading?, _ directory: GlanceDirectory?
  ) throws -> GlanceSubject {
    if let reading { return subject(reading.person, reading.address.flatMap { BluetoothAddress(text: $0) }) }
    if case .automatic = choice { return .nobody }
    guard let directory else {
      throw DashboardError(.busy, "the stored straps and persons cannot be read now; ask again later.")
    }
    switch choice {
    case .automatic: return .nobody
    case .strap(let name):
      guard let strap = directory.straps.first(where: { $0.name == name }) else {
        throw DashboardError.notFound("there is no strap of this name.")
      }
      return subject(strap.person, strap.address)
    case .person(let name):
      guard directory.persons.contains(name) else { throw DashboardError.notFound("there is no person of this name.") }
      return .person(name)
    }
  }

  private static func subject(_ person: String?, _ address: BluetoothAddress?) -> GlanceSubject {
    person.map(GlanceSubject.person) ?? address.map(GlanceSubject.strap) ?? .nobody
  }

  private static func name(_ choice: ReadingChoice, _ reading: API.Reading?, _ subject: GlanceSubject) -> String? {
    // A strap without a name has its address instead, which a panel on a wall does not show.
    if case .strap(let name) = choice { return LogText.safe(name) }
    if case .person(let person) = subject { return person }
    return (reading?.name).map(LogText.safe)
  }

  /// Returns the values of a reading, or `nil` if it has none.
  private static func reading(_ reading: API.Reading) -> GlanceReading? {
    guard let last = reading.lastHeard.flatMap(Timestamp.time), reading.heartRate != nil || reading.stress != nil else {
      return nil
    }
    return GlanceReading(
      time: last, heartRate: reading.heartRate.map(Double.init),
      stress: reading.stress.flatMap { GlanceStress(level: $0.level, confidence: $0.confidence) },
      rmssd: reading.fiveMinutes?.rmssd, sdnn: reading.fiveMinutes?.sdnn, isCurrent: reading.isCurrent)
  }
}
