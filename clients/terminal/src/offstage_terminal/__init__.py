"""The terminal front end of Offstage apps."""
