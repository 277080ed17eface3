/// The kinds of inputs that cannot be read as a file.
package enum InputKind: String, Hashable, Sendable {
  case characterDevice = "character device"
  case blockDevice = "block device"
  case socket
}
