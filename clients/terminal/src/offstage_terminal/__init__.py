"""The terminal front end of Offstage apps.

Imports go one way: `app`, `screens`, `pages`, `widgets`, `model`.
"""
