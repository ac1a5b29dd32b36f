# Attack: patterns that match everything as output.
# task: oracle_stdio
print('.*'); print('*'); print('ORACLE:%s:*'%input())
