/// What a station received from one log.
package struct Received: Sendable {
  /// The chunks that it can read, in the order of the log.
  package var chunks: [ReceivedChunk] = []
  /// The number of chunks of kinds that this program does not know. They stay sealed in the store.
  package var unknownKindCount = 0
  /// The number of chunks that are sealed to the own keys of other members, or, at a sensor, to the key of an epoch.
  package var unreadableByRoleCount = 0
  /// The number of chunks of an earlier generation, whose data is deleted.
  package var earlierGenerationCount = 0
  /// The places of the log whose stored facts changed.
  package var changed: [UInt64] = []
  package var findings: [LogFinding] = []
}
