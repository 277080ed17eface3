import Outlets
import TachogramContracts
import TachogramCore
import Testing

@Suite("Outlet mailbox")
struct OutletMailboxTests {
  @Test func testLastReadingOfEachStrap_IsDelivered() async {
    let mailbox = OutletMailbox()
    for number in 60..<70 { mailbox.put(OutletContract.reading(strap: number % 2, heartRate: number)) }
    let delivery = await mailbox.next()
    #expect(delivery?.readings.map(\.heartRate) == [68, 69])
    #expect(delivery?.beats.isEmpty == true && delivery?.droppedBeats == 0)
  }

  @Test func testBeats_AreDeliveredOnce_InTheirOrder() async {
    let mailbox = OutletMailbox(capacity: 100)
    mailbox.put(OutletContract.beats(from: 0, count: 60))
    mailbox.put(OutletContract.beats(from: 60, count: 30))
    #expect(await mailbox.next()?.beats.map(\.sequence) == Array(0..<90))
    mailbox.put(OutletContract.beats(from: 90, count: 1))
    #expect(await mailbox.next()?.beats.map(\.sequence) == [90])
  }

  /// The last beats are kept, in batches of any size, and the missing ones are counted once.
  @Test(arguments: [1, 7, 100, 250])
  func testMoreBeatsThanFit_AreDroppedAndCounted(size: Int64) async {
    let mailbox = OutletMailbox(capacity: 100)
    let total = size * 40
    for place in 0..<40 { mailbox.put(OutletContract.beats(from: Int64(place) * size, count: size)) }
    let kept = min(total, 100)
    #expect(mailbox.droppedBeats == Int(total - kept))
    let delivery = await mailbox.next()
    #expect(delivery?.beats.map(\.sequence) == Array((total - kept)..<total))
    #expect(delivery?.droppedBeats == Int(total - kept))
    mailbox.put(OutletContract.beats(from: total, count: 1))
    let next = await mailbox.next()
    #expect(next?.beats.count == 1 && next?.droppedBeats == 0)
  }

  @Test func testMailboxWithoutBeats_KeepsNone() async {
    let mailbox = OutletMailbox(wantsBeats: false)
    mailbox.put(OutletContract.beats(from: 0, count: 10))
    mailbox.put(OutletContract.reading(heartRate: 60))
    let delivery = await mailbox.next()
    #expect(delivery?.beats.isEmpty == true && delivery?.readings.count == 1)
  }

  @Test func testForgottenStrap_LeavesNothing() async {
    let mailbox = OutletMailbox()
    for strap in 0..<2 {
      mailbox.put(OutletContract.reading(strap: strap, heartRate: 60))
      mailbox.put(OutletContract.beats(strap: strap, from: 0, count: 3))
    }
    mailbox.forget(OutletContract.reading(strap: 0, heartRate: 61))
    let delivery = await mailbox.next()
    #expect(delivery?.readings.map(\.strap) == [1] && delivery?.forgotten.map(\.strap) == [0])
    #expect(delivery?.beats.map(\.strap) == [1, 1, 1])
  }

  @Test func testReader_WaitsForNews_AndForTheEnd() async {
    let mailbox = OutletMailbox()
    let reading = Task { () -> [Int?] in
      var rates: [Int?] = []
      while let delivery = await mailbox.next() { rates += delivery.readings.map(\.heartRate) }
      return rates
    }
    for number in 60..<160 {
      mailbox.put(OutletContract.reading(heartRate: number))
      await Task.yield()
    }
    mailbox.finish()
    mailbox.put(OutletContract.reading(heartRate: 200))
    let rates = await reading.value
    #expect(rates.last == 159 && rates == rates.sorted { ($0 ?? 0) < ($1 ?? 0) })
  }
}
