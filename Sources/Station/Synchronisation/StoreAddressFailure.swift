/// The reason why a store cannot be opened.
package enum StoreAddressFailure: Error, CustomStringConvertible {
  case invalid(String)
  case noServers

  package var description: String {
    switch self {
    case .invalid(let text): "\(text) is neither the path of a folder nor a URL that begins with https://"
    case .noServers: "this version synchronises through folders only"
    }
  }
}
