"""List the commands of the command line under headings, in the order in which a reader needs them."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

_HEADINGS = ("Check", "Ask", "Store", "Graphs", "Many documents", "Measure", "Maintain")
_SPACE = 16
"""Columns that names of commands take."""


class GroupedCommands(TyperGroup):
    """A group of commands whose help has a heading for each `rich_help_panel` of its commands."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each heading; in it commands are in the order in which they were added."""
        sections: dict[str, list[tuple[str, Any]]] = {heading: [] for heading in _HEADINGS}
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                sections[command.rich_help_panel].append((name, command))
        limit = 2 * (formatter.width - _SPACE - 4)
        for heading, commands in sections.items():
            with formatter.section(heading):
                formatter.write_dl(
                    [(name.ljust(_SPACE - 2), command.get_short_help_str(limit)) for name, command in commands]
                )
