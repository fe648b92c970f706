X = -1
Y = 1 + 2
Z = -0.5
W = 3 / 2
V = 1 + 2j
T = True
