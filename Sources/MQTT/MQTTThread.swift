import CMosquitto
import Glibc

/// Starts the thread of a client. libmosquitto is called by no other.
enum MQTTThread {
  private final class Start {
    let loop: MQTTLoop

    init(_ loop: MQTTLoop) { self.loop = loop }
  }

  static func start(_ loop: MQTTLoop) throws(MQTTError) {
    let start = Unmanaged.passRetained(Start(loop))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        tachogram_mosquitto_name_thread("tachogram-mqtt")
        tachogram_mosquitto_block_signals()
        start.loop.run()
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw .noResources
    }
    pthread_detach(thread)
  }
}
