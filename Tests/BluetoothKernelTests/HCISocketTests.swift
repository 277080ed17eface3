import Glibc
import Testing

@testable import BluetoothKernel

struct HCISocketTests {
  @Test func testOpen_WithoutBluetooth_FailsAtOnce() throws {
    // Given: most machines that build have no Bluetooth; on one that has, there is nothing to see here
    let probe = socket(31, Int32(SOCK_RAW.rawValue), 1)
    if probe >= 0 {
      close(probe)
      return
    }
    let expected = KernelAccessError.of(errno, call: "socket", what: "", capability: nil)
    guard expected == .noBluetooth else { return }
    // When, Then
    #expect(throws: KernelAccessError.noBluetooth) { _ = try ManagementSocket.open() }
    #expect(throws: KernelAccessError.noBluetooth) { _ = try MonitorChannel.open() }
  }

  @Test(arguments: [
    (EAFNOSUPPORT, "no Bluetooth"), (EPERM, "CAP_NET_RAW"), (EACCES, "CAP_NET_RAW"), (EMFILE, "bind failed"),
  ])
  func testError_SaysWhatToDo(_ code: Int32, _ words: String) {
    let error = KernelAccessError.of(code, call: "bind", what: "listen", capability: "CAP_NET_RAW")
    #expect(error.description.contains(words))
  }
}
