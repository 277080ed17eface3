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

  @Test func testCharacteristicThatIsNoLongerDeclared_IsNoHeartRate() throws {
    expectRuledOut(try replayed { $0.discoverCharacteristics([0x13: 0x2A37], in: 0x0E...0x15) })
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

  /// The services that an earlier link found say of each handle what it is, also of one that notifies first on a later link.
  @Test func testServicesOfAnEarlierLink_RuleAHandleOut() throws {
    let replayed = try replayed {
      $0.discoverServices([0x0E...0x15: Self.heartRate, 0x20...0x27: Self.battery])
      $0.disconnect()
      $0.connect()
      $0.subscribe(0x23)
      for level: UInt8 in [80, 79, 78] { $0.notify([0, level], handle: 0x22) }
    }
    #expect(replayed.values() == [Self.value, [80], Self.value])
    #expect(replayed.found == 3)
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

  /// As when a whole discovery has no answer in the capture that names it.
  @Test func testDiscoveryThatFindsNoHeartRate_RulesNothingOut() throws {
    expectUsed(
      try replayed {
        $0.discoverServices([0x20...0x27: Self.battery])
        $0.discoverCharacteristics([0x13: 0x2A38], in: 0x0E...0x15)
        $0.discoverServices([:])
        $0.discoverCharacteristics([:], in: 0x0E...0x15)
      })
  }

  /// Of two requests in a row, the answer to the one and the request of the other are lost.
  @Test func testErrorOfAnotherRequest_RulesNothingOut() throws {
    expectUsed(
      try replayed {
        $0.attribute([0x10, 0x01, 0, 0xFF, 0xFF, 0x00, 0x28], isReceived: false)
        $0.attribute([0x01, 0x10, 0x36, 0, 0x0A], isReceived: true)
        $0.attribute([0x08, 0x0E, 0, 0x15, 0, 0x03, 0x28], isReceived: false)
        $0.attribute([0x01, 0x08, 0x12, 0, 0x0A], isReceived: true)
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

  /// A client that was told of changes, or that goes on where it stopped, asks from a handle inside a service on.
  @Test(arguments: [0x10, 0x12] as [UInt8], [nil, 0x180A] as [UInt16?])
  func testServicesAskedFromInsideOne_RuleNothingOut(first: UInt8, other: UInt16?) throws {
    expectUsed(
      try replayed {
        $0.attribute([0x10, first, 0, 0xFF, 0xFF, 0x00, 0x28], isReceived: false)
        if let other {
          $0.attribute([0x11, 6, 0x16, 0, 0xFF, 0xFF] + PacketScript.word(other), isReceived: true)
        } else {
          $0.attribute([0x01, 0x10, first, 0, 0x0A], isReceived: true)
        }
      })
  }

  /// A UUID may be spelled with all its 128 bits.
  @Test func testLongFormsOfShortUUIDs_MeanTheSame() throws {
    let base: [UInt8] = [0xFB, 0x34, 0x9B, 0x5F, 0x80, 0, 0, 0x80, 0, 0x10, 0, 0]
    var script = PacketScript()
    script.connect()
    // When: a service, a characteristic and their descriptors, in long UUIDs
    script.attribute([0x10, 0x01, 0, 0xFF, 0xFF] + base + [0x00, 0x28, 0, 0], isReceived: false)
    script.attribute([0x11, 20, 0x0E, 0, 0xFF, 0xFF] + base + [0x0D, 0x18, 0, 0], isReceived: true)
    script.attribute([0x08, 0x0E, 0, 0xFF, 0xFF] + base + [0x03, 0x28, 0, 0], isReceived: false)
    script.attribute([0x09, 21, 0x0F, 0, 0x10, 0x10, 0] + base + [0x37, 0x2A, 0, 0], isReceived: true)
    script.attribute([0x04, 0x11, 0, 0x13, 0], isReceived: false)
    script.attribute([0x05, 2, 0x12, 0] + base + [0x37, 0x2A, 0, 0], isReceived: true)
    // And: one of a maker that ends alike
    script.attribute([0x04, 0x13, 0, 0x13, 0], isReceived: false)
    script.attribute([0x05, 2, 0x13, 0] + base.reversed() + [0x37, 0x2A, 0, 0], isReceived: true)
    for handle: UInt16 in [0x10, 0x12, 0x13] { script.notify(Self.value, handle: handle) }
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script))
    // Then
    #expect(replayed.found == 2)
    #expect(replayed.plan.straps.flatMap(\.links).map(\.handleSource) == [.discovered, .discovered])
  }
}
