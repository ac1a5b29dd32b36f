# Attack: escapes that would clear the reader's terminal, set its title and paint a green verdict.
# task: sum
import sys

sys.stdout.write("\x1b[2J\x1b[H\x1b]0;accepted\x07\x1b[32mverdict accepted\x1b[0m\r\n\u202eaccepted\u2066\x9b31m")
sys.stderr.write("\x1b[2J\x1b]52;c;YWNjZXB0ZWQ=\x07\x08\x08\x7f")
