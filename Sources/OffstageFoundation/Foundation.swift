/// The part of Foundation that needs no data about languages and regions.
///
/// Outside of Apple's systems, that data takes 44 MB of a program that links it, and a third of its
/// start.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
