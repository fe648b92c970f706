def step(:
