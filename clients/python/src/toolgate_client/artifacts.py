"""Artifacts: stored output, uploaded and downloaded."""

from __future__ import annotations

from pathlib import Path

from . import wire
from .flows import Flow
from .operations import AsyncResource, Resource, SyncResource, listing, operation
from .records import Artifact
from .resources import delete_request
from .wire import Request, get, given, path


def _artifact(uri: str) -> str:
    """The path of an artifact, from the URI that its record has."""
    parts = uri.strip("/").split("/")
    if len(parts) != 4 or parts[0] != "workspaces" or parts[2] != "artifacts":
        raise ValueError(f"Not the URI of an artifact (workspaces/WORKSPACE/artifacts/ID): {uri!r}")
    return path("/workspaces/{workspace}/artifacts/{artifact}", workspace=parts[1], artifact=parts[3])


class ArtifactOperations(Resource):
    @listing.of(Artifact)
    def list(
        self,
        workspace: str = "default",
        *,
        request_id: str | None = None,
        session_id: str | None = None,
        limit: int | None = None,
    ) -> Request:
        """The artifacts of a workspace, newest first; with ``request_id`` those of one call."""
        where = path("/workspaces/{workspace}/artifacts", workspace=workspace)
        return get(where, request_id=request_id, session_id=session_id, limit=limit)

    @operation
    def upload(
        self,
        content: bytes | Path,
        *,
        name: str | None = None,
        workspace: str = "default",
        media_type: str = "application/octet-stream",
        session_id: str | None = None,
    ) -> Flow[Artifact]:
        """Stores bytes, or a file, which is streamed."""
        chosen = name or (content.name if isinstance(content, Path) else None)
        where = path("/workspaces/{workspace}/artifacts", workspace=workspace)
        request = Request(
            "POST", where, given(name=chosen, session_id=session_id), {"Content-Type": media_type}, content=content
        )
        return Artifact((yield from self._flows.json(request)))

    @operation
    def download(self, uri: str, *, session_id: str | None = None) -> Flow[bytes]:
        """The bytes of an artifact."""
        answer = yield from self._flows.send(get(_artifact(uri), session_id=session_id))
        if answer.status != 200:
            raise wire.error(answer)
        return answer.content

    @operation
    def save(self, uri: str, file: Path, *, session_id: str | None = None) -> Flow[Path]:
        """Streams an artifact to a file; an existing file is replaced after the download."""
        part = file.with_name(file.name + ".part")
        try:
            answer = yield from self._flows.send(get(_artifact(uri), session_id=session_id), part)
            if answer.status != 200:
                raise wire.error(answer)
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)
        return file

    @operation
    def delete(self, uri: str) -> Flow[None]:
        """Deletes an artifact."""
        yield from self._flows.json(delete_request(_artifact(uri)))


class Artifacts(ArtifactOperations, SyncResource): ...


class AsyncArtifacts(ArtifactOperations, AsyncResource): ...
