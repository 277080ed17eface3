import CommandProcess
import Presentation
import Repository
import TachogramCore

/// A writer of one session as an object: the received data and everything derived from it.
struct JSONExport {
  let session: StoredSession
  /// Whether beats, gaps, artifacts and windows are written. `import` derives these from the ledger again.
  var isWhole = true

  private let output = JSONOutput(isPretty: false)

  init(session: StoredSession, isWhole: Bool = true) {
    self.session = session
    self.isWhole = isWhole
  }

  func write(to sink: some ByteSink) throws {
    let (repository, description) = (session.repository, session.description)
    let strap = description.strap.label
    let header = SessionHeader(
      session.record, try repository.links(of: session.id), try repository.markers(of: session.id))
    try sink.write("{\"session\":\(try output.text(header))")
    try write("ledger", to: sink) { element in
      try session.forEachEntry { entry in
        var line = EventLine(entry, strap: strap)
        line.monotonicUs = entry.monotonic.microseconds
        line.wallUs = entry.wall.microseconds
        try element(line)
      }
    }
    if isWhole { try writeDerived(strap: strap, to: sink) }
    try write("stress", to: sink) { element in
      for stress in try repository.stress(of: session.id) { try element(StressRow(stress)) }
    }
    try writeMeasurements(to: sink)
    try sink.write("}\n")
  }

  /// Writes the night, the movement and what sensors sent, where there is any.
  private func writeMeasurements(to sink: some ByteSink) throws {
    if let nights = session.nights {
      if let night = try nights.night(of: session.id) { try sink.write(",\"night\":\(output.text(NightRow(night)))") }
      let movement = try nights.movement(of: session.id)
      if !movement.isEmpty {
        try write("movement", to: sink) { element in for epoch in movement { try element(MovementRow(epoch)) } }
      }
    }
    guard let sensors = session.sensors, try sensors.nextSequence(of: session.id) > 0 else { return }
    try write("sensors", to: sink) { element in try session.forEachSensorEntry { try element(SensorRow($0)) } }
  }

  private func writeDerived(strap: String, to sink: some ByteSink) throws {
    let (repository, description) = (session.repository, session.description)
    try write("beats", to: sink) { element in
      try session.forEachBeat { try element(EventLine($0, strap: strap, time: description.wall($0.time))) }
    }
    try write("gaps", to: sink) { element in
      for gap in try repository.gaps(of: session.id) {
        try element(
          EventLine(gap, strap: strap, start: description.wall(gap.start), end: description.wall(gap.end)))
      }
    }
    try write("artifacts", to: sink) { element in
      for artifact in try repository.artifacts(of: session.id) { try element(EventLine(artifact, strap: strap)) }
    }
    try write("windows", to: sink) { element in
      for window in try repository.windows(of: session.id) {
        try element(EventLine(window, strap: strap, time: description.wall(window.end)))
      }
    }
  }

  /// Writes an array, one element per line.
  private func write(
    _ name: String, to sink: some ByteSink, _ elements: ((any Encodable) throws -> Void) throws -> Void,
  ) throws {
    try sink.write(",\"\(name)\":[")
    var separator = "\n"
    try elements { element in
      try sink.write(separator + output.text(element))
      separator = ",\n"
    }
    try sink.write("]")
  }
}
