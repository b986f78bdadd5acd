"""The arguments that all senders of the comparison share."""

import argparse


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--key", required=True, help="the signing key, PEM")
    parser.add_argument("--key-id", required=True)
    parser.add_argument("--team-id", required=True)
    parser.add_argument("--topic", required=True)
    parser.add_argument("--tokens", required=True, help="a file with one token in hex on each line")
    arguments = parser.parse_args()
    with open(arguments.tokens) as file:
        arguments.tokens = file.read().split()
    return arguments
