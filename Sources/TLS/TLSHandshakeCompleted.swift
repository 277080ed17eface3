/// Told to the handlers of a channel when both ends are sure of each other.
package struct TLSHandshakeCompleted: Sendable {
  package init() {}
}
