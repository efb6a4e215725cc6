internal import OffstageJSON

/// The schema of `state.json`, in which a core leaves its state for the next start.
enum StateSchema {
  static let file = JSONSchema.object([
    "version": .const(.int(StateFile.version)),
    "app": .object(["name": .string]),
    "journal": JSONSchema.string.described("The id of the journal that goes on from here."),
    "record": JSONSchema.integer(from: 0).described("The number of the last record in the state."),
    "state": state,
  ])

  private static let state = JSONSchema.object([
    "build": JSONSchema.object([
      "version": .string, "schema": .types("string", "null"),
      "program?": JSONSchema.string.described(
        "Names the file of the program, whose next start does not compute the hash again."),
    ]).described("The build that has left the state."),
    "navigation": JSONSchema.any.described("Tabs, stacks, presentations, and modals."),
    "screens": .map(screen), "app?": part, "tabs": .map(.string),
    "queue": .array(
      .object(["kind": .string, "argument": .any, "segue": .any])),
    "prompts?": .array(
      .object(["id": .string, "screen": .string, "kind": .string, "params": .string])),
    "link?": .string, "language": .string, "timeZone": .string,
    "display": .object(["language?": .string, "appearance?": .string]),
    "lastScreen": .integer(from: 0), "lastPrompt": .integer(from: 0),
    "session": .object([
      "id": .string, "revision": .integer(from: 0),
      "keys": .map(.object(["method": .string, "response": .types("string", "null")])),
    ]),
    "time?": JSONSchema.integer.described("The virtual clock, in microseconds since 1970."),
  ])

  private static let screen = JSONSchema.object([
    "kind": .string, "argument": .any, "url?": .string, "values?": values, "named?": named,
    "appeared?": .boolean,
    "deliverTo?": .array(.object(["screen": .string, "input": .string])),
  ])

  private static let part = JSONSchema.object([
    "values?": values, "named?": named, "appeared?": .boolean,
  ])

  private static let named = JSONSchema.map(.any)

  private static let values = JSONSchema.array(.object(["name?": .string, "value?": .any]))
}
