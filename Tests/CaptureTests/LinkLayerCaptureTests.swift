import Capture
import TachogramCore
import TachogramTestKit
import Testing

struct LinkLayerCaptureTests {
  @Test(arguments: SnifferVariant.allCases)
  func testSession_GivesValuesAddressNameAndEnd(_ sniffer: SnifferVariant) throws {
    // Given
    let link = AirLink.session()
    // When
    for file in [sniffer.capture(link), sniffer.captureNG(link)] {
      let replayed = try ReplayedCapture(file)
      // Then
      #expect(replayed.values() == PacketScript.values)
      #expect(replayed.linkEnds() == [0x08])
      #expect(replayed.addresses == ["C0:FF:EE:00:00:01"])
      #expect(replayed.plan.straps.first?.identity.address.kind == .random)
      #expect(replayed.plan.straps.first?.links.map(\.handleSource) == [.discovered])
      #expect(replayed.name() == "Strap")
      #expect(replayed.summary.records == link.heard.count)
      #expect(replayed.summary.damaged == 0)
      #expect(replayed.summary.malformedPackets == 0)
    }
  }

  // MARK: - Retransmissions

  @Test(arguments: SnifferVariant.allCases, 1...3)
  func testRetransmissions_AreNotDoubled(_ sniffer: SnifferVariant, losses: Int) throws {
    // Given: equal values, each lost and sent again
    var link = AirLink()
    link.connect()
    link.exchange([0x08, 0x01, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 7, 0x0F, 0, 0x10, 0x10, 0, 0x37, 0x2A])
    for _ in 0..<4 { link.notify([0x06, 0x48], losses: losses) }
    // When
    let replayed = try ReplayedCapture(sniffer.capture(link))
    // Then
    #expect(replayed.values() == Array(repeating: [0x06, 0x48], count: 4))
  }

  @Test(arguments: SnifferVariant.allCases)
  func testEqualNotifications_AreKept(_ sniffer: SnifferVariant) throws {
    // Given: in every event one, so that nothing without data stands between them
    var link = AirLink()
    link.connect()
    link.exchange([0x08, 0x01, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 7, 0x0F, 0, 0x10, 0x10, 0, 0x37, 0x2A])
    for _ in 0..<20 { link.send([5, 0, 4, 0, 0x1B, 0x10, 0, 0x06, 0x48], fromCentral: false) }
    link.flush()
    // When
    let replayed = try ReplayedCapture(sniffer.capture(link))
    // Then
    #expect(replayed.values().count == 20)
  }

  @Test(arguments: SnifferVariant.allCases)
  func testNumberUsedAgainAfterUnheardPackets_IsNoRetransmission(_ sniffer: SnifferVariant) throws {
    // Given: what comes between two equal values with the same number is heard of the central only
    var link = AirLink()
    link.connect()
    link.exchange([0x08, 0x01, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 7, 0x0F, 0, 0x10, 0x10, 0, 0x37, 0x2A])
    let notification: [UInt8] = [5, 0, 4, 0, 0x1B, 0x10, 0, 0x06, 0x48]
    link.send(notification, fromCentral: false)
    link.event()
    link.event(sniffsPeripheral: false)
    link.send(notification, fromCentral: false)
    link.event()
    link.flush()
    // When
    let replayed = try ReplayedCapture(sniffer.capture(link))
    // Then
    #expect(replayed.values().count == 2)
  }

  @Test(arguments: SnifferVariant.allCases)
  func testRepetitionOfAnAcknowledgedPacket_IsNotDoubled(_ sniffer: SnifferVariant) throws {
    // Given: the peripheral misses the acknowledgement, which the sniffer hears, and sends again
    var link = AirLink()
    link.connect()
    link.exchange([0x08, 0x01, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 7, 0x0F, 0, 0x10, 0x10, 0, 0x37, 0x2A])
    link.send([5, 0, 4, 0, 0x1B, 0x10, 0, 0x06, 0x48], fromCentral: false)
    link.event()
    link.event(isCentralHeard: false)
    link.flush()
    // When
    let replayed = try ReplayedCapture(sniffer.capture(link))
    // Then
    #expect(replayed.values().count == 1)
  }

  @Test(arguments: SnifferVariant.allCases, [1, 2, 3, 4, 5, 7, 11, 26, 27])
  func testFragmentsOnTheAir_AreJoined(_ sniffer: SnifferVariant, size: Int) throws {
    // Given
    let values = [Array(0x10...0x40), Array(0x10...0x40), [0x06, 0x48]].map { [0x06] + $0 } as [[UInt8]]
    var link = AirLink()
    link.connect()
    link.exchange([0x08, 0x01, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 7, 0x0F, 0, 0x10, 0x10, 0, 0x37, 0x2A])
    for value in values { link.notify(value, fragment: size, losses: 1) }
    // When
    let replayed = try ReplayedCapture(sniffer.capture(link))
    // Then
    #expect(replayed.values() == values)
  }

  // MARK: - What cannot be read

  @Test(arguments: SnifferVariant.checked)
  func testPacketsReceivedWithErrors_AreCountedAndLeftOut(_ sniffer: SnifferVariant) throws {
    // Given
    var link = AirLink.session()
    link.connect()
    for _ in 0..<3 {
      link.hear(
        link.accessAddress + [0x02, 9, 5, 0, 4, 0, 0x1B, 0x10, 0, 0x06, 0xFF], isCentral: false, isCorrupt: true)
    }
    // When
    let replayed = try ReplayedCapture(sniffer.capture(link))
    // Then
    #expect(replayed.summary.corruptPackets == 3)
    #expect(replayed.values() == PacketScript.values)
  }

  @Test(arguments: SnifferVariant.allCases)
  func testEncryptionStart_MakesTheRestUnreadable(_ sniffer: SnifferVariant) throws {
    // Given: a link that is encrypted after discovery
    var link = AirLink()
    link.connect()
    link.exchange([0x08, 0x01, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 7, 0x0F, 0, 0x10, 0x10, 0, 0x37, 0x2A])
    link.notify([0x06, 0x48])
    link.control([0x05])
    link.isEncrypted = true
    for value in PacketScript.values { link.notify(value) }
    // When
    let replayed = try ReplayedCapture(sniffer.capture(link))
    // Then
    #expect(replayed.values() == [[0x06, 0x48]])
    #expect(replayed.summary.encryptedPackets == 3)
  }

  @Test(arguments: SnifferVariant.allCases)
  func testEncryptedFromTheStart_IsTheReasonForNoHeartRate(_ sniffer: SnifferVariant) throws {
    var link = AirLink()
    link.connect()
    link.control([0x05])
    link.isEncrypted = true
    for value in PacketScript.values { link.notify(value) }
    #expect(try ReplayedCapture.absence(sniffer.capture(link)) == .encrypted(packets: 3))
  }

  @Test(arguments: SnifferVariant.checked)
  func testEncryptedPacketsThatTheSnifferDecrypted_AreRead(_ sniffer: SnifferVariant) throws {
    var link = AirLink()
    link.connect()
    link.exchange([0x08, 0x01, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 7, 0x0F, 0, 0x10, 0x10, 0, 0x37, 0x2A])
    link.control([0x05])
    link.isEncrypted = true
    for value in PacketScript.values { link.notify(value) }
    let replayed = try ReplayedCapture(sniffer.capture(link, isDecrypted: true))
    #expect(replayed.values() == PacketScript.values)
    #expect(replayed.summary.encryptedPackets == 0)
  }

  @Test(arguments: [SnifferVariant.nordic1, .nordic2, .nordic3])
  func testEncryptedPacketsOfALinkThatBeganUnheard_AreCounted(_ sniffer: SnifferVariant) throws {
    var link = AirLink()
    link.isEncrypted = true
    for value in PacketScript.values { link.notify(value) }
    #expect(try ReplayedCapture.absence(sniffer.capture(link)) == .encrypted(packets: 3))
  }

  // MARK: - Links

  @Test(arguments: SnifferVariant.allCases)
  func testLinkThatBeganUnheard_IsReadFromDiscoveryOn(_ sniffer: SnifferVariant) throws {
    var link = AirLink()
    link.exchange([0x08, 0x01, 0, 0xFF, 0xFF, 0x03, 0x28], [0x09, 7, 0x0F, 0, 0x10, 0x10, 0, 0x37, 0x2A])
    for value in PacketScript.values { link.notify(value) }
    let replayed = try ReplayedCapture(sniffer.capture(link))
    #expect(replayed.values() == PacketScript.values)
    #expect(replayed.addresses == [BluetoothAddress.unknown.description])
  }

  @Test(arguments: SnifferVariant.allCases)
  func testReconnection_IsASecondLinkWithInheritedHandle(_ sniffer: SnifferVariant) throws {
    // Given
    var link = AirLink.session()
    link.accessAddress = [0x5A, 0x65, 0x7D, 0x51]
    link.connect()
    for value in PacketScript.values { link.notify(value) }
    // When
    let replayed = try ReplayedCapture(sniffer.capture(link))
    // Then
    #expect(replayed.plan.straps.map { $0.links.map(\.handleSource) } == [[.discovered, .inherited]])
    #expect(replayed.values() == PacketScript.values + PacketScript.values)
    #expect(replayed.entries[0]?.map(\.link) == [0, 0, 0, 0, 1, 1, 1])
  }

  @Test(arguments: SnifferVariant.allCases)
  func testNoise_MakesNoLinks(_ sniffer: SnifferVariant) throws {
    // Given: packets of access addresses that nobody has
    var link = AirLink.session()
    for byte in UInt8(1)...200 {
      link.hear([byte, byte &* 3, byte &* 5, 0x77, byte & 0x1F, 4, byte, 0x1B, byte &* 7, 9], isCentral: false)
    }
    // When
    let replayed = try ReplayedCapture(sniffer.capture(link))
    // Then
    #expect(replayed.values() == PacketScript.values)
    #expect(replayed.plan.straps.count == 1)
  }
}
