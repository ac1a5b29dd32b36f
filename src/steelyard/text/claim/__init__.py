"""Whether a text claims what it mentions: not where it is denied, asked, told of others, or one of several."""
