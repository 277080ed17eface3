/// The event that the handlers of a channel receive when the handshake is complete.
package struct TLSHandshakeCompleted: Sendable {
  package init() {}
}
