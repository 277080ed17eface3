import Testing

@testable import BluetoothKernel

struct MonitorChannelTests {
  @Test func testFrames_AreThoseThatAreThere() throws {
    // Given
    let kernel = try KernelEnd()
    var channel = MonitorChannel(HCISocket(owning: kernel.program))
    kernel.send([3, 0, 0, 0, 2, 0, 0x0E, 0x00])
    kernel.send([3, 0, 0])
    kernel.send([5, 0, 1, 0, 9, 0, 1])
    kernel.send([9, 0, 1, 0, 0, 0])
    // When
    let frames = try channel.frames(waitingUpTo: 1000)
    // Then
    #expect(frames.map(\.kind) == [.event, .adapterClosed])
    #expect(frames.map(\.adapter) == [0, 1])
    #expect(frames.map(\.bytes) == [[0x0E, 0x00], []])
    #expect(frames.allSatisfy { $0.time > 1_500_000_000_000_000 })
    #expect(channel.malformed == 2)
    #expect(try channel.frames(waitingUpTo: 0).isEmpty)
  }

  @Test func testEndOfSocket_IsAnError() throws {
    // Given
    let kernel = try KernelEnd()
    var channel = MonitorChannel(HCISocket(owning: kernel.program))
    kernel.send([9, 0, 1, 0, 0, 0])
    kernel.end()
    // When, Then
    #expect(try channel.frames(waitingUpTo: 1000).count == 1)
    do {
      _ = try channel.frames(waitingUpTo: 1000)
      Issue.record("the end went unnoticed")
    } catch {
      #expect(error == .failed(call: "recvmsg", errno: 32))
    }
  }
}
