/// What goes wrong in a test.
struct Broken: Error, Equatable {}
