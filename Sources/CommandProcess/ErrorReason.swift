import Foundation
import Repository

/// The reasons of library errors in words for people: the system's message for a file, not the library's description.
package enum ErrorReason {
  /// Returns a part of a sentence, such as "No space left on device".
  package static func text(_ error: any Error) -> String {
    if let code = systemCode(error) { return SystemError.text(code) }
    switch error {
    case let error as CommandFailure: return error.message
    case is DecodingError, is EncodingError: return "it does not have the form that it should have"
    case _ where (error as NSError).domain == NSCocoaErrorDomain: return cocoaText((error as NSError).code)
    case let known as any CustomStringConvertible where !(type(of: error) is NSError.Type): return known.description
    default: return "an error that is not known here (\(type(of: error)))"
    }
  }

  /// Returns the path of the file that the error concerns, if it names one.
  package static func path(_ error: any Error) -> String? {
    (error as NSError).userInfo[NSFilePathErrorKey] as? String
  }

  /// Returns the underlying `errno`.
  private static func systemCode(_ error: any Error) -> Int32? {
    if let error = error as? POSIXError { return error.code.rawValue }
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
    return (error.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap(systemCode)
  }

  /// Returns the words for an error without an `errno`.
  private static func cocoaText(_ code: Int) -> String {
    switch CocoaError.Code(rawValue: code) {
    case .fileNoSuchFile, .fileReadNoSuchFile: String(cString: strerror(ENOENT))
    case .fileReadNoPermission, .fileWriteNoPermission: String(cString: strerror(EACCES))
    case .fileWriteFileExists: String(cString: strerror(EEXIST))
    case .fileWriteOutOfSpace: SystemError.text(ENOSPC)
    case .fileWriteVolumeReadOnly: String(cString: strerror(EROFS))
    case .fileReadCorruptFile, .fileReadInapplicableStringEncoding: "it does not have the form that it should have"
    default: "the system refused it (\(code))"
    }
  }
}
