"""What the scripted models of all frameworks have in common: which calls they make, and what they were told."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

END = "That was all."


@dataclass(frozen=True)
class Call:
    """A call that a model makes."""

    tool: str
    arguments: Mapping[str, Any]
    id: str = field(default_factory=lambda: f"call_{uuid.uuid4().hex}")


@dataclass(frozen=True)
class Turn:
    """The calls that a model makes at once, and what happens before."""

    calls: tuple[Call, ...]
    before: Callable[[], None] = lambda: None


class Script:
    """One turn after the other, then a last sentence."""

    def __init__(self, *turns: Turn | Call) -> None:
        self._turns = iter([Turn((each,)) if isinstance(each, Call) else each for each in turns])

    def next(self) -> tuple[Call, ...]:
        """The calls of the next turn; none at the end."""
        turn = next(self._turns, Turn(()))
        turn.before()
        return turn.calls


@dataclass
class Told:
    """How a run ended: what the model was told about each of its calls, in order, and the exception that ended the run."""

    results: list[str]
    raised: BaseException | None = None

    @property
    def everything(self) -> str:
        return " ".join([*self.results, repr(self.raised) if self.raised else ""])
