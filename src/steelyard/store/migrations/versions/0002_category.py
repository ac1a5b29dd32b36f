"""The category of a challenge beside its archive; of those that are there already it is read from the archive when needed."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("challenges", sa.Column("category", sa.Text))
