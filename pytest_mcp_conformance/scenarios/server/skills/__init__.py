"""Agent skills that a server serves as resources: the skills extension (SEP-2640).

Specification: https://modelcontextprotocol.io/seps/2640-skills-extension#specification
"""
