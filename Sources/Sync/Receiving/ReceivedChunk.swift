/// A chunk that was verified and opened.
package struct ReceivedChunk: Hashable, Sendable {
  package let header: EnvelopeHeader
  package let chunk: Chunk
}
