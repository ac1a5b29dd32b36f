"""How Alembic runs: on the connection that `migrate` holds, inside its transaction."""

from alembic import context

from steelyard.store.schema import META

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=META,
    transactional_ddl=False,
)
context.run_migrations()
