import Testing

@testable import BluetoothKernel

struct ConnectionParametersTests {
  @Test(
    arguments: [
      (6...6, 0, 10, true), (250...400, 0, 600, true), (24...40, 0, 42, true), (6...3200, 0, 1000, true),
      (6...3200, 0, 3200, true), (40...56, 499, 3200, false), (5...40, 0, 42, false), (6...3201, 0, 3200, false),
      (6...40, 500, 3200, false), (6...40, 0, 9, false), (6...40, 0, 3201, false),
      // The timeout must be longer than twice the interval: 40 × 1.25 ms × 2 = 100 ms.
      (40...40, 0, 10, false), (40...40, 0, 11, true), (6...3200, 0, 800, false), (6...3200, 0, 801, true),
    ] as [(ClosedRange<UInt16>, UInt16, UInt16, Bool)])
  func testParameters_AreThoseOfTheSpecification(
    _ intervals: ClosedRange<UInt16>, _ latency: UInt16, _ timeout: UInt16, _ isAllowed: Bool,
  ) {
    let parameters = ConnectionParameters(intervals: intervals, latency: latency, supervisionTimeout: timeout)
    #expect((parameters != nil) == isAllowed)
  }
}
