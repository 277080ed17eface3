import Capture
import TachogramCore
import TachogramTestKit
import Testing

/// What a handle means holds for a time on a link.
struct HandleMeaningTests {
  private static let battery: UInt16 = 0x2A19
  private static let other: [UInt8] = [0x02, 0x00, 0x00, 0xEE, 0xFF, 0xC0]

  private static func value(_ index: Int) -> [UInt8] { [0x16, UInt8(60 + index), 0, 4] }

  private func replayed(_ body: (inout PacketScript) -> Void) throws -> ReplayedCapture {
    var script = PacketScript()
    body(&script)
    return try ReplayedCapture(CaptureWrapping.btsnoop(script))
  }

  /// The rates of the values of a strap, less 60.
  private func indices(_ replayed: ReplayedCapture, _ strap: Int = 0) -> [Int] {
    replayed.values(strap).map { Int($0[1]) - 60 }
  }

  // MARK: - On one link

  @Test func testHandleDiscoveredAsSomethingElse_IsHeartRateUntilThen() throws {
    let replayed = try replayed {
      $0.connect()
      $0.discover()
      $0.notify(Self.value(0))
      $0.discover(uuid: Self.battery)
      $0.notify([80])
      $0.notify(Self.value(1))
    }
    #expect(indices(replayed) == [0])
    #expect(replayed.found == 1)
    #expect(replayed.plan.straps[0].reassigned == [0x10: 2])
  }

  @Test func testHeartRateThatMovesToAnotherHandle_IsFollowed() throws {
    let replayed = try replayed {
      $0.connect()
      $0.discover()
      $0.notify(Self.value(0))
      $0.discover(uuid: Self.battery)
      $0.discover(0x30)
      $0.notify(Self.value(1), handle: 0x30)
      $0.notify([80])
    }
    #expect(indices(replayed) == [0, 1])
    #expect(replayed.plan.straps[0].links.map(\.handle) == [0x10, 0x30])
    #expect(replayed.entries[0]?.map(\.link) == [0, 1])
  }

  @Test func testHandleThatBecomesHeartRateAgain_IsUsedOnTheSameLink() throws {
    let replayed = try replayed { script in
      script.connect()
      for round in 0..<3 {
        script.discover()
        script.notify(Self.value(round))
        script.discover(uuid: Self.battery)
        script.notify([80])
      }
    }
    #expect(indices(replayed) == [0, 1, 2])
    #expect(replayed.plan.straps[0].links.count == 1)
  }

  /// Every record changes what the handle means: nothing grows without a bound, and all is accounted for.
  @Test func testMeaningThatChangesWithoutEnd_IsAccountedFor() throws {
    let rounds = 4_500
    var script = PacketScript()
    script.connect()
    for round in 0..<rounds {
      script.discover(uuid: round % 2 == 0 ? 0x2A37 : Self.battery)
      script.notify([0x06, 0x48])
    }
    // When: without the drafts in small pieces of `ReplayedCapture`
    let strap = try MemoryFile.withPath(CaptureWrapping.btsnoop(script)) { path in
      let replay = CaptureReplay(path: path)
      let plan = try replay.plan()
      var count = 0
      try replay.forEachEntry(plan) { _, _ in count += 1 }
      #expect(plan.straps.first?.notifications == count)
      return try #require(plan.straps.first)
    }
    // Then: every other one is heart rate as long as the changes are followed, and nobody knows behind that
    #expect(strap.notifications == 2_049)
    #expect(strap.reassigned == [0x10: 2_048])
    #expect(strap.leftOut[.handleChangedMeaning] == rounds - 4_097)
  }

  /// Services that change without end are followed for some hundred times; behind that nobody knows what a handle means.
  @Test func testServicesThatChangeWithoutEnd_AreAccountedFor() throws {
    let rounds = 600
    var script = PacketScript()
    script.connect()
    for _ in 0..<rounds {
      script.discover()
      script.notify([0x06, 0x48])
      script.changeServices()
    }
    script.notify([0x06, 0x48], handle: 0x30)
    try MemoryFile.withPath(CaptureWrapping.btsnoop(script)) { path in
      let strap = try #require(try CaptureReplay(path: path).plan().straps.first)
      #expect(strap.notifications == 513)
      #expect(strap.leftOut[.handleChangedMeaning] == rounds - 513)
      #expect(strap.leftOut[.unidentifiedHandle] == 1)
    }
  }

  // MARK: - Service Changed

  @Test func testServiceChanged_EndsTheMeaningUntilTheNextDiscovery() throws {
    // Given: what is notified between the two has no meaning that anybody said, and what follows contradicts
    let replayed = try replayed {
      $0.connect()
      $0.discover()
      $0.discoverServiceChanged()
      $0.subscribe()
      $0.notify(Self.value(0))
      $0.changeServices()
      $0.notify(Self.value(1))
      $0.discover(uuid: Self.battery)
      $0.notify([80])
      $0.discover(0x30)
      $0.notify(Self.value(2), handle: 0x30)
    }
    #expect(indices(replayed) == [0, 2])
    #expect(replayed.leftOut()[.handleChangedMeaning] == 1)
    #expect(replayed.found == 3)
  }

  @Test func testServiceChangedWithTheSameDiscovery_ChangesNothing() throws {
    let replayed = try replayed {
      $0.connect()
      $0.discover()
      $0.discoverServiceChanged()
      for index in 0..<2 { $0.notify(Self.value(index)) }
      $0.changeServices()
      for index in 2..<4 { $0.notify(Self.value(index)) }
      $0.discover()
      for index in 4..<6 { $0.notify(Self.value(index)) }
    }
    #expect(indices(replayed) == [0, 1, 2, 3, 4, 5])
    #expect(replayed.plan.straps[0].links.map(\.handleSource) == [.discovered])
  }

  @Test(arguments: [0x01...0x0F, 0x11...0xFFFF] as [ClosedRange<UInt16>])
  func testServiceChangedOfOtherHandles_ChangesNothing(_ handles: ClosedRange<UInt16>) throws {
    let replayed = try replayed {
      $0.connect()
      $0.discover()
      $0.discoverServiceChanged()
      $0.changeServices(handles)
      $0.notify([0x06])
    }
    #expect(replayed.values() == [[0x06]])
  }

  /// Neither a value that is too short nor a range that runs backwards is a change of services.
  @Test(arguments: [[0x01, 0x00, 0xFF], [0x20, 0x00, 0x01, 0x00], [0x00, 0x00, 0xFF, 0xFF]] as [[UInt8]])
  func testIndicationThatIsNoRange_ChangesNothing(_ value: [UInt8]) throws {
    let replayed = try replayed {
      $0.connect()
      $0.discover()
      $0.discoverServiceChanged()
      $0.attribute([0x1D, 0x03, 0x00] + value, isReceived: true)
      $0.notify([0x06])
    }
    #expect(replayed.values() == [[0x06]])
  }

  @Test func testServiceChanged_EndsWhatLaterLinksWouldInherit() throws {
    // Given: on the second link a bonded host relies on what it knows, on the third no longer
    let replayed = try replayed {
      $0.connect()
      $0.discover()
      $0.discoverServiceChanged()
      $0.notify(Self.value(0))
      $0.disconnect()
      $0.connect()
      $0.notify(Self.value(1))
      $0.changeServices()
      $0.disconnect()
      $0.connect()
      $0.notify(Self.value(2))
      $0.disconnect()
    }
    #expect(indices(replayed) == [0, 1])
    #expect(replayed.plan.straps[0].links.map(\.handleSource) == [.discovered, .inherited])
    #expect(replayed.leftOut()[.handleChangedMeaning] == 1)
  }

  @Test func testServiceChangedOfAnotherDevice_ChangesNothing() throws {
    let replayed = try replayed {
      $0.connect()
      $0.discover()
      $0.notify(Self.value(0))
      $0.disconnect()
      $0.connect(Self.other)
      $0.discoverServiceChanged()
      $0.changeServices()
      $0.disconnect()
      $0.connect()
      $0.notify(Self.value(1))
    }
    #expect(indices(replayed) == [0, 1])
  }

  // MARK: - Between links

  @Test func testLaterLinkThatContradicts_LeavesTheEarlierOneToItsSubscription() throws {
    let replayed = try replayed {
      $0.connect()
      $0.subscribe()
      $0.notify(Self.value(0))
      $0.disconnect()
      $0.connect()
      $0.discover(uuid: Self.battery)
      $0.discover(0x30)
      $0.notify(Self.value(1), handle: 0x30)
    }
    #expect(indices(replayed) == [0, 1])
    #expect(replayed.plan.straps[0].links.map(\.handleSource) == [.inferred, .discovered])
  }

  @Test func testLinkWithoutAnyWordOnIt_IsNotWhatALaterLinkSaysAfterAContradiction() throws {
    // Given: never switched on, something else on the second link, heart rate on the third
    let replayed = try replayed {
      $0.connect()
      $0.notify(Self.value(0))
      $0.disconnect()
      $0.connect()
      $0.discover(uuid: Self.battery)
      $0.disconnect()
      $0.connect()
      $0.discover()
      $0.notify(Self.value(1))
    }
    #expect(indices(replayed) == [1])
    #expect(replayed.leftOut()[.beforeDiscovery] == 1)
  }

  @Test(arguments: [true, false])
  func testInheritedMeaningThatItsLinkContradicts_HoldsForValuesThatFit(fits: Bool) throws {
    // Given: the second link begins on what the first one learnt, and discovers something else
    let replayed = try replayed {
      $0.connect()
      $0.discover()
      $0.notify(Self.value(0))
      $0.disconnect()
      $0.connect()
      $0.notify(fits ? Self.value(1) : [80])
      $0.discover(uuid: Self.battery)
      $0.notify([80])
    }
    #expect(indices(replayed) == (fits ? [0, 1] : [0]))
    #expect(replayed.leftOut()[.handleChangedMeaning] == (fits ? 0 : 1))
  }

  @Test func testHandleOfSomethingElse_IsNotHeartRateOnALaterLink() throws {
    let replayed = try replayed {
      $0.connect()
      $0.discover(uuid: Self.battery)
      $0.discover(0x30)
      $0.notify(Self.value(0), handle: 0x30)
      $0.disconnect()
      $0.connect()
      $0.subscribe()
      $0.notify(Self.value(1))
      $0.notify(Self.value(2), handle: 0x30)
    }
    #expect(indices(replayed) == [0, 2])
    #expect(replayed.found == 2)
  }

  @Test func testGivenHandle_OverridesAllThatIsSaid() throws {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.discoverServiceChanged()
    script.notify(Self.value(0))
    script.changeServices()
    script.notify(Self.value(1))
    script.discover(uuid: Self.battery)
    script.notify(Self.value(2))
    let replayed = try ReplayedCapture(CaptureWrapping.btsnoop(script), handle: 0x10)
    #expect(indices(replayed) == [0, 1, 2])
    #expect(replayed.plan.straps[0].links.map(\.handleSource) == [.given])
    #expect(replayed.leftOut().total == 0)
  }

  /// A bonded host never discovers Service Changed; an indication of all handles is one all the same.
  @Test func testIndicationOfAllHandles_NeedsNoDiscovery() throws {
    let replayed = try replayed {
      $0.connect()
      $0.discover()
      $0.notify(Self.value(0))
      $0.changeServices()
      $0.notify(Self.value(1))
      $0.discover(uuid: Self.battery)
    }
    #expect(indices(replayed) == [0])
    #expect(replayed.leftOut()[.handleChangedMeaning] == 1)
  }

  // MARK: - What could be heart rate

  @Test func testHandleOfAStrapThatNothingNames_IsLeftOutWithTheReason() throws {
    // Given: a bonded host, which neither discovers nor switches on, and a later link with heart rate elsewhere
    let replayed = try replayed { script in
      script.connect()
      for index in 0..<5 { script.notify(Self.value(index)) }
      script.notify([0xFF], handle: 0x20)
      script.disconnect()
      script.connect()
      script.discover(0x30)
      script.notify(Self.value(5), handle: 0x30)
    }
    #expect(indices(replayed) == [5])
    #expect(replayed.leftOut()[.unidentifiedHandle] == 5)
    #expect(replayed.found == 6)
    #expect(replayed.plan.unidentifiedHandles.map(\.handle) == [0x10])
  }

  @Test func testHandleThatNothingNames_IsReportedWhereItsValuesFit() throws {
    let replayed = try replayed { script in
      script.connect()
      script.discover()
      script.notify(Self.value(0))
      script.connection = 0x41
      script.connect(Self.other)
      for index in 0..<3 { script.notify(Self.value(index), handle: 0x22) }
      for _ in 0..<3 { script.notify([0xFF], handle: 0x33) }
    }
    #expect(replayed.plan.unidentifiedHandles.map(\.handle) == [0x22])
    #expect(replayed.plan.unidentifiedHandles.map(\.notifications) == [3])
    #expect(replayed.found == 1)
  }
}
