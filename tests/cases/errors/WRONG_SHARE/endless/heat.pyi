from codegen.schema import Dim, donated, f32, share

n = Dim()

class Link:
    u: donated[f32[n]]

class Longer(Link):
    rest: donated[Link]

class Chain:
    first: donated[Longer]
    second: donated[Longer]
    share(second, first.rest)

class Ring:
    chain: donated[Chain]
    share(chain.first, chain.second.rest)

class Pair:
    longer: donated[Longer]

class Pairs:
    one: donated[Pair]
    other: donated[Pair]
    share(other.longer, one.longer.rest)

class Knot:
    pairs: donated[Pairs]
    share(pairs.one, pairs.other)
