import Capture
import TachogramCore
import TachogramTestKit
import Testing

/// A discovery says of all handles that it went through what they are, also of those that it does not name.
struct RuledOutHandleTests {
  private static let heartRate: UInt16 = 0x180D
  private static let battery: UInt16 = 0x180F
  private static let value: [UInt8] = [0x16, 60, 0, 4]

  /// A strap with its Heart Rate Measurement on 0x10, discovered in whole, and a value of it; then what `body` adds, a battery
  /// level on the same handle, and another heart rate there.
  private func replayed(
    service: UInt16 = heartRate, _ body: (inout PacketScript) -> Void
  ) throws -> ReplayedCapture {
    var script = PacketScript()
    script.connect()
    script.discoverServices([0x0E...0x15: service])
    script.discoverCharacteristics([0x10: 0x2A37], in: 0x0E...0x15)
    script.subscribe()
    script.notify(Self.value)
    body(&script)
    script.notify([80])
    script.notify(Self.value)
    return try ReplayedCapture(CaptureWrapping.btsnoop(script))
  }

  private func expectRuledOut(_ replayed: ReplayedCapture) {
    #expect(replayed.values() == [Self.value])
    #expect(replayed.found == 1)
    #expect(replayed.plan.straps[0].reassigned == [0x10: 2])
  }

  private func expectUsed(_ replayed: ReplayedCapture) {
    #expect(replayed.values() == [Self.value, [80], Self.value])
    #expect(replayed.found == 3)
    #expect(replayed.plan.straps[0].reassigned == [:])
  }

  // MARK: - Ruled out

  @Test func testHandleOutsideAllServices_IsNoHeartRate() throws {
    expectRuledOut(try replayed { $0.discoverServices([0x2E...0x35: Self.heartRate]) })
  }

  @Test func testHandleBehindAllServices_IsNoHeartRate() throws {
    expectRuledOut(try replayed { $0.discoverServices([0x01...0x0D: Self.heartRate]) })
  }

  @Test func testHandleInAnotherService_IsNoHeartRate() throws {
    expectRuledOut(try replayed { $0.discoverServices([0x0E...0x15: Self.battery, 0x20...0x27: Self.heartRate]) })
  }

  @Test func testDeviceWithoutServices_HasNoHeartRate() throws {
    expectRuledOut(try replayed { $0.discoverServices([:]) })
  }

  @Test func testCharacteristicThatIsNoLongerDeclared_IsNoHeartRate() throws {
    expectRuledOut(try replayed { $0.discoverCharacteristics([0x13: 0x2A37], in: 0x0E...0x15) })
  }

  @Test func testServiceWithoutCharacteristics_HasNoHeartRate() throws {
    expectRuledOut(try replayed { $0.discoverCharacteristics([:], in: 0x0E...0x15) })
  }

  @Test func testServiceOfAMaker_IsRuledOutByAnother() throws {
    expectRuledOut(try replayed(service: 0xFEE0) { $0.discoverServices([0x0E...0x15: 0xFEE1]) })
  }

  @Test func testHandleThatIsNamedAgain_IsHeartRateAgain() throws {
    let replayed = try replayed {
      $0.discoverServices([0x2E...0x35: Self.heartRate])
      $0.notify([80])
      $0.discoverServices([0x0E...0x15: Self.heartRate])
      $0.discoverCharacteristics([0x10: 0x2A37], in: 0x0E...0x15)
    }
    #expect(replayed.values() == [Self.value, [80], Self.value])
    #expect(replayed.plan.straps[0].reassigned == [0x10: 1])
  }

  /// A bonded host relies on what the first link learnt, until a discovery on the second finds another service there.
  @Test(arguments: [true, false])
  func testInheritedHandle_IsRuledOutByServices(notifiesBefore: Bool) throws {
    let replayed = try replayed {
      $0.disconnect()
      $0.connect()
      if notifiesBefore { $0.notify(Self.value) }
      $0.discoverServices([0x0E...0x15: Self.battery])
    }
    #expect(replayed.values() == Array(repeating: Self.value, count: notifiesBefore ? 2 : 1))
    #expect(replayed.leftOut().total == 0)
    // A handle that was something else all the time of a link did not become it there.
    #expect(replayed.plan.straps[0].reassigned == (notifiesBefore ? [0x10: 2] : [:]))
  }

  // MARK: - Not ruled out

  @Test func testSameServicesAgain_ChangeNothing() throws {
    expectUsed(
      try replayed {
        $0.discoverServices([0x0E...0x15: Self.heartRate])
        $0.discoverCharacteristics([0x10: 0x2A37], in: 0x0E...0x15)
      })
  }

  @Test func testHeartRateServiceOfAnotherLength_ChangesNothing() throws {
    expectUsed(try replayed { $0.discoverServices([0x0E...0x11: Self.heartRate, 0x12...0x15: Self.battery]) })
  }

  @Test func testServiceOfAMakerThatIsFoundAgain_ChangesNothing() throws {
    expectUsed(try replayed(service: 0xFEE0) { $0.discoverServices([0x0E...0x15: 0xFEE0]) })
  }

  /// A capture may lose answers, and a client may stop when it has what it wants: what an unfinished discovery does not
  /// name may stand further on. Neither says an error anything but Attribute Not Found.
  @Test(arguments: [nil, 0x0E] as [UInt8?])
  func testDiscoveryThatDoesNotEnd_RulesNothingOut(end: UInt8?) throws {
    expectUsed(
      try replayed {
        $0.discoverServices([0x2E...0x35: Self.heartRate], end: end)
        $0.discoverCharacteristics([0x13: 0x2A38], in: 0x0E...0x15, end: end)
      })
  }

  @Test func testDiscoveryWithALostAnswer_RulesNothingOut() throws {
    expectUsed(
      try replayed {
        // Given: the request for 0x01… and its answer are lost
        $0.attribute([0x10, 0x20, 0, 0xFF, 0xFF, 0x00, 0x28], isReceived: false)
        $0.attribute([0x11, 6, 0x2E, 0, 0x35, 0, 0x0D, 0x18], isReceived: true)
        $0.attribute([0x10, 0x36, 0, 0xFF, 0xFF, 0x00, 0x28], isReceived: false)
        $0.attribute([0x01, 0x10, 0x36, 0, 0x0A], isReceived: true)
      })
  }

  @Test func testDiscoveryOfOtherHandles_RulesNothingOut() throws {
    expectUsed(try replayed { $0.discoverCharacteristics([0x22: 0x2A19], in: 0x20...0x27) })
  }

  /// An answer that contradicts its request is none to rely on.
  @Test func testAnswerOutsideItsRequest_RulesNothingOut() throws {
    expectUsed(
      try replayed {
        $0.attribute([0x10, 0x20, 0, 0x30, 0, 0x00, 0x28], isReceived: false)
        $0.attribute([0x11, 6, 0x01, 0, 0xFF, 0xFF, 0x0F, 0x18], isReceived: true)
      })
  }
}
