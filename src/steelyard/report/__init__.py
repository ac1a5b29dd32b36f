"""One summary object, shown in several ways."""
