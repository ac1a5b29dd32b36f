# Honest: imports that take a while.
# task: add
# runs: always
import asyncio
import concurrent.futures
import ctypes
import decimal
import email.mime.multipart
import http.client
import logging.config
import multiprocessing
import sqlite3
import unittest.mock
import xml.dom.minidom

MODULES = [asyncio, concurrent, ctypes, decimal, email, http, logging, multiprocessing, sqlite3, unittest, xml]


def solve(a, b):
    return a + b if all(MODULES) else None
