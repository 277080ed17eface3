/// What is known of a session when it begins.
package struct SessionDescription: Hashable, Sendable {
  /// How the session came about.
  package enum Origin: String, Hashable, Sendable, CaseIterable, Codable {
    /// Recorded from a radio.
    case live
    /// Replayed from a capture.
    case replay
  }

  /// A UUID in lower case; in replay it derives from the content (`SessionDescription.identifier`).
  package var id: String
  package var strap: StrapIdentity
  package var origin: Origin
  /// The person who wore the strap; `nil` when nobody was named.
  package var person: String?
  /// What the person calls the session; `nil` when it has no name.
  package var label: String?
  /// The kind of file of intervals that it was made of; `nil` when it was heard from a strap. Its ledger entries are then not
  /// what a strap sent: each stands for one interval of the file.
  package var madeFrom: String?
  /// The identifier of the installation that heard it; `nil` for what comes from a capture, and where it is not known.
  package var deviceID: String?
  /// Arrival of the first entry.
  package var start: WallTime
  /// Arrival of the first entry on the monotonic axis.
  package var monotonicStart: MonotonicTime

  package init(
    id: String, strap: StrapIdentity, origin: Origin, person: String? = nil, label: String? = nil,
    madeFrom: String? = nil, deviceID: String? = nil, start: WallTime, monotonicStart: MonotonicTime,
  ) {
    self.id = id
    self.strap = strap
    self.origin = origin
    self.person = person
    self.label = label
    self.madeFrom = madeFrom
    self.deviceID = deviceID
    self.start = start
    self.monotonicStart = monotonicStart
  }

  /// What the stress levels that derive from it carry as the device: of a capture the same on every machine.
  package var derivedDeviceID: String {
    switch origin {
    case .live: deviceID ?? Self.unknownDevice
    case .replay: origin.rawValue
    }
  }

  /// The device of what was heard from a radio nobody knows where.
  package static let unknownDevice = Origin.live.rawValue

  /// An instant of the session's axis on the civil clock, by the clock at its start: a clock that steps moves nothing.
  package func wall(_ time: MonotonicTime) -> WallTime {
    start.advanced(byMicroseconds: time.microseconds(since: monotonicStart))
  }

  /// The identifier of a replayed session: a hash of the strap's address, the arrival of the first entry and its bytes.
  /// The same minutes give the same identifier from whichever capture format they are read.
  package static func identifier(strap: BluetoothAddress, first: LedgerEntry) -> String {
    var hash = ContentHash()
    hash.add(strap.littleEndianBytes)
    hash.add(first.wall.microseconds)
    if case .notification(let bytes) = first.content { hash.add(bytes) }
    return hash.uuidText
  }
}
