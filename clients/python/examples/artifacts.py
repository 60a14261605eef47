"""Files up and down, without having them in memory as a whole."""

import tempfile
from pathlib import Path

from toolgate_client import Toolgate

with Toolgate() as gate, tempfile.TemporaryDirectory() as folder:
    report = Path(folder, "report.csv")
    report.write_text("name,count\nfiles,3\n")

    stored = gate.artifacts.upload(report, media_type="text/csv", workspace="examples")
    print("stored:", stored.name, stored.size)

    copy = gate.artifacts.save(stored.uri, Path(folder, "copy.csv"))
    print("the same:", copy.read_bytes() == report.read_bytes())
    gate.artifacts.delete(stored.uri)

# Prints:
# stored: report.csv 19
# the same: True
