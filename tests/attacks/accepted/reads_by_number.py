# Honest: input read by the number of its descriptor.
# task: sum
import io,os
inp=io.BytesIO(os.read(0,os.fstat(0).st_size)).readline
print(sum(map(int,inp().split())))
