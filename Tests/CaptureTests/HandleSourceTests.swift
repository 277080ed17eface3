import Capture
import TachogramCore
import TachogramTestKit
import Testing

struct HandleSourceTests {
  private func sources(_ script: PacketScript, handle: UInt16? = nil) throws -> [HandleSource] {
    try ReplayedCapture(CaptureWrapping.btsnoop(script), handle: handle).plan.straps.flatMap(\.links).map(
      \.handleSource)
  }

  private func absence(_ script: PacketScript, handle: UInt16? = nil) throws -> HeartRateAbsence? {
    try ReplayedCapture.absence(CaptureWrapping.btsnoop(script), handle: handle)
  }

  // MARK: - Discovered and inherited

  @Test func testDiscoveryAfterTheNotifications_NamesThemAll() throws {
    // Given
    var script = PacketScript()
    script.connect()
    for value in PacketScript.values { script.notify(value) }
    script.discover()
    script.notify([0x06, 0x50])
    // When
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    // Then
    #expect(replayed.values() == PacketScript.values + [[0x06, 0x50]])
    #expect(replayed.plan.straps.first?.links.map(\.handleSource) == [.discovered])
    #expect(replayed.plan.straps.first?.notifications == 4)
  }

  @Test(arguments: [true, false])
  func testLinkWithoutDiscovery_InheritsTheHandleFromAnotherOfTheSameStrap(isDiscoveredFirst: Bool) throws {
    // Given
    var script = PacketScript()
    for isDiscovered in [isDiscoveredFirst, !isDiscoveredFirst] {
      script.connect()
      if isDiscovered { script.discover() }
      script.notify([0x06, 0x48])
      script.disconnect()
    }
    // When
    let sources = try sources(script)
    // Then
    #expect(sources == (isDiscoveredFirst ? [.discovered, .inherited] : [.inherited, .discovered]))
  }

  @Test func testAnotherStrapsHandle_IsNotInherited() throws {
    var script = PacketScript.session()
    script.connect([9, 9, 9, 9, 9, 0xC9])
    script.notify([0x06, 0x48])
    #expect(try ReplayedCapture(CaptureWrapping.btsnoop(script)).plan.straps.count == 1)
  }

  @Test func testFindInformation_NamesTheHandle() throws {
    var script = PacketScript()
    script.connect()
    script.attribute([0x04, 0x0F, 0, 0x12, 0], isReceived: false)
    script.attribute([0x05, 1, 0x10, 0, 0x37, 0x2A, 0x11, 0, 0x02, 0x29], isReceived: true)
    script.notify([0x06, 0x48])
    #expect(try sources(script) == [.discovered])
  }

  @Test func testSeveralCharacteristicsInOneResponse_AreAllLearnt() throws {
    var script = PacketScript()
    script.connect()
    script.attribute([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28], isReceived: false)
    script.attribute(
      [
        0x09, 7, 0x0E, 0, 0x02, 0x0F, 0, 0x38, 0x2A, 0x10, 0, 0x10, 0x11, 0, 0x37, 0x2A, 0x13, 0, 0x10, 0x14, 0, 0x19,
        0x2A,
      ],
      isReceived: true)
    script.notify([87], handle: 0x14)
    script.notify([0x06, 0x48], handle: 0x11)
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    #expect(replayed.values() == [[0x06, 0x48]])
    #expect(replayed.plan.straps.first?.identity.characteristics[0x2A19] == [87])
  }

  @Test func testLongUUID_IsNotHeartRate() throws {
    // Given: a characteristic of 128 bits in which 2A37 stands where the 16-bit UUID would
    var script = PacketScript()
    script.connect()
    script.attribute([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28], isReceived: false)
    script.attribute(
      [0x09, 21, 0x0F, 0, 0x10, 0x10, 0, 0x37, 0x2A] + Array(repeating: 7, count: 14), isReceived: true)
    script.subscribe()
    script.notify([0x06, 0x48])
    // When, Then
    #expect(try absence(script) == .noHeartRateService(records: script.packets.count))
  }

  @Test func testDiscoveryWithoutNotifications_SaysSo() throws {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.subscribe()
    #expect(try absence(script) == .noNotifications)
  }

  // MARK: - Inferred

  @Test(arguments: [0x11, 0x12, 0x13] as [UInt16])
  func testSubscriptionCloseBehind_LetsTheHandleBeInferred(_ configuration: UInt16) throws {
    var script = PacketScript()
    script.connect()
    script.subscribe(configuration)
    for value in PacketScript.values { script.notify(value) }
    #expect(try sources(script) == [.inferred])
  }

  @Test(arguments: [nil, 0x10, 0x14, 0x0F] as [UInt16?])
  func testSubscriptionElsewhereOrNone_LeavesTheHandleUnidentified(_ configuration: UInt16?) throws {
    var script = PacketScript()
    script.connect()
    if let configuration { script.subscribe(configuration) }
    for value in PacketScript.values { script.notify(value) }
    #expect(try absence(script) == .unidentifiedHandles([0x10]))
  }

  @Test func testSubscriptionThatWasRefused_DoesNotCount() throws {
    var script = PacketScript()
    script.connect()
    script.attribute([0x12, 0x11, 0, 1, 0], isReceived: false)
    script.attribute([0x01, 0x12, 0x11, 0, 0x05], isReceived: true)
    script.notify([0x06, 0x48])
    #expect(try absence(script) == .unidentifiedHandles([0x10]))
  }

  @Test func testSwitchingOff_IsNoSubscription() throws {
    var script = PacketScript()
    script.connect()
    script.attribute([0x12, 0x11, 0, 0, 0], isReceived: false)
    script.notify([0x06, 0x48])
    #expect(try absence(script) == .unidentifiedHandles([0x10]))
  }

  @Test func testSubscriptionByCommand_Counts() throws {
    var script = PacketScript()
    script.connect()
    script.attribute([0x52, 0x11, 0, 1, 0], isReceived: false)
    script.notify([0x06, 0x48])
    #expect(try sources(script) == [.inferred])
  }

  /// Cut short, an odd byte behind, a reserved flag, an implausible rate, none at all.
  @Test(arguments: [[0x06], [0x16, 0x48, 0x00], [0x26, 0x48], [0x06, 0x07], [0x07, 0x48, 0x01], []] as [[UInt8]])
  func testOneValueThatDoesNotFit_RefusesTheHandle(_ value: [UInt8]) throws {
    var script = PacketScript()
    script.connect()
    script.subscribe()
    for fitting in PacketScript.values { script.notify(fitting) }
    script.notify(value)
    #expect(try absence(script) == .unidentifiedHandles([0x10]))
  }

  @Test func testSubscriptionOfAnotherNotifyingHandle_IsNotBorrowed() throws {
    // Given: two handles that notify, and only the second was subscribed to
    var script = PacketScript()
    script.connect()
    script.subscribe(0x13)
    script.notify([0x06, 0x48], handle: 0x10)
    script.notify([0x06, 0x50], handle: 0x12)
    // When
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    // Then
    #expect(replayed.plan.straps.first?.links.map(\.handle) == [0x12])
    #expect(replayed.values() == [[0x06, 0x50]])
  }

  @Test func testHandleOfAnotherKnownType_IsNotInferred() throws {
    var script = PacketScript()
    script.connect()
    script.discover(uuid: 0x2A19)
    script.subscribe()
    script.notify([0x06, 0x48])
    #expect(try absence(script) == .noHeartRateService(records: script.packets.count))
  }

  @Test func testLastHandle_IsNotInferredAndDoesNotTrap() throws {
    var script = PacketScript()
    script.connect()
    script.subscribe(.max)
    script.notify([0x06, 0x48], handle: .max)
    #expect(try absence(script) == .unidentifiedHandles([.max]))
  }

  // MARK: - Given

  @Test func testGivenHandle_IsTakenAtItsWord() throws {
    var script = PacketScript()
    script.connect()
    script.notify([0xFF, 0x48])
    script.notify([0x06, 0x49], handle: 0x20)
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script), handle: 0x10)
    #expect(replayed.values() == [[0xFF, 0x48]])
    #expect(replayed.plan.straps.first?.links.map(\.handleSource) == [.given])
  }

  @Test func testGivenHandle_OverridesDiscovery() throws {
    var script = PacketScript.session()
    script.notify([0x06, 0x49], handle: 0x20)
    #expect(try sources(script, handle: 0x20) == [.given])
  }

  @Test func testGivenHandleThatNobodyNotifiesOn_SaysSo() throws {
    #expect(try absence(PacketScript.session(), handle: 0x99) == .noNotifications)
  }

  // MARK: - Other ways to notify

  @Test func testIndicationsAndMultipleNotifications_Count() throws {
    // Given
    var script = PacketScript()
    script.connect()
    script.discover()
    script.attribute([0x1D, 0x10, 0, 0x06, 0x48], isReceived: true)
    script.attribute([0x1E], isReceived: false)
    script.attribute(
      [0x23, 0x10, 0, 2, 0, 0x06, 0x49, 0x20, 0, 1, 0, 87, 0x10, 0, 2, 0, 0x06, 0x4A], isReceived: true)
    script.attribute([0x23, 0x10, 0, 2, 0, 0x06, 0x4B, 0x10, 0, 9, 0, 0x06], isReceived: true)
    // When
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    // Then: what is cut off in the last one is left out
    #expect(replayed.values() == [0x48, 0x49, 0x4A, 0x4B].map { [0x06, $0] })
    #expect(replayed.plan.straps.first?.notifications == 4)
    let entries = replayed.entries[0] ?? []
    #expect(entries.map(\.sequence) == [0, 1, 2, 3])
    #expect(entries[1].monotonic == entries[2].monotonic)
  }

  @Test func testEmptyAndMalformedValues_AreKeptAsTheyAre() throws {
    let values: [[UInt8]] = [[], [0x16], [0x16, 0x48, 0x01], Array(repeating: 0xFF, count: 100)]
    var script = PacketScript()
    script.connect()
    script.discover()
    for value in values { script.notify(value) }
    script.attribute([0x1B, 0x10], isReceived: true)
    #expect(try ReplayedCapture(CaptureWrapping.btsnoop(script)).values() == values)
  }
}
