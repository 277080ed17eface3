import Capture
import Foundation
import Testing

@testable import CommandProcess

struct ErrorReasonTests {
  private struct Unknown: Error {}

  private static let errors: [(any Error, String)] = [
    (
      CocoaError(.fileReadUnknown, userInfo: [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: 5)]),
      "Input/output error"
    ),
    (POSIXError(.ENOSPC), "the disk is full"),
    (NSError(domain: NSPOSIXErrorDomain, code: 21), "Is a directory"),
    (CocoaError(.fileReadNoSuchFile), "No such file or directory"),
    (CocoaError(.fileReadNoPermission), "Permission denied"),
    (NSError(domain: NSCocoaErrorDomain, code: 9999), "the system refused it (9999)"),
    (Unknown(), "an error that is not known here (Unknown)"),
    (CaptureError.empty(path: "x"), "x: is empty; the capture was never written"),
  ]

  @Test(arguments: errors.indices)
  func testErrorOfALibrary_IsWordedForPeople(index: Int) {
    let (error, text) = Self.errors[index]
    #expect(ErrorReason.text(error) == text)
  }

  @Test func testErrorOfAnyKind_NamesTheFileAndFails() {
    let other = CommandFailure(POSIXError(.EIO), about: "given")
    #expect(other.message == "given: Input/output error" && other.code == .failed)
    let named = CommandFailure(
      CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: "/its/own"]), about: "given")
    #expect(named.message == "/its/own: No such file or directory")
    #expect(CommandFailure(CaptureError.empty(path: "x"), about: "given").code == .badInput)
  }
}
