# Honest: everything happens in the main block.
# task: sum
# runs: always
import sys


def main():
    print(sum(int(part) for line in sys.stdin for part in line.split()))


if __name__ == "__main__":
    main()
