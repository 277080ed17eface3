import HRV
import TachogramCore
import Testing

struct NNIntervalTests {
  @Test func testEveryTickCount_IsExact() {
    let inexact = (UInt16.min...UInt16.max).filter { ticks in
      let nn = NNInterval(RRInterval(ticks: ticks))
      let isExact = Double(nn.fixedPoint) == Double(ticks) * 1000 / 1024 * 0x1p32
      return !isExact || nn != NNInterval(milliseconds: nn.milliseconds)
    }
    #expect(inexact.isEmpty)
  }

  @Test(
    arguments: [
      (0, 0), (-0.0, 0), (-1, 0), (-.infinity, 0), (.nan, 0), (.signalingNaN, 0), (.leastNonzeroMagnitude, 0),
      (1, 1 << 32), (0x1p-32, 1), (0x1p-33, 1), (0x1p-34, 0), (131_072, 1 << 49), (131_072.000_001, 1 << 49),
      (.greatestFiniteMagnitude, 1 << 49), (.infinity, 1 << 49),
    ] as [(Double, Int64)])
  func testAnyNumber_BecomesTheNearestInterval(milliseconds: Double, fixedPoint: Int64) {
    let nn = NNInterval(milliseconds: milliseconds)
    #expect(nn.fixedPoint == fixedPoint)
    #expect((0...NNInterval.maximumMilliseconds).contains(nn.milliseconds))
  }
}
