"""What runs inside a box, with nothing but the standard library: it is sent in as source over the box's input.

boot makes these modules importable there; zygote waits for jobs and forks one init for each; init is the first
process of the new namespaces and relays; program is the process that becomes the candidate's; world builds what it
sees, and confine takes away what it may not do. function and tester are the workers.
"""
