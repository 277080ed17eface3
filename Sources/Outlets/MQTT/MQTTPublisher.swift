import FoundationEssentials
import HomeAssistant
import MQTT
import StressKit
import TachogramCore

/// Decides which messages follow from what happens. It performs no I/O and reads no clock.
struct MQTTPublisher {
  /// A strap as other systems know it.
  private struct Strap {
    let identifier: String
    var reading: OutletReading
    /// When its last state was sent.
    var stated: ContinuousClock.Instant?
    /// The name with which it was announced.
    var announcedName: String?
    /// Whether it was said that it is received.
    var isOnline: Bool?
  }

  private let options: MQTTOutletOptions
  let topics: MQTTTopics
  private var straps: [Int: Strap] = [:]
  /// The straps that were removed last.
  private var removed: [String] = []
  /// The straps whose announcements were removed because straps are not announced any more.
  private var withdrawn: Set<String> = []
  private static let mostRemoved = 64

  init(_ options: MQTTOutletOptions) {
    self.options = options
    topics = MQTTTopics(station: options.station)
  }

  /// The message that the broker sends when the station disappears: it is not connected.
  var will: MQTTMessage { status(topics.stationStatus, isOnline: false) }

  /// The filters of what is received.
  var filters: [String] {
    var filters = [topics.statuses, topics.stationStatus]
    if let prefix = options.discoveryPrefix { filters.append(HomeAssistantBirth.topic(prefix: prefix)) }
    if options.acceptsCommands { filters.append(topics.commands) }
    return filters
  }

  // MARK: - Messages

  /// The first message after a connection. The broker sends it to the station as well, after everything that it keeps of an earlier
  /// run: until then, no value of that run may count as one of now.
  var beginning: MQTTMessage { will }

  /// Whether a message is `beginning`, sent back by the broker.
  func isBeginning(topic: String, payload: [UInt8], isRetained: Bool) -> Bool {
    !isRetained && topic == beginning.topic && payload == beginning.payload
  }

  /// Returns all that is retained, and the states: after a connection, and when Home Assistant has started.
  mutating func everything(at now: ContinuousClock.Instant) -> [MQTTMessage] {
    var messages: [MQTTMessage] = []
    for number in straps.keys.sorted() {
      guard var strap = straps[number] else { continue }
      (strap.announcedName, strap.isOnline, strap.stated) = (nil, nil, nil)
      messages += self.messages(of: &strap, at: now)
      straps[number] = strap
    }
    // The last: until then, Home Assistant shows no value.
    return messages + [status(topics.stationStatus, isOnline: true)]
  }

  /// Returns what Home Assistant needs when it has started. It keeps the devices of removals that it missed, and removes only those that
  /// are announced: they are announced for a moment.
  mutating func everythingAfterBirth(at now: ContinuousClock.Instant) -> [MQTTMessage] {
    let known = Set(straps.values.map(\.identifier))
    let removals = removed.filter { !known.contains($0) }.flatMap { identifier in
      // With the switch, which may have been announced.
      let device = device(identifier, name: identifier, components: Set(StrapComponent.allCases))
      let announcement = device.announcement()
      return [
        MQTTMessage(topic: announcement.topic, payload: announcement.payload, qos: .atLeastOnce),
        retained(device.removal),
      ]
    }
    return everything(at: now) + removals
  }

  /// Returns the strap of a retained status that another run of the station may have left behind, or `nil` for any other message and
  /// for a strap that is received.
  func leftover(topic: String, payload: [UInt8], isRetained: Bool) -> MQTTLeftover? {
    guard isRetained, !payload.isEmpty, let identifier = topics.parseStatus(topic) else { return nil }
    let strap = straps.values.first { $0.identifier == identifier }
    if strap?.reading.isCurrent == true { return nil }
    return MQTTLeftover(
      identifier: identifier, isOnline: payload == Array(MQTTTopics.online.utf8), isKnown: strap != nil)
  }

  /// Returns what corrects a leftover: no strap is online that is not received, and one that is not expected is removed. `expected` are
  /// the addresses of straps, or `nil` if they are not known.
  mutating func correction(of leftover: MQTTLeftover, expected: [String]?) -> [MQTTMessage] {
    let isExpected = expected?.contains { options.key.identifier(of: $0) == leftover.identifier } ?? true
    guard leftover.isKnown || isExpected else { return removal(of: leftover.identifier, isRepeated: true) }
    let status = leftover.isOnline ? [status(topics.status(strap: leftover.identifier), isOnline: false)] : []
    return status + (isAnnouncing ? [] : withdrawal(of: leftover.identifier))
  }

  mutating func handle(_ delivery: OutletDelivery, at now: ContinuousClock.Instant) -> [MQTTMessage] {
    var messages: [MQTTMessage] = []
    for reading in delivery.forgotten {
      guard let strap = straps.removeValue(forKey: reading.strap) else { continue }
      messages += removal(of: strap.identifier, isRepeated: !strap.reading.isAverage)
    }
    for reading in delivery.readings {
      var strap = known(reading)
      // Whoever started or stopped recording sees at once that it is so.
      if (reading.session == nil) != (strap.reading.session == nil) { strap.stated = nil }
      strap.reading = reading
      messages += self.messages(of: &strap, at: now)
      straps[reading.strap] = strap
    }
    if options.sendsBeats { messages += delivery.beats.compactMap(message(of:)) }
    return messages
  }

  /// Returns what is said at the end: straps that are not received any more, and the station itself.
  func ending() -> [MQTTMessage] {
    let online = straps.values.filter { $0.isOnline == true }.map(\.identifier).sorted()
    return online.map { status(topics.status(strap: $0), isOnline: false) } + [will]
  }

  /// Whether Home Assistant says that it has started.
  func isBirth(topic: String, payload: [UInt8]) -> Bool {
    guard let prefix = options.discoveryPrefix else { return false }
    return HomeAssistantBirth.isBirth(topic: topic, payload: payload, prefix: prefix)
  }

  /// Returns what a message asks for, or `nil` if it is no command for a known strap. A retained command is an old one.
  func command(topic: String, payload: [UInt8], isRetained: Bool) -> (strap: Int, isWanted: Bool)? {
    guard options.acceptsCommands, !isRetained, let command = topics.parseCommand(topic),
      let recording = RecordingCommand(payload: payload),
      let strap = straps.first(where: { $0.value.identifier == command.strap })
    else { return nil }
    return (strap.key, recording == .start)
  }

  /// Returns the strap of a reading, which is another one when the number belongs to another address.
  private func known(_ reading: OutletReading) -> Strap {
    if let strap = straps[reading.strap], strap.reading.address == reading.address,
      reading.address != nil || strap.reading.name == reading.name
    {
      return strap
    }
    return Strap(identifier: options.key.identifier(of: reading), reading: reading)
  }

  /// Returns what removes a strap. `isRepeated` is whether that is said once more when Home Assistant starts.
  private mutating func removal(of identifier: String, isRepeated: Bool) -> [MQTTMessage] {
    if isRepeated {
      removed = removed.filter { $0 != identifier }.suffix(Self.mostRemoved - 1) + [identifier]
    }
    let topic = topics.status(strap: identifier)
    // An empty payload removes what is retained.
    let gone = MQTTMessage(topic: topic, payload: [], qos: .atLeastOnce, isRetained: true)
    let withdrawal = withdrawal(of: identifier)
    // It may come back under the same name.
    withdrawn.remove(identifier)
    return [status(topic, isOnline: false), gone] + withdrawal
  }

  /// Whether straps are announced. Without announcements, those from before they were switched off are removed.
  private var isAnnouncing: Bool { options.discoveryPrefix != nil }

  /// Returns what removes the announcement of a strap. Where straps are not announced, that is said once and without acknowledgement:
  /// the broker may not let the station write there, and may end the connection for it.
  private mutating func withdrawal(of identifier: String) -> [MQTTMessage] {
    // Asked with each reading.
    guard isAnnouncing || withdrawn.insert(identifier).inserted else { return [] }
    var message = retained(device(identifier, name: identifier, components: []).removal)
    if !isAnnouncing { message.qos = .atMostOnce }
    return [message]
  }

  private mutating func messages(of strap: inout Strap, at now: ContinuousClock.Instant) -> [MQTTMessage] {
    var messages: [MQTTMessage] = []
    if isAnnouncing, strap.announcedName != strap.reading.name {
      strap.announcedName = strap.reading.name
      // Home Assistant may have no value after an announcement until the next state.
      strap.stated = nil
      // Without commands, Home Assistant has to be told to delete a switch that was announced before.
      messages.append(
        retained(device(strap).announcement(removing: options.acceptsCommands ? [] : [.recording])))
    } else if !isAnnouncing {
      messages += withdrawal(of: strap.identifier)
    }
    let isOnline = strap.reading.isCurrent
    let isChanged = isOnline != strap.isOnline
    strap.isOnline = isOnline
    // The state precedes its status: values that are current again are not those of the last state.
    if isOnline, isChanged || strap.stated.map({ now >= $0 + options.interval }) ?? true {
      strap.stated = now
      messages.append(MQTTMessage(topic: topics.state(strap: strap.identifier), payload: state(strap.reading).payload))
    }
    if isChanged { messages.append(status(topics.status(strap: strap.identifier), isOnline: isOnline)) }
    return messages
  }

  /// What advertisements tell.
  private static let averaged: Set<StrapComponent> = [.heartRate, .contact, .signal]

  private func status(_ topic: String, isOnline: Bool) -> MQTTMessage {
    MQTTMessage(
      topic: topic, text: isOnline ? MQTTTopics.online : MQTTTopics.offline, qos: .atLeastOnce, isRetained: true)
  }

  private func retained(_ message: HomeAssistantMessage) -> MQTTMessage {
    MQTTMessage(topic: message.topic, payload: message.payload, qos: .atLeastOnce, isRetained: true)
  }

  private func device(_ strap: Strap) -> HomeAssistantDevice {
    var components = strap.reading.isAverage ? Self.averaged : StrapComponent.readOnly
    if options.acceptsCommands, !strap.reading.isAverage { components.insert(.recording) }
    return device(strap.identifier, name: strap.reading.name, components: components)
  }

  private func device(
    _ identifier: String, name: String, components: Set<StrapComponent>
  ) -> HomeAssistantDevice {
    var device = HomeAssistantDevice(
      topics: topics, stationName: options.stationName, strap: identifier, name: name,
      softwareVersion: options.version, components: components,
      prefix: options.discoveryPrefix ?? HomeAssistantDevice.defaultPrefix)
    // Two states may be lost.
    device.validity = max(HomeAssistantDevice.leastValidity, 3 * Int(options.interval.components.seconds))
    return device
  }

  private func state(_ reading: OutletReading) -> StrapState {
    var state = StrapState()
    (state.heartRate, state.rmssd, state.sdnn) = (reading.heartRate, reading.rmssd, reading.sdnn)
    (state.stress, state.stressCategory) = (reading.stress?.level, reading.stress?.category.rawValue)
    (state.battery, state.contact, state.signal) = (reading.battery, reading.contact, reading.signal)
    (state.session, state.isRecording) = (reading.session, reading.session != nil)
    state.isAverage = reading.isAverage
    state.sleepStage = reading.sleepStage?.rawValue
    state.time = reading.time.date.timeIntervalSince1970
    return state
  }

  private func message(of beat: OutletBeat) -> MQTTMessage? {
    guard let strap = straps[beat.strap] else { return nil }
    let message = MQTTBeat(
      time: Timestamp.text(beat.time), rr: beat.interval, sequence: beat.sequence, isMarked: beat.isMarked,
      followsGap: beat.followsGap)
    return MQTTMessage(topic: topics.beats(strap: strap.identifier), payload: JSONText.encode(message))
  }
}
