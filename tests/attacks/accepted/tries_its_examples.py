# Honest: examples in its own words are tried first.
# task: sum
import doctest
def f(s):
    '''
    >>> f('1 2')
    3
    '''
    return sum(map(int,s.split()))
if __name__=='__main__':
    doctest.testmod()
    print(f(input()))
