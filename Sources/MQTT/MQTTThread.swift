import CMosquitto
import Threads

/// Starts the thread of a client. libmosquitto is called by no other.
enum MQTTThread {
  static func start(_ loop: MQTTLoop) throws(MQTTError) {
    do {
      try WorkerThread.start("tachogram-mqtt") {
        tachogram_mosquitto_block_signals()
        loop.run()
      }
    } catch {
      throw .noResources
    }
  }
}
