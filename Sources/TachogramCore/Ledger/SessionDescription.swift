/// The properties of a session that are known when it begins.
package struct SessionDescription: Hashable, Sendable {
  /// The origin of a session.
  package enum Origin: String, Hashable, Sendable, CaseIterable, Codable {
    /// Recorded from a radio.
    case live
    /// Replayed from a capture.
    case replay
  }

  /// A UUID in lower case. In a replay it derives from the content (`SessionDescription.identifier`).
  package var id: String
  package var strap: StrapIdentity
  package var origin: Origin
  /// The person who wore the strap, or `nil` if no person was named.
  package var person: String?
  /// The name of the session, or `nil` if it has no name.
  package var label: String?
  /// The kind of the file of intervals from which the session was imported, or `nil` if it was received from a strap. The
  /// ledger entries of an imported session were not sent by a strap: each represents one interval of the file.
  package var madeFrom: String?
  /// The identifier of the installation that recorded the session, or `nil` if it comes from a capture or the installation is
  /// not known.
  package var deviceID: String?
  /// The time of arrival of the first entry.
  package var start: WallTime
  /// The time of arrival of the first entry on the monotonic axis.
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

  /// The device identifier of the stress levels that derive from the session. For a capture it is the same on every machine.
  package var derivedDeviceID: String {
    switch origin {
    case .live: deviceID ?? Self.unknownDevice
    case .replay: origin.rawValue
    }
  }

  /// The device identifier of a live session whose installation is not known.
  package static let unknownDevice = Origin.live.rawValue

  /// Returns the civil time of an instant of the session's axis, computed from the clock at the start of the session. Later
  /// clock steps have no effect.
  package func wall(_ time: MonotonicTime) -> WallTime {
    start.advanced(byMicroseconds: time.microseconds(since: monotonicStart))
  }

  /// Returns the instant of the session's axis at a civil time, the inverse of `wall`.
  package func monotonic(_ time: WallTime) -> MonotonicTime {
    monotonicStart.advanced(byMicroseconds: time.microseconds(since: start))
  }

  /// Returns the identifier of a replayed session: a hash of the strap's address, the time of arrival of the first entry and
  /// its bytes. The same recording has the same identifier in every capture format.
  package static func identifier(strap: BluetoothAddress, first: LedgerEntry) -> String {
    var hash = ContentHash()
    hash.add(strap.littleEndianBytes)
    hash.add(first.wall.microseconds)
    switch first.content {
    case .notification(let bytes), .pulseIntervals(let bytes): hash.add(bytes)
    case .linkDown: break
    }
    return hash.uuidText
  }
}
