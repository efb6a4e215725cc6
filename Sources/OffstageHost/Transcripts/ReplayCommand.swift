internal import Offstage
internal import OffstageJSON
internal import OffstageSystem
package import OffstageTranscripts

extension Program {
  /// Replays transcripts against this program, each run in a process of its own.
  /// - Parameter paths: Transcripts, and folders that contain them.
  /// - Returns: 0 if all transcripts pass, 1 otherwise. An update of a failing transcript also
  ///   returns 1, so that a check never passes on output that it has just accepted.
  func replay(_ paths: [String], update: Bool) throws -> Int32 {
    var counts: [Verdict: Int] = [:]
    for path in paths {
      var files: [String] = []
      do { files = try Transcript.paths(at: path) } catch {
        try print("\(error)\n")
        counts[.failed, default: 0] += 1
      }
      for file in files { counts[try check(file, update: update), default: 0] += 1 }
    }
    let shown: [Verdict] = update ? [.passed, .updated, .failed] : [.passed, .failed]
    try print(shown.map { "\(counts[$0] ?? 0) \($0)" }.joined(separator: ", "))
    return counts.keys.allSatisfy { $0 == .passed } ? 0 : 1
  }

  private enum Verdict {
    case passed, updated, failed
  }

  private func check(_ file: String, update: Bool) throws -> Verdict {
    do {
      let transcript = try Transcript(at: file)
      let outputs = try CoreActor.executor.runToEnd {
        try await play(transcript) { try await ProcessTarget($0, directory: $1) }
      }
      let differences = transcript.differences(from: outputs)
      if differences.isEmpty { return .passed }
      guard update else {
        for difference in differences { try print("\(difference)\n") }
        return .failed
      }
      try Descriptor.replaceFile(file, Array(transcript.updated(with: outputs).text.utf8))
      try print("updated \(file)")
      return .updated
    } catch {
      try print("\(error)\n")
      return .failed
    }
  }

  /// Prints lines on standard output. They may contain text from a transcript or a core.
  private func print(_ text: String) throws(FileError) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    try StandardStreams.print(lines.map { Console.escaped(String($0)) }.joined(separator: "\n"))
  }
}

extension Transcript {
  /// Returns the transcripts in and below a directory, sorted by path, or just the path if it is a
  /// file. Hidden files and directories, such as `.build`, are left out.
  /// - Throws: `FileError` for a directory without transcripts.
  package static func paths(at path: String) throws -> [String] {
    guard let names = Descriptor.names(in: path) else { return [path] }
    let found = paths(in: path.hasSuffix("/") ? String(path.dropLast()) : path, names)
    guard !found.isEmpty else {
      throw FileError(description: "\(path): no file ends in .transcript")
    }
    return found
  }

  private static func paths(in path: String, _ names: [String]) -> [String] {
    names.sorted().filter { !$0.hasPrefix(".") }.flatMap { name -> [String] in
      let child = "\(path)/\(name)"
      if Descriptor.isDirectory(child) {
        return paths(in: child, Descriptor.names(in: child) ?? [])
      }
      return name.hasSuffix(".transcript") ? [child] : []
    }
  }

  /// - Throws: An error that names the file, and the line of a mistake in it.
  package init(at path: String) throws {
    try self.init(try PrivateFiles.read(path), file: path)
  }
}

extension Program {
  /// Plays a transcript. Its runs share a temporary directory and, if one of them has responses, an
  /// HTTP server.
  /// - Parameter start: Starts a core with these arguments and this home directory.
  package func play(
    _ transcript: Transcript,
    on start: @Sendable ([String], _ directory: String) async throws -> any TranscriptTarget
  ) async throws -> [TranscriptOutput] {
    let directory = try Descriptor.createScratchDirectory()
    defer { Descriptor.removeDirectory(directory) }
    let server = try transcript.runs.contains { !$0.responses.isEmpty } ? ScriptedServer() : nil
    defer { server?.stop() }
    return try await transcript.play { run in
      do {
        let server = run.responses.isEmpty ? nil : server
        server?.expect(run.responses)
        let arguments = try arguments(of: run.command, in: directory, server: server?.address)
        let target = try await start(arguments, directory)
        return server.map { ServedTarget(target: target, server: $0) } ?? target
      } catch {
        throw FileError(description: "\(transcript.file): \(error)")
      }
    }
  }

  /// Returns the arguments for a run of a transcript, which may come from a stranger.
  ///
  /// Rejects commands, and options that are not allowed in transcripts: the core cannot access the
  /// user's files, start processes, or call other machines. `--data NAME` is a directory in
  /// `directory`, and `http://server` is the scripted server.
  private func arguments(
    of command: TranscriptCommand, in directory: String, server: String?
  ) throws(UsageError) -> [String] {
    let arguments = try parse(command.arguments)
    guard arguments.action == .serve else {
      throw UsageError("a transcript cannot run \"\(command.text)\", only serve")
    }
    var words: [String] = []
    for (name, value) in arguments.values.sorted(by: { $0.key < $1.key }) {
      guard let option = (Self.standardOptions + options).first(where: { $0.name == name }),
        option.isAllowedInTranscripts
      else { throw UsageError("--\(name) is not allowed in a transcript") }
      switch option.value {
      case .none: words.append("--\(name)")
      case .text, .optional: words.append("--\(name)=\(value)")
      case .directory:
        guard !value.contains("/"), !value.hasPrefix(".") else {
          throw UsageError("--\(name) takes a plain name in a transcript, not \"\(value)\"")
        }
        words.append("--\(name)=\(directory)/\(value)")
      case .url:
        let scripted = "http://\(ScriptedServer.name)"
        if let server, value == scripted || value.hasPrefix(scripted + "/") {
          words.append("--\(name)=http://\(server)\(value.dropFirst(scripted.count))")
        } else if Self.isLocal(value) {
          words.append("--\(name)=\(value)")
        } else {
          throw UsageError("--\(name) takes an address of this machine in a transcript")
        }
      }
    }
    return words
  }

  /// Returns true for a URL whose host is certainly this machine.
  private static func isLocal(_ url: String) -> Bool {
    ["http://127.0.0.1", "http://localhost", "http://[::1]"].contains { host in
      guard url.hasPrefix(host) else { return false }
      let rest = url.utf8.dropFirst(host.utf8.count)
      let port = rest.first == UInt8(ascii: ":") ? rest.dropFirst() : rest
      let end = port.drop(while: \.isDigit)
      return end.isEmpty || end.first == UInt8(ascii: "/")
    }
  }
}
