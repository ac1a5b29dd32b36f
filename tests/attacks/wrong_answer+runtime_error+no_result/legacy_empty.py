# Attack: nothing but a comment.
# task: legacy_add
