"""The version of this package, which also works without being installed."""

VERSION = "0.1.0"
