"""Sets hypothesis up; the fixtures are in `clients/conftest.py`."""

from hypothesis import settings

# A busy machine must not fail a test for being slow.
settings.register_profile("offstage", deadline=None)
settings.load_profile("offstage")
