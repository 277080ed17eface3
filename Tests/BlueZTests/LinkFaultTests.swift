import DBus
import Testing

@testable import BlueZ

/// What the daemon says, as src/error.c and src/error.h of BlueZ and the kernel's ATT have it.
@Suite("Link faults")
struct LinkFaultTests {
  private static let bluez = "org.bluez.Error."
  private static let freedesktop = "org.freedesktop.DBus.Error."

  @Test(arguments: [
    (bluez + "InProgress", LinkFault.transient), (bluez + "NotReady", .transient), (bluez + "NotConnected", .linkLost),
    (bluez + "DoesNotExist", .vanished), (bluez + "AuthenticationFailed", .notAuthorised),
    (bluez + "AuthenticationCanceled", .notAuthorised), (bluez + "AuthenticationRejected", .notAuthorised),
    (bluez + "AuthenticationTimeout", .notAuthorised), (bluez + "NotAuthorized", .notAuthorised),
    (bluez + "ConnectionAttemptFailed", .timedOut), (bluez + "NotSupported", .wayRefused),
    (bluez + "NotPermitted", .wayRefused), (bluez + "NotAvailable", .refused), ("no.such.Error", .refused),
    (freedesktop + "NoReply", .timedOut), (freedesktop + "UnknownObject", .vanished),
    (freedesktop + "UnknownMethod", .vanished), (freedesktop + "ServiceUnknown", .vanished),
    (freedesktop + "NameHasNoOwner", .vanished), (freedesktop + "AccessDenied", .refused),
  ])
  func testName_TellsTheClass(name: String, expected: LinkFault) {
    #expect(LinkFault(.remote(name: name, message: "")) == expected)
    // What is said beside a name of its own changes nothing.
    #expect(LinkFault(.remote(name: name, message: "le-connection-abort-by-local")) == expected)
  }

  @Test(arguments: [
    ("le-connection-limit", LinkFault.noSlot), ("Too many links", .noSlot),
    ("le-connection-abort-by-local", .transient),
    ("Software caused connection abort", .transient), ("Operation already in progress", .transient),
    ("Device or resource busy", .transient), ("br-connection-canceled", .transient),
    ("le-connection-key-missing", .notAuthorised), ("Operation failed with ATT error: 0x05", .notAuthorised),
    ("Operation failed with ATT error: 0x0f", .notAuthorised), ("Insufficient encryption", .notAuthorised),
    ("Not connected", .linkLost), ("Connection reset by peer", .linkLost),
    ("le-connection-terminated-by-remote", .linkLost), ("Operation failed with ATT error: 0x0e", .linkLost),
    ("br-connection-page-timeout", .timedOut), ("Connection timed out", .timedOut), ("Host is down", .timedOut),
    ("Operation failed with ATT error: 0x11", .refused), ("", .refused),
  ])
  func testFailure_IsToldByItsWords(message: String, expected: LinkFault) {
    #expect(LinkFault(.remote(name: Self.bluez + "Failed", message: message)) == expected)
    #expect(LinkFault(.remote(name: Self.bluez + "Failed", message: message.uppercased())) == expected)
  }

  /// The daemon refuses to subscribe for two reasons with one name.
  @Test func testNotPermitted_IsOfTheBondWhereItSaysSo() {
    #expect(LinkFault(.remote(name: Self.bluez + "NotPermitted", message: "Not paired")) == .notAuthorised)
    #expect(LinkFault(.remote(name: Self.bluez + "NotPermitted", message: "Notify acquired")) == .wayRefused)
  }

  @Test func testWhatTheBusItselfSays_HasAClass() {
    #expect(LinkFault(.timedOut(member: "Connect")) == .timedOut)
    #expect(LinkFault(.cancelled) == .transient)
    #expect(LinkFault(.disconnected) == .vanished)
  }
}
