import Testing

@testable import MQTT

struct FIFOTests {
  @Test(arguments: [1, 2, 63, 64, 65, 200])
  func testElements_LeaveInTheirOrder(burst: Int) {
    var fifo = FIFO<Int>()
    var (next, expected) = (0, 0)
    for round in 0..<20 {
      for _ in 0..<burst {
        fifo.append(next)
        next += 1
      }
      for _ in 0..<(round % 2 == 0 ? burst / 2 : burst) {
        #expect(fifo.first == expected)
        #expect(fifo.popFirst() == expected)
        expected += 1
      }
      #expect(fifo.count == next - expected)
    }
    fifo.filter { $0 % 2 == 0 }
    while let element = fifo.popFirst() { #expect(element % 2 == 0) }
    #expect(fifo.isEmpty)
  }
}
