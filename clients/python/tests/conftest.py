"""Configures hypothesis. The fixtures are in `clients/conftest.py`."""

from hypothesis import settings

# A test must not fail because the machine is busy.
settings.register_profile("offstage", deadline=None)
settings.load_profile("offstage")
