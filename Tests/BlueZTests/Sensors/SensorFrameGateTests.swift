import GATT
import TachogramCore
import TachogramTestKit
import Testing
import Threads

@testable import BlueZ

@Suite("Gate of measurement frames")
struct SensorFrameGateTests {
  private let events = Guarded<[StrapEvent]>([])
  private let sink: LinkSink
  private let gate: SensorFrameGate

  init() {
    let events = events
    sink = LinkSink(
      StrapEventEmitter(strap: 0, time: ManualTimeSource()) { event in events.withLock { $0.append(event) } }
    ) {}
    gate = SensorFrameGate(sink)
  }

  private var contents: [SensorEntry.Content] { events.withLock { $0 }.sensors() }

  private static let started = SensorEntry.Content.started(request: [2, 2], response: [0xF0, 2, 2, 0])

  /// The response comes by a signal and the frame by a socket.
  @Test func testFrameBeforeTheResponse_FollowsTheStart() {
    gate.hold(.acceleration)
    gate.receive([2, 1])
    gate.receive([2, 2])
    #expect(contents.isEmpty)
    gate.start(.acceleration, request: [2, 2], response: [0xF0, 2, 2, 0])
    gate.receive([2, 3])
    #expect(contents == [Self.started, .frame([2, 1]), .frame([2, 2]), .frame([2, 3])])
  }

  @Test func testHeldFrames_AreLimited() {
    gate.hold(.acceleration)
    for number in 0..<100 { gate.receive([2, UInt8(number)]) }
    gate.start(.acceleration, request: [2, 2], response: [0xF0, 2, 2, 0])
    #expect(contents == [Self.started] + (0..<64).map { .frame([2, $0]) })
  }

  @Test func testFramesOfOtherStreams_AreDiscarded() {
    gate.receive([2, 1])
    gate.hold(.ecg)
    gate.receive([0, 2])
    gate.discard(.ecg)
    gate.start(.acceleration, request: [2, 2], response: [0xF0, 2, 2, 0])
    gate.receive([0, 3])
    gate.receive([])
    gate.receive([2, 4])
    #expect(contents == [Self.started, .frame([2, 4])])
  }

  @Test func testClosedSink_ReceivesNothing() {
    gate.start(.acceleration, request: [2, 2], response: [0xF0, 2, 2, 0])
    sink.close()
    gate.receive([2, 1])
    #expect(contents == [Self.started])
  }

  @Test func testFrames_AreNoSignOfAHeartRate() {
    gate.start(.acceleration, request: [2, 2], response: [0xF0, 2, 2, 0])
    gate.receive([2, 1])
    #expect(sink.heard == nil)
  }
}
