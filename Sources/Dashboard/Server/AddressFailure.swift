import Glibc
import NIOCore

/// The reason why the page cannot be served at its configured address.
package struct AddressFailure: Error, CustomStringConvertible {
  package let description: String

  /// Returns `nil` if the address is not the cause of the error.
  init?(_ error: any Error, _ host: String, _ port: Int) {
    let place = "\(host):\(port)"
    switch error {
    case let error as IOError where error.errnoCode == EADDRINUSE:
      description =
        "\(place) is taken by another program, perhaps by a station that runs already; choose another http.port"
    case let error as IOError where error.errnoCode == EADDRNOTAVAIL:
      description = "\(host) is not an address of this machine; choose another http.host"
    case let error as IOError where error.errnoCode == EACCES:
      description = "\(place) is not for this user; choose an http.port above 1023"
    case is SocketAddressError, is SocketAddressError.UnknownHost:
      description = "\(host) is neither an address nor a name that is known; choose another http.host"
    default: return nil
    }
  }
}
