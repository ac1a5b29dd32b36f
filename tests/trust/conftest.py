"""What the tests of trust share."""

from __future__ import annotations

from runs.conftest import bench as bench
