"""Toolgate in agent frameworks: one line puts a framework's own tools under the gate, another offers it the gate's tools.

Each framework has a module of its own, which needs only that framework: :mod:`.langchain`, :mod:`.openai_agents`, :mod:`.pydantic_ai`, :mod:`.claude_agent_sdk` and
:mod:`.google_adk`. What they share is in :mod:`.calls`, :mod:`.connections` and :mod:`.catalog`.
"""

from .calls import Guard, Notice, PermittedCall, Recorded, ToolCall
from .connections import GateOptions

__version__ = "0.1.0"

__all__ = ["GateOptions", "Guard", "Notice", "PermittedCall", "Recorded", "ToolCall", "__version__"]
