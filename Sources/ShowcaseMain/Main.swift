import OffstageHost
import ShowcaseProgram

@main enum Main {
  static func main() { Program.showcase.run() }
}
