import Testing

@testable import BluetoothKernel

struct HeartRateEvidenceTests {
  private static let base: [UInt8] = [0xFB, 0x34, 0x9B, 0x5F, 0x80, 0x00, 0x00, 0x80, 0x00, 0x10, 0x00, 0x00]

  private func isFound(sent: [UInt8] = [], received: [UInt8], times: Int = 1) -> Bool {
    var evidence = HeartRateEvidence()
    evidence.sent(sent[...])
    for _ in 0..<times { evidence.received(received[...]) }
    return evidence.isFound
  }

  @Test func testServicesByGroup_WithHeartRate_AreEvidence() {
    #expect(isFound(received: [0x11, 6, 1, 0, 5, 0, 0x00, 0x18, 6, 0, 9, 0, 0x0D, 0x18]))
    #expect(isFound(received: [0x11, 20, 1, 0, 5, 0] + Self.base + [0x0D, 0x18, 0, 0]))
    #expect(!isFound(received: [0x11, 6, 1, 0, 5, 0, 0x0F, 0x18]))
    #expect(!isFound(received: [0x11, 6, 1, 0, 0x0D, 0x18, 0x0F, 0x18]))
    #expect(!isFound(received: [0x11, 6, 1, 0, 5, 0, 0x0D]))
    #expect(!isFound(received: [0x11, 0, 1, 0, 5, 0, 0x0D, 0x18]))
  }

  @Test func testServiceByUUID_IsEvidenceWhenHeartRateWasAskedFor() {
    let answer: [UInt8] = [0x07, 6, 0, 9, 0]
    #expect(isFound(sent: [0x06, 1, 0, 0xFF, 0xFF, 0x00, 0x28, 0x0D, 0x18], received: answer))
    #expect(isFound(sent: [0x06, 1, 0, 0xFF, 0xFF, 0x00, 0x28] + Self.base + [0x0D, 0x18, 0, 0], received: answer))
    #expect(!isFound(sent: [0x06, 1, 0, 0xFF, 0xFF, 0x00, 0x28, 0x0F, 0x18], received: answer))
    #expect(!isFound(sent: [0x06, 1, 0], received: answer))
    #expect(!isFound(received: answer))
  }

  @Test func testCharacteristic_IsEvidenceWhenCharacteristicsWereAskedFor() {
    let asked: [UInt8] = [0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28]
    #expect(isFound(sent: asked, received: [0x09, 7, 7, 0, 0x10, 8, 0, 0x37, 0x2A]))
    #expect(isFound(sent: asked, received: [0x09, 21, 7, 0, 0x10, 8, 0] + Self.base + [0x37, 0x2A, 0, 0]))
    #expect(!isFound(sent: asked, received: [0x09, 7, 7, 0, 0x10, 8, 0, 0x38, 0x2A]))
    #expect(!isFound(received: [0x09, 7, 7, 0, 0x10, 8, 0, 0x37, 0x2A]))
  }

  @Test func testAttributeList_WithTheMeasurement_IsEvidence() {
    #expect(isFound(received: [0x05, 1, 7, 0, 0x03, 0x28, 8, 0, 0x37, 0x2A]))
    #expect(isFound(received: [0x05, 2, 8, 0] + Self.base + [0x37, 0x2A, 0, 0]))
    #expect(!isFound(received: [0x05, 1, 0x37, 0x2A, 0x02, 0x29]))
    #expect(!isFound(received: [0x05]))
  }

  @Test(
    arguments: [
      // RR fits; the same with 16-bit rate and energy; two intervals; too few of them; no RR; RR of another rate;
      // reserved flags; half an interval; a battery level; a mouse.
      ([0x10, 60, 0, 4], 4, true), ([0x19, 60, 0, 1, 0, 0, 4], 4, true), ([0x10, 60, 0, 4, 0, 5], 4, true),
      ([0x10, 60, 0, 4], 3, false), ([0x00, 60], 9, false), ([0x10, 60, 0, 1], 9, false), ([0x30, 60, 0, 4], 9, false),
      ([0x10, 60, 0], 9, false), ([0x64], 9, false), ([0x10, 0xFE, 0x01, 0x00], 9, false), ([], 9, false),
    ] as [([UInt8], Int, Bool)])
  func testValues_AreEvidenceWhenIntervalsFitTheRate(_ value: [UInt8], _ times: Int, _ isEvidence: Bool) {
    #expect(isFound(received: [0x1B, 0x10, 0] + value, times: times) == isEvidence)
  }

  @Test func testOneValueThatDoesNotFit_StartsAnew() {
    var evidence = HeartRateEvidence()
    for value in [[0x10, 60, 0, 4], [0x10, 60, 0, 4], [0x10, 60, 0, 4], [9], [0x10, 60, 0, 4]] as [[UInt8]] {
      evidence.received(([0x1B, 0x10, 0] + value)[...])
    }
    #expect(!evidence.isFound)
  }
}
