"""``python -m citelint``."""

from citelint.cli import main

raise SystemExit(main())
