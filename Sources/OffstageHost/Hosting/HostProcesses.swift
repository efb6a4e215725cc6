internal import Offstage
internal import OffstageRPC
internal import OffstageSystem

/// The first of several processes of a host. It listens, and gives each connection to the one that serves
/// its visitor, with what has been read from it.
@CoreActor
final class HostProcesses: Served {
  private let app: AppInfo
  private let words: [String]
  private let options: HostOptions
  /// Keeps other hosts out.
  private let lock: PlaceDirectory
  let address: SocketAddress
  /// The addresses of the processes for Prometheus.
  private(set) var metrics: [String] = []
  private var reception: Reception?
  private var workers: [HostWorker] = []
  /// The process that the next new visitor without a name is given to.
  private var next = 0

  /// Starts the processes, one after another: the first one may have to prepare a database for all.
  /// - Throws: `FileError` if one cannot start, or if the host cannot listen.
  init(_ app: AppInfo, _ arguments: Arguments, _ options: HostOptions) throws(FileError) {
    (self.app, self.options) = (app, options)
    words = arguments.words(without: ["processes", "metrics"])
    lock = try SessionFolders.lock(options.folder, app)
    let listener = try ListeningSocket(options.address)
    address = listener.address
    for number in 1...options.processes {
      let worker = try start(number)
      workers.append(worker)
      guard let line = worker.wait() else {
        throw FileError(description: "process \(number) of the host cannot start")
      }
      if options.metricsPort != nil { metrics.append(line) }
    }
    reception = Reception(Door(.listener(listener), app)) { [unowned self] in admit($0, $1) }
    CoreActor.executor.add(self)
  }

  /// True once every process has parked its sessions after a signal.
  var hasEnded: Bool { reception == nil && workers.allSatisfy(\.hasEnded) }

  private func start(_ number: Int) throws(FileError) -> HostWorker {
    let share = Share(number: number, count: options.processes)
    var words = words + ["--processes", "\(share)"]
    if let port = options.metricsPort {
      words += ["--metrics", "\(port == 0 ? 0 : port + number - 1)"]
    }
    return try HostWorker(words)
  }

  // MARK: The loop

  func handleNext() -> Bool {
    guard let reception else { return false }
    if Signals.haveArrived {
      reception.close()
      self.reception = nil
      for worker in workers where !worker.hasEnded { worker.end() }
      return true
    }
    for (index, worker) in workers.enumerated() where worker.mayStartAgain {
      do throws(FileError) { workers[index] = try start(index + 1) } catch {
        app.reportOfHost("cannot start process \(index + 1) again: \(error)")
        worker.startTime = CoreClock.machineTime
      }
    }
    return false
  }

  func addWaits(to waits: inout Waits) {
    for (index, worker) in workers.enumerated() {
      guard !worker.hasEnded else {
        if reception != nil { waits.end(by: worker.nextStart) }
        continue
      }
      waits.add(worker.output, POLLIN) { [self] _ in
        guard let end = worker.read(), reception != nil else { return }
        app.reportOfHost("process \(index + 1) has ended \(end); it starts again")
      }
      guard worker.channel.isFull else { continue }
      waits.add(worker.channel.descriptor, POLLOUT) { _ in worker.channel.flush() }
    }
  }

  // MARK: Admission

  func admit(_ arrival: Arrival, _ greeting: Greeting) -> Bool {
    let worker = workers[number(for: greeting) - 1]
    guard !worker.hasEnded, worker.channel.send(arrival.socket, arrival.bytes) else { return false }
    _ = arrival.handOver()
    return true
  }

  private func number(for greeting: Greeting) -> Int {
    if let visitor = greeting.visitor ?? greeting.session {
      return Share.number(of: visitor, among: workers.count)
    }
    if greeting.asksForStatus {
      // The process itself refuses a number that is none.
      return (1...workers.count).contains(greeting.process) ? greeting.process : 1
    }
    next = next % workers.count + 1
    return next
  }
}

/// One of the processes of a host, as the first one sees it.
@CoreActor
final class HostWorker {
  let channel: DescriptorChannel
  private let process: ChildProcess
  /// Its standard output, which has one line.
  private var input: LineInput
  private(set) var hasEnded = false
  private var isEnding = false
  var startTime = CoreClock.machineTime

  /// One that ends early starts again after so long.
  private static let pause = Duration.seconds(1)

  /// - Throws: `FileError` if it cannot be started.
  init(_ words: [String]) throws(FileError) {
    let (ours, theirs) = try DescriptorChannel.pair()
    process = try ChildProcess(
      ChildProcess.ownPath, words, inheriting: theirs.descriptor, ownsSession: true)
    channel = ours
    input = LineInput(process.output)
  }

  /// The descriptor to wait for, until it has ended.
  var output: Int32 { process.output }

  /// Waits until it is ready.
  /// - Returns: The line that it has printed; nil if it has ended.
  func wait() -> String? {
    let line = input.wait()
    if line == nil { _ = finish() }
    return line
  }

  /// Reads its output.
  /// - Returns: Its end, if this is it.
  func read() -> ProcessEnd? {
    input.read()
    while input.next() != nil {}
    return input.hasEnded ? finish() : nil
  }

  /// Makes it park its sessions.
  func end() {
    systemClose(process.input)
    isEnding = true
  }

  private func finish() -> ProcessEnd? {
    hasEnded = true
    systemClose(process.output)
    if !isEnding { systemClose(process.input) }
    return try? process.wait()
  }

  var nextStart: Duration { startTime + Self.pause }

  var mayStartAgain: Bool { hasEnded && CoreClock.machineTime >= nextStart }
}
