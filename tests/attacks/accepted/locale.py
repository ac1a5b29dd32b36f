# Honest: the locale that is set.
# task: add
import locale
def solve(a, b):
    locale.setlocale(locale.LC_ALL,'')
    assert locale.getpreferredencoding().lower().replace('-','')=='utf8'
    return a+b
