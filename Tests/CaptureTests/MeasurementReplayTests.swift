import Capture
import GATT
import TachogramCore
import TachogramTestKit
import Testing

/// Measurement streams of Polar straps in captures.
@Suite("Measurements in captures")
struct MeasurementReplayTests {
  private static let control: UInt16 = 0x21
  private static let data: UInt16 = 0x24
  private static let request = PolarControlPointRequest.encode(
    .start(.acceleration, PolarSettings([.sampleRate([25]), .resolution([16]), .range([2])])))
  private static let response = PolarControlPointResponse.encode(
    PolarControlPointResponse(
      to: .start, .acceleration, status: .success, parameters: PolarSettings.encode(PolarSettings([.factor([1])]))))
  private static let sleeper = SimulatedSleeper()

  /// A characteristic declaration with a UUID of 128 bits.
  private static func declaration(_ uuid: String, value: UInt16) -> [UInt8] {
    let digits = uuid.filter { $0 != "-" }.compactMap(\.hexDigitValue)
    let bytes = stride(from: digits.count - 2, through: 0, by: -2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    return PacketScript.word(value - 1) + [0x10] + PacketScript.word(value) + bytes
  }

  private static func discoverMeasurements(_ script: inout PacketScript) {
    script.attribute([0x08, 0x20, 0, 0x30, 0, 0x03, 0x28], isReceived: false)
    script.attribute(
      [0x09, 21] + declaration(PolarMeasurementUUID.controlPoint, value: control)
        + declaration(PolarMeasurementUUID.data, value: data), isReceived: true)
  }

  private static func start(
    _ script: inout PacketScript, request: [UInt8] = request, response: [UInt8] = response
  ) {
    script.attribute([0x12] + PacketScript.word(control) + request, isReceived: false)
    script.attribute([0x13], isReceived: true)
    script.attribute([0x1D] + PacketScript.word(control) + response, isReceived: true)
    script.attribute([0x1E], isReceived: false)
  }

  /// A link with heart rate and `frames` frames, with or without discovery.
  private static func link(discovery: Bool = true, frames: Range<Int> = 0..<3, _ script: inout PacketScript) {
    script.connect()
    if discovery {
      script.discover()
      discoverMeasurements(&script)
    }
    script.subscribe()
    start(&script)
    for number in frames {
      script.notify(PacketScript.values[number % 3])
      script.notify(sleeper.accelerationFrame(number), handle: data)
    }
    script.attribute([0x1D] + PacketScript.word(control) + [1, 2], isReceived: true)
    script.disconnect()
  }

  private static func events(
    _ script: PacketScript, handle: UInt16? = nil
  ) throws -> (entries: [LedgerEntry], measurements: [ReplayedMeasurement]) {
    try MemoryFile.withPath(CaptureWrapping.btsnoop(script)) { path in
      let replay = CaptureReplay(path: path, handle: handle)
      let plan = try replay.plan()
      var (entries, measurements, plain) = ([LedgerEntry](), [ReplayedMeasurement](), [LedgerEntry]())
      try replay.forEachEvent(plan) { _, event in
        switch event {
        case .entry(let entry): entries.append(entry)
        case .measurement(let measurement): measurements.append(measurement)
        }
      }
      try replay.forEachEntry(plan) { plain.append($1) }
      #expect(entries == plain)
      return (entries, measurements)
    }
  }

  private static func contents(_ frames: Range<Int>) -> [SensorEntry.Content] {
    [.started(request: request, response: response)] + frames.map { .frame(sleeper.accelerationFrame($0)) }
      + [.stopped([1, 2])]
  }

  @Test func testStream_IsReadWithItsStartAndEnd() throws {
    var script = PacketScript()
    Self.link(&script)
    let found = try Self.events(script)
    #expect(found.measurements.map(\.content) == Self.contents(0..<3))
    #expect(found.measurements.allSatisfy { $0.link == 0 })
    #expect(zip(found.measurements, found.measurements.dropFirst()).allSatisfy { $0.monotonic < $1.monotonic })
    #expect(found.entries.count == 4)
  }

  /// A bonded strap is discovered once; later links have other numbers.
  @Test func testLaterLink_NeedsNoDiscovery() throws {
    var script = PacketScript()
    Self.link(&script)
    Self.link(discovery: false, frames: 5..<9, &script)
    let found = try Self.events(script)
    #expect(found.measurements.map(\.content) == Self.contents(0..<3) + Self.contents(5..<9))
    #expect(found.measurements.map(\.link) == Array(repeating: 0, count: 5) + Array(repeating: 1, count: 6))
  }

  @Test func testStreamWithoutDiscovery_IsFoundByItsRequest() throws {
    var script = PacketScript()
    Self.link(discovery: false, &script)
    let found = try Self.events(script, handle: 0x10)
    #expect(found.measurements.map(\.content) == Self.contents(0..<3))
  }

  @Test func testOtherExchanges_AreNoStreams() throws {
    let refusal = PolarControlPointResponse.encode(
      PolarControlPointResponse(to: .start, .acceleration, status: .alreadyInState))
    let settings = PolarControlPointRequest.encode(.getSettings(.acceleration))
    let other = PolarControlPointResponse.encode(
      PolarControlPointResponse(to: .start, .ecg, status: .success))
    for (request, response) in [
      (Self.request, refusal), (settings, Self.response), (Self.request, other), ([], [0xF0]),
    ] {
      var script = PacketScript()
      script.connect()
      script.discover()
      script.subscribe()
      Self.start(&script, request: request, response: response)
      script.notify(PacketScript.values[0])
      script.notify(Self.sleeper.accelerationFrame(0), handle: Self.data)
      script.disconnect()
      #expect(try Self.events(script).measurements.isEmpty)
    }
  }

  /// Every prefix of a capture, and captures with a damaged byte, are read without a crash.
  @Test func testDamagedStreams_AreReadAsFarAsTheyGo() throws {
    var script = PacketScript()
    Self.link(&script)
    let whole = CaptureWrapping.btsnoop(script)
    for place in stride(from: 100, to: whole.count, by: 13) {
      var bytes = whole
      bytes[place] ^= 0x55
      try MemoryFile.withPath(bytes) { path in
        let replay = CaptureReplay(path: path)
        guard let plan = try? replay.plan() else { return }
        try replay.forEachEvent(plan) { _, _ in }
      }
    }
    for count in 0..<script.packets.count {
      try MemoryFile.withPath(CaptureWrapping.btsnoop(script.prefix(count))) { path in
        let replay = CaptureReplay(path: path)
        guard let plan = try? replay.plan() else { return }
        try replay.forEachEvent(plan) { _, _ in }
      }
    }
  }

  @Test func testSource_EmitsMeasurementsWithinTheirLink() async throws {
    var script = PacketScript()
    Self.link(&script)
    let path = try TemporaryFolder()
    try path.write(CaptureWrapping.btsnoop(script), to: "night.btsnoop")
    let replay = CaptureReplay(path: path.path("night.btsnoop"))
    let source = ReplayRadioSource(replay, plan: try replay.plan(), time: ScaledTimeSource(factor: 1), speed: nil)
    var (isUp, found) = (false, [SensorEntry.Content]())
    for await event in source.events() {
      switch event.content {
      case .linkUp: isUp = true
      case .linkDown: isUp = false
      case .sensor(let content):
        #expect(isUp)
        found.append(content)
      default: break
      }
    }
    #expect(found == Self.contents(0..<3))
  }
}
