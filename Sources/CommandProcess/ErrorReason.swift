import Foundation
import Repository

/// The errors of libraries in words for people: what the system says of a file, never how a library writes its errors down.
package enum ErrorReason {
  /// A part of a sentence, such as "No space left on device".
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

  /// The file that it is about, where it says so.
  package static func path(_ error: any Error) -> String? {
    (error as NSError).userInfo[NSFilePathErrorKey] as? String
  }

  /// The `errno` behind it.
  private static func systemCode(_ error: any Error) -> Int32? {
    if let error = error as? POSIXError { return error.code.rawValue }
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
    return (error.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap(systemCode)
  }

  /// Where a library gives no `errno`.
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
