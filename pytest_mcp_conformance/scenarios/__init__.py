"""The scenarios: one file a family, nothing but the specification.

A scenario is a module-level value made by `server_scenario` on a coroutine. Adding one touches one file: the registry
finds it by walking this package.
"""
