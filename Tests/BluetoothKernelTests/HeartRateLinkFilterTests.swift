import TachogramCore
import Testing

@testable import BluetoothKernel

struct HeartRateLinkFilterTests {
  private func filtered(
    _ script: MonitorScript, scope: HeartRateLinkFilter.Scope = .heartRateLinks, known: [BluetoothAddress] = [],
  ) -> [MonitorFrame] {
    var filter = HeartRateLinkFilter(scope: scope, known: known, start: MonitorScript.start)
    let frames = script.frames.flatMap { filter.process($0) } + filter.finish()
    #expect(filter.written == frames.count)
    return frames
  }

  @Test func testHeartRateLink_IsWrittenWhole() {
    // Given
    var script = MonitorScript()
    script.adapter()
    script.connect(0x40, MonitorScript.strap)
    script.command(0x2016, [0x40, 0])
    script.event(0x3E, [0x04, 0, 0x40, 0, 1, 0, 0, 0, 0, 0, 0, 0])
    script.ask(0x40, [0x02, 5, 2])
    script.discover(0x40)
    script.event(0x08, [0, 0x40, 0, 1])
    script.data(0x40, channel: 5, [0x12, 1, 8, 0, 250, 0, 144, 1, 0, 0, 88, 2], isSent: false)
    script.data(0x40, channel: 6, [0x09, 0, 1, 0, 0, 0xEE, 0xFF, 0xC0], isSent: false)
    script.beat(0x40)
    script.disconnect(0x40)
    // When, Then
    #expect(filtered(script) == script.frames)
  }

  @Test func testOtherLinks_AreNotWritten() {
    // Given: a strap, a classic headset, another LE device, and what programs say to the kernel
    var script = MonitorScript()
    script.connect(0x40, MonitorScript.strap)
    script.discover(0x40)
    let written = script.frames
    script.connectClassic(0x01, MonitorScript.other)
    script.data(0x01, channel: 0x41, [1, 2, 3], isSent: true)
    script.add(.scoReceived, [1, 0, 1, 9])
    script.connect(0x41, MonitorScript.other)
    script.ask(0x41, [0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28])
    script.answer(0x41, [0x11, 6, 1, 0, 5, 0, 0x12, 0x18])
    script.answer(0x41, [0x1B, 3, 0, 0, 1, 2, 3])
    script.event(0x3E, [0x02, 1, 0, 1] + MonitorScript.other + [0, 0xC0])
    script.command(0x200C, [1, 0])
    script.event(0x13, [1, 0x40, 0, 1, 0])
    script.add(.controlCommand, [1, 2, 3])
    script.add(.userLogging, [1, 2, 3])
    script.add(.vendorDiagnostics, [1, 2, 3])
    script.add(.systemNote, [1, 2, 3])
    script.disconnect(0x41)
    // When, Then
    #expect(filtered(script) == written)
  }

  @Test func testUndecidedLink_HoldsLaterFramesBackInOrder() {
    // Given: another device connects first and says nothing of itself for a while
    var script = MonitorScript()
    script.connect(0x41, MonitorScript.other)
    script.connect(0x40, MonitorScript.strap)
    script.discover(0x40)
    var filter = HeartRateLinkFilter(scope: .heartRateLinks, start: MonitorScript.start)
    // When
    #expect(script.frames.flatMap { filter.process($0) } == [])
    script.disconnect(0x41)
    let released = filter.process(script.frames[script.frames.count - 1])
    // Then
    #expect(released == Array(script.frames[1..<4]))
  }

  @Test func testTwoHeartRateLinks_AreWrittenInOrderOfTime() {
    // Given: what the first is shows later than what the second is
    var script = MonitorScript()
    script.connect(0x41, MonitorScript.other)
    script.connect(0x40, MonitorScript.strap)
    script.discover(0x40)
    script.beat(0x40)
    script.discover(0x41)
    script.beat(0x40)
    // When, Then
    #expect(filtered(script) == script.frames)
  }

  @Test func testSilentLink_HoldsNobodyUpForLong() throws {
    // Given
    var script = MonitorScript()
    script.connect(0x41, MonitorScript.other)
    script.connect(0x40, MonitorScript.strap)
    script.discover(0x40)
    script.wait(microseconds: 11_000_000)
    script.beat(0x40)
    var filter = HeartRateLinkFilter(scope: .heartRateLinks, start: MonitorScript.start)
    // When
    let released = script.frames.flatMap { filter.process($0) }
    // Then
    #expect(released == Array(script.frames.dropFirst()))
    // And: when it shows itself later, its beginning is written with the time of that moment
    var late = MonitorScript(time: script.time)
    late.discover(0x41)
    let found = late.frames.flatMap { filter.process($0) }
    try #require(found.count == 2)
    #expect(found[0].bytes == script.frames[0].bytes)
    #expect(found.map(\.time) == [late.time, late.time])
    #expect(filter.heartRateLinks == 2)
  }

  @Test func testStrapThatComesBack_IsKnown() {
    // Given: the second connection has no discovery, because bluetoothd remembers
    var script = MonitorScript()
    script.connect(0x40, MonitorScript.strap)
    script.discover(0x40)
    script.disconnect(0x40)
    script.connect(0x41, MonitorScript.strap)
    script.beat(0x41)
    script.disconnect(0x41)
    // When, Then
    #expect(filtered(script) == script.frames)
  }

  @Test func testKnownStrap_NeedsNoDiscovery() throws {
    // Given
    var script = MonitorScript()
    script.connect(0x40, MonitorScript.strap)
    script.beat(0x40)
    let address = try KernelFixture.strap(.public)
    // When, Then: public or random does not matter
    #expect(filtered(script, known: [address]) == script.frames)
    #expect(filtered(script) == [])
    #expect(filtered(script, known: [.unknown]) == [])
  }

  @Test func testLinkFromBeforeTheCapture_IsRecognisedByItsValues() {
    // Given
    var script = MonitorScript()
    for _ in 0..<6 { script.beat(0x40) }
    // When, Then
    #expect(filtered(script) == script.frames)
  }

  @Test(arguments: [8, 5, 4])
  func testDiscoveryInFragments_IsUnderstood(_ size: Int) {
    var script = MonitorScript()
    script.connect(0x40, MonitorScript.strap)
    script.discover(0x40, size: size)
    #expect(filtered(script) == script.frames)
  }

  @Test func testFragmentsThatCannotBeRead_AreNotWritten() {
    // Given: beginnings too short to tell, and continuations of nothing
    var script = MonitorScript()
    script.connect(0x40, MonitorScript.strap)
    script.discover(0x40)
    let written = script.frames
    script.data(0x40, channel: 6, [0x08] + [UInt8](repeating: 7, count: 16), isSent: false, size: 3)
    script.data(0x40, channel: 6, [0x06] + [UInt8](repeating: 7, count: 16), isSent: false, size: 6)
    script.add(.aclReceived, [0x40, 0x20, 9, 0, 1])
    script.add(.aclReceived, [0x40])
    // When, Then
    #expect(filtered(script) == written)
    #expect(filtered(script, scope: .everything) == written)
  }

  @Test func testAdaptersFromBefore_GetTheTimeOfTheBeginning() {
    // Given
    var script = MonitorScript(time: MonitorScript.start - 86_400_000_000)
    script.adapter()
    // When, Then
    #expect(filtered(script).first?.time == MonitorScript.start)
  }

  @Test(arguments: [false, true])
  func testAdapterThatGoesOrIsReset_EndsItsLinksOnly(_ isReset: Bool) {
    // Given
    var script = MonitorScript()
    script.connect(0x40, MonitorScript.strap, adapter: 0)
    script.connect(0x40, MonitorScript.strap, adapter: 1)
    if isReset { script.command(0x0C03, []) } else { script.add(.adapterRemoved, []) }
    script.discover(0x40, adapter: 1)
    script.ask(0x40, [0x02, 5, 2], adapter: 0)
    // When, Then: the first connection never showed what it was
    #expect(filtered(script) == Array(script.frames[1..<5]))
  }

  @Test func testEverything_HasNoKeysNoSoundAndNoPrograms() {
    // Given
    var script = MonitorScript()
    script.adapter()
    script.event(0x3E, [0x02, 1, 0, 1] + MonitorScript.other + [0, 0xC0])
    script.connect(0x41, MonitorScript.other)
    script.answer(0x41, [0x1B, 3, 0, 0, 1, 2, 3])
    script.command(0x200C, [1, 0])
    let written = script.frames
    script.data(0x41, channel: 6, [0x08] + [UInt8](repeating: 7, count: 16), isSent: false)
    script.data(0x41, channel: 7, [0x06] + [UInt8](repeating: 7, count: 16), isSent: true)
    script.add(.scoSent, [1, 0, 1, 9])
    script.add(.isoReceived, [1, 0, 1, 9])
    script.add(.controlEvent, [1])
    script.add(.userLogging, [1])
    for opcode in [0x2019, 0x201A, 0x2027, 0x040B, 0x040D, 0x0C11, 0xFC4C] as [UInt16] {
      script.command(opcode, [UInt8](repeating: 7, count: 28))
      script.event(0x0E, [1, UInt8(opcode & 0xFF), UInt8(opcode >> 8), 0])
    }
    for event in [0x18, 0x15, 0xFF] as [UInt8] { script.event(event, [UInt8](repeating: 7, count: 23)) }
    script.event(0x3E, [0x05, 0x41, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    script.event(0x3E, [0x09, 0] + [UInt8](repeating: 7, count: 32))
    script.add(.command, [0x19])
    script.add(.event, [0x0E])
    // When, Then
    #expect(filtered(script, scope: .everything) == written)
  }

  @Test func testFloodOfAnUndecidedLink_IsBounded() {
    // Given
    var filter = HeartRateLinkFilter(scope: .heartRateLinks, start: MonitorScript.start)
    var script = MonitorScript()
    script.connect(0x41, MonitorScript.other)
    script.connect(0x40, MonitorScript.strap)
    script.discover(0x40)
    var released = script.frames.flatMap { filter.process($0) }
    #expect(released == [])
    // When: five megabytes in no time
    let payload = [UInt8](repeating: 1, count: 60_000)
    let size = UInt16(payload.count + 4)
    let frame: [UInt8] =
      [0x41, 0x20, UInt8(size & 0xFF), UInt8(size >> 8), UInt8(payload.count & 0xFF), UInt8(payload.count >> 8), 4, 0]
      + payload
    for _ in 0..<80 {
      released += filter.process(
        MonitorFrame(time: script.time, opcode: MonitorFrame.Kind.aclReceived.rawValue, adapter: 0, bytes: frame))
    }
    // Then: the strap got through
    #expect(released == Array(script.frames.dropFirst()))
  }

  @Test func testAnyBytes_NeverTrap() {
    var random = SystemRandomNumberGenerator()
    for scope in [HeartRateLinkFilter.Scope.heartRateLinks, .everything] {
      var filter = HeartRateLinkFilter(scope: scope, start: 0)
      for _ in 0..<20_000 {
        let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        let time = Int64.random(in: .min ... .max, using: &random)
        _ = filter.process(
          MonitorFrame(time: time, opcode: .random(in: 0...20), adapter: .random(in: 0...1), bytes: bytes))
      }
      _ = filter.finish()
    }
  }
}
