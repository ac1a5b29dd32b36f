"""What a text takes back, and what it says instead."""
