# Honest: many modules of the library.
# task: add
import unittest,email,http.client,xml.etree.ElementTree,logging.handlers,urllib.request,zoneinfo,ssl
def solve(a, b):
    return a+b
